/**
 * Desired-state quoting, one side at a time: which standing orders go and which new ones come, so that the standing
 * quantity at each price is the desired one, with the fewest requests. Pure; integers only.
 *
 * Per price, with standing orders s1…sn (sum S) and desired quantity Q:
 *   S = Q   nothing
 *   S < Q   one create of Q − S, if that is an order at all; else as below
 *   S > Q   keep the subset whose sum is at most Q and costs least: its missing cancels, and one create for the rest
 * With a tolerance a leg first adopts one standing order that lies within `priceTicks` and `quantityFraction` of it.
 */

export interface Standing {
  readonly ticks: number;
  /** What still rests, or is in flight. */
  readonly lots: number;
}

export interface DesiredLeg {
  readonly ticks: number;
  readonly lots: number;
}

export interface Tolerance {
  readonly priceTicks: number;
  readonly quantityFraction: number;
}

export interface SidePlan<S extends Standing> {
  readonly cancel: readonly S[];
  readonly create: readonly DesiredLeg[];
}

/** Up to this many orders at one price every subset is tried; beyond it (never in practice) they are kept greedily. */
const SUBSETS_MAX = 10;

/**
 * `desired` holds each price once. `minLots(ticks)` is the smallest order there: a remainder below it is reached by
 * cancelling and creating anew.
 */
export function planSide<S extends Standing>(
  standing: readonly S[],
  desired: readonly DesiredLeg[],
  tolerance: Tolerance,
  minLots: (ticks: number) => number,
): SidePlan<S> {
  const cancel: S[] = [];
  const create: DesiredLeg[] = [];
  if (standing.length === 0) return { cancel, create: desired.filter(({ lots }) => lots > 0) };
  const adopted = adopt(standing, desired, tolerance);
  for (const leg of desired) {
    if (adopted.legs.has(leg)) continue;
    planPrice(
      standing.filter((order) => order.ticks === leg.ticks && !adopted.orders.has(order)),
      leg,
      minLots(leg.ticks),
      cancel,
      create,
    );
  }
  for (const order of standing) {
    if (adopted.orders.has(order) || desired.some((leg) => leg.ticks === order.ticks && !adopted.legs.has(leg)))
      continue;
    cancel.push(order);
  }
  return { cancel, create };
}

interface Adopted<S extends Standing> {
  readonly orders: Set<S>;
  readonly legs: Set<DesiredLeg>;
}

/** Pairs legs with single orders within the tolerance, nearest price first, so that these pairs need no request. */
function adopt<S extends Standing>(
  standing: readonly S[],
  desired: readonly DesiredLeg[],
  tolerance: Tolerance,
): Adopted<S> {
  const orders = new Set<S>();
  const legs = new Set<DesiredLeg>();
  if (tolerance.priceTicks <= 0 && tolerance.quantityFraction <= 0) return { orders, legs };
  for (const { order, leg } of pairs(standing, desired, tolerance)) {
    if (orders.has(order) || legs.has(leg)) continue;
    orders.add(order);
    legs.add(leg);
  }
  return { orders, legs };
}

interface Pair<S extends Standing> {
  readonly order: S;
  readonly leg: DesiredLeg;
  readonly distance: number;
  readonly difference: number;
}

function pairs<S extends Standing>(
  standing: readonly S[],
  desired: readonly DesiredLeg[],
  tolerance: Tolerance,
): Pair<S>[] {
  const found: Pair<S>[] = [];
  for (const leg of desired) {
    for (const order of standing) {
      const distance = Math.abs(order.ticks - leg.ticks);
      const difference = Math.abs(order.lots - leg.lots);
      if (distance > tolerance.priceTicks || difference > tolerance.quantityFraction * leg.lots) continue;
      found.push({ order, leg, distance, difference });
    }
  }
  return found.sort((a, b) => a.distance - b.distance || a.difference - b.difference);
}

function planPrice<S extends Standing>(
  orders: readonly S[],
  leg: DesiredLeg,
  minLots: number,
  cancel: S[],
  create: DesiredLeg[],
): void {
  const keep =
    orders.length > SUBSETS_MAX ? greedyKeep(orders, leg.lots, minLots) : bestKeep(orders, leg.lots, minLots);
  let kept = 0;
  orders.forEach((order, index) => {
    if ((keep & (1 << index)) === 0) cancel.push(order);
    else kept += order.lots;
  });
  if (kept < leg.lots) create.push({ ticks: leg.ticks, lots: leg.lots - kept });
}

/** Bit mask of the orders to keep: fewest requests, then the oldest orders (they have the better queue places). */
function bestKeep(orders: readonly Standing[], lots: number, minLots: number): number {
  const all = (1 << orders.length) - 1;
  let best = 0;
  let bestCost = orders.length + 1;
  for (let mask = all; mask >= 0; mask--) {
    const cost = costOf(orders, mask, lots, minLots);
    if (cost < bestCost || (cost === bestCost && isOlder(mask, best))) {
      best = mask;
      bestCost = cost;
    }
  }
  return best;
}

/** Requests that keeping `mask` needs, or Infinity when it cannot lead to exactly `lots`. */
function costOf(orders: readonly Standing[], mask: number, lots: number, minLots: number): number {
  let kept = 0;
  let cancels = 0;
  for (let index = 0; index < orders.length; index++) {
    if ((mask & (1 << index)) === 0) cancels++;
    else kept += orders[index]?.lots ?? 0;
  }
  if (kept > lots) return Number.POSITIVE_INFINITY;
  const missing = lots - kept;
  if (missing === 0) return cancels;
  return missing >= minLots || mask === 0 ? cancels + 1 : Number.POSITIVE_INFINITY;
}

/** Lower bits are older orders: the mask that keeps the first one in which they differ is the better. */
function isOlder(mask: number, than: number): boolean {
  const differ = mask ^ than;
  return (mask & differ & -differ) !== 0;
}

function greedyKeep(orders: readonly Standing[], lots: number, minLots: number): number {
  let kept = 0;
  let mask = 0;
  for (let index = 0; index < Math.min(orders.length, 31); index++) {
    const size = orders[index]?.lots ?? 0;
    const missing = lots - kept - size;
    if (missing < 0 || (missing > 0 && missing < minLots)) continue;
    kept += size;
    mask |= 1 << index;
  }
  return mask;
}
