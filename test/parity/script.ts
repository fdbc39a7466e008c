/**
 * Random order scripts, the same for a seed: sides, prices about the touch, sizes from one unit to several levels, gtc
 * and ioc limits, market orders, cancels and replacements (a cancel and a new order at once).
 */
import type { Dataset } from './dataset.ts';
import type { BookStep } from './market.ts';
import type { PlaceStep, QueueRule, Rules, ScriptStep } from './rules.ts';

/** mulberry32. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Driver = 'session' | 'venue';

export interface Scripted {
  readonly driver: Driver;
  readonly rules: Rules;
  /** What tidewire is given in place of `rules`, where a disagreement is wanted. */
  readonly told?: Rules;
  readonly steps: readonly ScriptStep[];
}

const pick = <T>(random: () => number, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

const whole = (random: () => number, from: number, to: number): number => from + Math.floor(random() * (to - from + 1));

function queueOf(random: () => number): QueueRule {
  if (random() < 0.3) return { model: 'risk-averse' };
  const p = pick(random, ['share', 'total', 'complement'] as const);
  if (random() < 0.3) return { model: 'prob', f: 'log', n: 3, p };
  return { model: 'prob', f: 'power', n: pick(random, [1, 2, 3, 3, 3]), p };
}

function latencyOf(random: () => number, canDraw: boolean): Pick<Rules, 'latency' | 'entryUs' | 'responseUs'> {
  if (random() < 0.2 && canDraw) {
    const sigma = pick(random, [0.2, 0.5]);
    const latency = {
      model: 'lognormal',
      sigma,
      correlation: pick(random, [0, 0.8]),
      seed: whole(random, 1, 1e6),
    } as const;
    // Short medians: the answer is back before the first cancel of any script.
    return { latency, entryUs: pick(random, [5000, 20_000]), responseUs: 3000 };
  }
  return {
    latency: { model: 'constant' },
    entryUs: pick(random, [25_000, 25_000, 0, 1000, 5000, 137_000]),
    responseUs: pick(random, [25_000, 25_000, 0, 3000]),
  };
}

function rulesOf(random: () => number, driver: Driver, isPoor: boolean): Rules {
  const mode = random() < 0.3 ? 'hft' : 'default';
  const exchange = mode === 'hft' || random() < 0.2 ? 'no-partial-fill' : 'partial-fill';
  const netting = mode === 'hft' ? 0 : pick(random, [100_000, 100_000, 100_000, 0, 10_000, 1_000_000]);
  return {
    mode,
    exchange,
    queue: queueOf(random),
    nettingWindowUs: netting,
    // The cancel of a refused order is never sent: with drawn latencies that would shift all that follow.
    ...latencyOf(random, driver === 'venue' && !isPoor),
    maker: pick(random, ['0.0002', '0.0001', '0', '-0.0001']),
    taker: pick(random, ['0.0005', '0.001', '0']),
    quote: isPoor ? '50000' : '100000000',
    base: isPoor ? '0.5' : '5000',
  };
}

/** `fixed`: rules in place of drawn ones, and no script of a small account; `through`: a driver in place of a drawn one. */
export function scriptOf(dataset: Dataset, seed: number, ordersMax: number, fixed?: Rules, through?: Driver): Scripted {
  const random = chance(Math.imul(seed, 2654435761) ^ dataset.name.length);
  const driver = through ?? (random() < 0.5 ? 'session' : 'venue');
  const isPoor = fixed === undefined && driver === 'venue' && random() < 0.15;
  const rules = fixed ?? rulesOf(random, driver, isPoor && !dataset.recorded.isDerivative);
  const { usableUs, endUs } = dataset.market[rules.mode];
  // A strategy sees the first book a while after it stood: before, the executor denies orders.
  const fromMs = Math.ceil(usableUs / 1000) + (driver === 'session' ? 1000 : 10);
  // What is sent last is answered before the data ends.
  const toMs = Math.floor(endUs / 1000) - 500;
  // Some scripts crowd into a short while, so that their orders meet each other in queues.
  const length = random() < 0.4 ? Math.min(toMs - fromMs, 20_000) : toMs - fromMs;
  const start = fromMs + Math.floor(random() * (toMs - fromMs - length));
  const count = whole(random, 1, ordersMax);
  const times = Array.from({ length: count }, () => start + Math.floor(random() * length)).toSorted((a, b) => a - b);
  const drawn: ScriptStep[] = [];
  const placed: { readonly step: PlaceStep; readonly endMs: number }[] = [];
  const place = (ms: number, ref: string): void => {
    const step = orderOf(dataset, random, rules, ms, ref, placed.at(-1)?.step, isPoor);
    if (step === undefined || (driver === 'session' && placed.some((other) => isBarred(step, other)))) return;
    drawn.push(step);
    const life = 300 + Math.floor(random() ** 3 * 60_000);
    const endMs = random() < 0.7 ? ms + life : Infinity;
    placed.push({ step, endMs });
    if (endMs >= toMs || step.price === null || step.timeInForce === 'ioc') return;
    drawn.push({ kind: 'cancel', us: endMs * 1000, ref });
    if (random() < 0.3) replace.push({ ms: endMs, ref: `${ref}r` });
  };
  const replace: { readonly ms: number; readonly ref: string }[] = [];
  times.forEach((ms, index) => {
    for (const due of replace.splice(0)) {
      if (due.ms <= ms) place(due.ms, due.ref);
      else replace.push(due);
    }
    place(ms, `o${index}`);
  });
  return { driver, rules, steps: drawn.toSorted((a, b) => a.us - b.us) };
}

/**
 * Self-trade prevention and the control of duplicates belong to the executor: scripts that go through it leave it nothing
 * to do.
 */
function isBarred(
  { side, price, quantity, us }: PlaceStep,
  { step, endMs }: { readonly step: PlaceStep; readonly endMs: number },
): boolean {
  const isRecent = us <= step.us + 500_000;
  if (step.side === side) return isRecent && step.price === price && step.quantity === quantity;
  if (step.price === null || us / 1000 > endMs + 500 || (step.timeInForce === 'ioc' && !isRecent)) return false;
  return price === null || (side === 'buy' ? price >= step.price : price <= step.price);
}

function orderOf(
  dataset: Dataset,
  random: () => number,
  rules: Rules,
  ms: number,
  ref: string,
  before: PlaceStep | undefined,
  isPoor: boolean,
): PlaceStep | undefined {
  const us = ms * 1000;
  const touch = touchAt(dataset.touches, us + rules.entryUs);
  if (touch === undefined || touch.bid === null || touch.ask === null) return undefined;
  const side = random() < 0.5 ? 'buy' : 'sell';
  const sizeMost = dataset.sizeMost * (isPoor ? 0.1 : 1);
  const quantity = Math.max(1, Math.round(Math.exp(random() * Math.log(sizeMost))));
  const kind = random();
  const timeInForce = kind > 0.75 ? 'ioc' : 'gtc';
  if (kind < 0.1 && !isPoor) return { kind: 'place', us, ref, side, price: null, quantity, timeInForce: 'ioc' };
  const own = side === 'buy' ? touch.bid : touch.ask;
  const other = side === 'buy' ? touch.ask : touch.bid;
  const away = side === 'buy' ? -1 : 1;
  const where = random();
  let price = own;
  if (where < 0.15 && before !== undefined && before.price !== null && before.side === side) price = before.price;
  else if (where < 0.45) price = own;
  else if (where < 0.65) price = own + away * whole(random, 1, 10);
  else if (where < 0.75) price = own + away * whole(random, 1, 2000);
  else if (where < 0.85) price = other;
  else if (where < 0.93) price = other - away * whole(random, 1, 500);
  else price = own - away * whole(random, 1, 3);
  return { kind: 'place', us, ref, side, price, quantity, timeInForce };
}

/** The book as it was displayed at a time. */
export function touchAt(touches: readonly BookStep[], us: number): BookStep | undefined {
  let [low, high] = [0, touches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((touches[middle]?.us ?? 0) <= us) low = middle + 1;
    else high = middle;
  }
  return touches[low - 1];
}
