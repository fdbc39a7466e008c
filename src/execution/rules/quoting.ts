/**
 * Plans the cancels and creates of one side of a quote, with the fewest requests. Pure.
 *
 * Per price, with standing orders s1…sn (sum S) and desired quantity Q:
 *   S = Q   nothing
 *   S < Q   one create of Q − S, if that is a valid order; else as below
 *   S > Q   keep the cheapest subset with a sum of at most Q; cancel the others, create the rest
 * A leg first adopts one standing order within `priceTicks` and `quantityFraction` of it.
 */

export interface Standing {
  readonly ticks: number;
  /** Resting or in flight. */
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

/** With more orders at one price, a greedy choice replaces the search of all subsets. */
const SUBSETS_MAX = 10;

/** `desired` has each price once. A remainder below `minLots(ticks)` needs a cancel and a new order. */
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

/** Nearest price first, then nearest quantity. */
function adopt<S extends Standing>(standing: readonly S[], desired: readonly DesiredLeg[], tolerance: Tolerance) {
  const orders = new Set<S>();
  const legs = new Set<DesiredLeg>();
  const { priceTicks, quantityFraction } = tolerance;
  if (priceTicks <= 0 && quantityFraction <= 0) return { orders, legs };
  const pairs = desired.flatMap((leg) =>
    standing.map((order) => ({
      order,
      leg,
      distance: Math.abs(order.ticks - leg.ticks),
      difference: Math.abs(order.lots - leg.lots),
    })),
  );
  pairs.sort((a, b) => a.distance - b.distance || a.difference - b.difference);
  for (const { order, leg, distance, difference } of pairs) {
    if (distance > priceTicks || difference > quantityFraction * leg.lots || orders.has(order) || legs.has(leg))
      continue;
    orders.add(order);
    legs.add(leg);
  }
  return { orders, legs };
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

/** Bit mask: fewest requests, then the oldest orders, for their queue places. */
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

/** In requests; Infinity when `mask` cannot lead to exactly `lots`. */
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

/** Lower bits are older orders. */
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
