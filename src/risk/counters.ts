/**
 * Counts over time: messages, sent values, fills, refusals, for the account and each strategy. Bounded by the limits
 * and by strategies × symbols × sides.
 */
import type { Instrument } from '../model/market/instrument.ts';
import type { RiskOptions, StrategyLimits } from './options.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** The last `max` times (Unix ms) in a ring. */
export class RecentTimes {
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number) {
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  get max(): number {
    return this.#times.length;
  }

  add(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }

  /** Binary search: the ring is sorted by time. */
  within(now: number, windowMs: number): number {
    const { length } = this.#times;
    const since = now - windowMs;
    let least = 0;
    let most = length;
    while (least < most) {
      const newest = Math.ceil((least + most) / 2);
      const oldestOfThem = this.#times[(this.#next - newest + length) % length] ?? 0;
      if (oldestOfThem > since) least = newest;
      else most = newest - 1;
    }
    return least;
  }
}

/** A sum over a window, which is up to one slot longer than its name. */
export class SlotSum {
  readonly #sums: Float64Array;
  readonly #slotMs: number;
  #slot = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number, slots: number) {
    this.#sums = new Float64Array(slots + 1);
    this.#slotMs = windowMs / slots;
  }

  add(now: number, value: number): void {
    this.#turn(now);
    const at = this.#slot % this.#sums.length;
    this.#sums[at] = (this.#sums[at] ?? 0) + value;
  }

  /** `start` plus all values of the window. */
  total(now: number, start = 0): number {
    this.#turn(now);
    let sum = start;
    for (const slot of this.#sums) sum += slot;
    return sum;
  }

  #turn(now: number): void {
    const slot = Math.floor(now / this.#slotMs);
    if (slot <= this.#slot) return;
    const from = Math.max(this.#slot + 1, slot - this.#sums.length + 1);
    for (let gone = from; gone <= slot; gone++) this.#sums[gone % this.#sums.length] = 0;
    this.#slot = slot;
  }
}

type Counted = Pick<StrategyLimits, 'messagesPerSecond' | 'messagesPerMinute' | 'repeatedExecutions' | 'rejectsInARow'>;

const FLOW_SLOTS = 60;

/** Of the account, or of a strategy. Null where no limit counts it. */
export class Activity {
  readonly second: RecentTimes | null;
  readonly minute: RecentTimes | null;
  /** Value of the orders sent. */
  readonly minuteValue = new SlotSum(MINUTE_MS, FLOW_SLOTS);
  readonly hourValue = new SlotSum(HOUR_MS, FLOW_SLOTS);
  fills: RecentTimes | null = null;
  /** In a row. */
  rejects = 0;
  readonly #fillsMax: number | undefined;
  readonly fillsWindowMs: number;
  readonly rejectsMax: number;

  constructor({ messagesPerSecond, messagesPerMinute, repeatedExecutions, rejectsInARow }: Counted) {
    this.second = messagesPerSecond === undefined ? null : new RecentTimes(messagesPerSecond);
    this.minute = messagesPerMinute === undefined ? null : new RecentTimes(messagesPerMinute);
    this.#fillsMax = repeatedExecutions?.count;
    this.fillsWindowMs = repeatedExecutions?.windowMs ?? 0;
    this.rejectsMax = rejectsInARow ?? Number.POSITIVE_INFINITY;
    this.enable();
  }

  sent(now: number, value: number): void {
    this.second?.add(now);
    this.minute?.add(now);
    if (value === 0) return;
    this.minuteValue.add(now, value);
    this.hourValue.add(now, value);
  }

  /** `fills`: Unix ms, oldest first. */
  restore(fills: readonly number[], rejects: number): void {
    for (const at of fills) this.fills?.add(at);
    this.rejects = rejects;
  }

  enable(): void {
    this.fills = this.#fillsMax === undefined ? null : new RecentTimes(this.#fillsMax);
    this.rejects = 0;
  }
}

export class Activities {
  readonly account: Activity;
  readonly #risk: RiskOptions;
  readonly #limits: ReadonlyMap<string, StrategyLimits>;
  readonly #strategies = new Map<string, Activity>();

  constructor(risk: RiskOptions, strategies: ReadonlyMap<string, StrategyLimits>) {
    this.account = new Activity(risk);
    this.#risk = risk;
    this.#limits = strategies;
  }

  of(strategy: string): Activity {
    let activity = this.#strategies.get(strategy);
    if (activity === undefined) {
      const own = this.#limits.get(strategy) ?? {};
      const repeatedExecutions = own.repeatedExecutions ?? this.#risk.repeatedExecutions;
      const rejectsInARow = own.rejectsInARow ?? this.#risk.rejectsInARow;
      this.#strategies.set(strategy, (activity = new Activity({ ...own, repeatedExecutions, rejectsInARow })));
    }
    return activity;
  }
}

interface Streak {
  readonly code: string;
  /** The least refused quantity, of what was too small the greatest. */
  lots: number;
  count: number;
  /** Of the last refusal, Unix ms. */
  at: number;
}

interface Rejected {
  readonly strategy: string;
  readonly instrument: Pick<Instrument, 'symbol'>;
  readonly side: string;
  readonly exits: boolean;
}

const TOO_SMALL: ReadonlySet<string> = new Set(['below_minimum']);
const TOO_LARGE: ReadonlySet<string> = new Set(['above_maximum', 'insufficient_balance', 'reduce_only_violation']);

/**
 * Identical refusals in a row, by strategy, side and symbol. Exits are counted by themselves, and what is too small or too
 * large for the exchange says nothing of exits of another size.
 */
export class Refusals {
  readonly #streaks = new Map<string, Streak>();

  /** Undefined: fewer than `max` in a row, or the last one was `cooldownMs` ago. */
  blocking(
    order: Rejected & { readonly lots: number },
    max: number,
    cooldownMs: number,
    now: number,
  ): Streak | undefined {
    if (this.#streaks.size === 0) return undefined;
    const streak = this.#streaks.get(refusalKey(order));
    if (streak === undefined || streak.count < max || now >= streak.at + cooldownMs) return undefined;
    const isOther =
      (TOO_SMALL.has(streak.code) && order.lots > streak.lots) ||
      (TOO_LARGE.has(streak.code) && order.lots < streak.lots);
    return order.exits && isOther ? undefined : streak;
  }

  rejected(order: Rejected, lots: number, code: string, now: number): void {
    const key = refusalKey(order);
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.code !== code) {
      this.#streaks.set(key, { code, lots, count: 1, at: now });
      return;
    }
    streak.count++;
    streak.lots = TOO_SMALL.has(code) ? Math.max(streak.lots, lots) : Math.min(streak.lots, lots);
    streak.at = now;
  }

  /** Ends a streak only if the order was sent (Unix ms) after the last refusal. */
  accepted(order: Rejected, sentAt: number): void {
    if (this.#streaks.size === 0) return;
    const key = refusalKey(order);
    const streak = this.#streaks.get(key);
    if (streak !== undefined && sentAt >= streak.at) this.#streaks.delete(key);
  }
}

export function refusalKey({ strategy, side, instrument, exits }: Rejected): string {
  return `${strategy} ${side} ${instrument.symbol}${exits ? ', exits' : ''}`;
}
