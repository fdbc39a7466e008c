/** Plays a reference beside what tidewire did: its children, their cancels, and the end. One sentence a difference. */
import {
  type Child,
  Desk,
  Differs,
  ENTRY_US,
  type PlayedProgram,
  type Reference,
  RESPONSE_US,
  textOf,
  TOLERANCE_US,
} from './desk.ts';
import type { ViewStep } from './view.ts';

const ROUND_US = ENTRY_US + RESPONSE_US;

interface Due {
  readonly us: number;
  /** News of children before timers. */
  readonly rank: number;
  /** Of a fill: before those of the same instant that came later. */
  readonly place?: number;
  /** News of one event of the exchange are heard at once. */
  readonly batch?: string;
  readonly apply?: () => void;
}

export function judge(
  symbol: string,
  make: () => Reference,
  played: PlayedProgram,
  view: readonly ViewStep[],
  cancelUs: number,
  expireUs: number,
): readonly string[] {
  const found: string[] = [];
  let queue: Due[] = [];
  const desk = new Desk(
    symbol,
    played,
    (us) => void queue.push({ us, rank: 1 }),
    (child) => void queue.push(...newsOf(child, found)),
  );
  let at = firstAfter(view, played.startedUs);
  for (const step of view.slice(0, at)) see(desk, step);
  // A trigger is judged on events of its source since the start.
  for (const [name, { bid, ask }] of desk.touches) desk.touches.set(name, { bid, ask, last: null });
  desk.nowUs = played.startedUs;
  try {
    const reference = make();
    queue.push({ us: expireUs, rank: 1, apply: () => void (desk.barred = reference.isEntry ?? (() => true)) });
    reference.act(desk, { kind: 'start' });
    while (desk.ended === undefined) {
      const due = queue.toSorted((a, b) => a.us - b.us || a.rank - b.rank || (a.place ?? 0) - (b.place ?? 0))[0];
      const step = view[at];
      const next = Math.min(due?.us ?? Infinity, step?.us ?? Infinity);
      if (next >= cancelUs || next === Infinity) break;
      desk.nowUs = next;
      if (due !== undefined && due.us <= (step?.us ?? Infinity)) {
        const now = queue.filter(({ us, rank, batch }) => us === due.us && rank === due.rank && batch === due.batch);
        queue = queue.filter((other) => !now.includes(other));
        for (const { apply } of now) apply?.();
        reference.act(desk, { kind: due.rank === 0 ? 'child' : 'timer' });
      } else if (step !== undefined) {
        at += 1;
        see(desk, step);
        reference.act(desk, { kind: 'market', step });
      }
      if (desk.barred !== undefined) expire(desk, desk.barred);
    }
    if (desk.ended === undefined) {
      desk.nowUs = cancelUs;
      withdraw(desk);
    }
  } catch (error) {
    if (!(error instanceof Differs)) throw error;
    return [...found, error.message];
  }
  compareEnd(desk, played, found);
  return found;
}

function withdraw(desk: Desk): void {
  for (const child of desk.open()) desk.cancel(child);
  desk.end('canceled');
}

/** Entries go; the end comes when nothing is held. */
function expire(desk: Desk, isEntry: (leg: string) => boolean): void {
  if (desk.ended !== undefined) return;
  for (const child of desk.open()) if (isEntry(child.wish.leg ?? '')) desk.cancel(child);
  const holds = !isEntry('') && desk.filled('buy') !== desk.filled('sell');
  if (!holds) withdraw(desk);
}

/** First index of a step later than `us`. */
function firstAfter(view: readonly ViewStep[], us: number): number {
  let [low, high] = [0, view.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((view[middle]?.us ?? 0) <= us) low = middle + 1;
    else high = middle;
  }
  return low;
}

function see(desk: Desk, { symbol, bid, ask, print }: ViewStep): void {
  if (bid === null || ask === null) return;
  const last = print?.price ?? desk.touches.get(symbol)?.last ?? null;
  desk.touches.set(symbol, { bid, ask, last });
}

/** What a program learns of a child, and when. */
function newsOf(child: Child, found: string[]): readonly Due[] {
  const { ref, state, createdUs, updatedUs, fills } = child.played;
  const lastMs = fills.at(-1)?.us;
  const accepted: Due = { us: createdUs + ROUND_US, rank: 0, batch: `${ref} taken` };
  const news = fills.map(({ place, us, price, quantity, isTaker }, index): Due => {
    // An order that others of the account had to make room for left later.
    const isAtOnce = isTaker && Math.abs(us - createdUs - ENTRY_US) < 1000;
    const learnt = isAtOnce ? createdUs + ROUND_US : us + RESPONSE_US;
    return {
      us: state === 'filled' && us === lastMs ? updatedUs : learnt,
      rank: 0,
      place,
      batch: isTaker ? `${ref} taken` : `${ref} ${index}`,
      apply: () => {
        child.filled += quantity;
        child.value += quantity * price;
        if (child.filled >= child.wish.quantity) child.isOpen = false;
      },
    };
  });
  if (state !== 'canceled' && state !== 'expired') return [accepted, ...news];
  const close = (): void => {
    child.isOpen = false;
    if (state === 'canceled' && child.cancelUs === undefined)
      found.push(`${textOf(child.played)} is cancelled at ${updatedUs}`);
  };
  return [accepted, ...news, { us: updatedUs, rank: 0, place: Infinity, batch: `${ref} closed`, apply: close }];
}

function compareEnd(desk: Desk, played: PlayedProgram, found: string[]): void {
  const { ended } = desk;
  if (ended === undefined) return;
  for (const child of desk.unbound) found.push(`unexpected ${textOf(child)}`);
  for (const { cancelUs, played: order } of desk.children) {
    if (cancelUs === undefined) {
      if (order.state === 'canceled') found.push(`${textOf(order)} is cancelled at ${order.updatedUs}`);
    } else if (order.state === 'canceled' && Math.abs(order.updatedUs - ROUND_US - cancelUs) > TOLERANCE_US) {
      found.push(`${textOf(order)}: cancel at ${cancelUs}, tidewire at ${order.updatedUs - ROUND_US}`);
    } else if (order.state === 'filled' && order.updatedUs > cancelUs + ROUND_US + TOLERANCE_US) {
      found.push(`${textOf(order)}: cancel at ${cancelUs}, tidewire let it fill at ${order.updatedUs}`);
    }
  }
  if (ended.state !== played.state)
    found.push(`ends ${ended.state}, tidewire ${played.state} (${played.reason ?? ''})`);
  else if (Math.abs((played.endedUs ?? Infinity) - ended.us) > ROUND_US + TOLERANCE_US)
    found.push(`ends at ${ended.us}, tidewire at ${played.endedUs ?? 'no time'}`);
  if (ended.reason !== undefined && ended.reason !== played.reason)
    found.push(`ends for ${ended.reason}, tidewire for ${played.reason ?? 'nothing'}`);
}
