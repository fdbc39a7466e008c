/**
 * Equity of the trading account by mids, with its value at the first valuation of the UTC day that is not nothing, and its
 * highest of the session. An estimate that only ever decides between sending and not sending. Day and peak are journalled, so that a
 * restart neither begins a new day nor forgets a peak.
 */
import type { RiskMarkEntry } from '../../model/journal.ts';
import type { MarketReader } from '../../model/ports.ts';
import type { Balances } from '../../spine/balances.ts';
import type { HeldPosition } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { utcDay } from './daily-loss.ts';
import type { Valuation } from './valuation.ts';

/** Equity moves with every quote; a limit on it does not need to. */
const EQUITY_FRESH_MS = 1_000;
const DAY_MS = 86_400_000;
/** A highest equity is remembered with its time in steps of this, so that a flow seen late is told from a gain. */
const STEP_MS = 5_000;
const STEPS_MAX = 400;
/** A flow may have reached the balance this long before it was seen as one. */
const SEEN_LATE_MS = 30_000;
/** What has no price this long after the first valuation of a process may never get one. */
const PRICED_WITHIN_MS = 30_000;
/** A peak is journalled again when it has grown by this part of itself. */
const PEAK_STEP = 0.001;
export const PEAK_MARK = 'equity-peak';
/** What came in since: the limits are parts of an equity without it. */
const PEAK_INFLOW_MARK = 'equity-peak-inflow';
const DAY_INFLOW_MARK = 'equity-day-inflow';
const LOST_BEFORE_MARK = 'equity-day-lost-before';

/** What an earlier session has lost of that UTC day (below 0: gained): the day of this journal begins by so much higher. */
export function lostBeforeRow(day: string, amount: number): RiskMarkEntry {
  return { kind: 'risk-mark', name: LOST_BEFORE_MARK, value: `${day} ${amount}` };
}

export interface EquityDeps {
  readonly state: StateView;
  readonly balances: Balances;
  readonly valuation: Valuation;
  readonly market: MarketReader;
  /** A new UTC day begins with this equity; `priced`: so much of it had no price until now. */
  readonly onDay: (day: string, equity: number, priced?: number) => void;
  readonly mark: (name: string, value: string) => void;
}

export class AccountEquity {
  readonly #deps: EquityDeps;
  readonly #hasPeak: () => boolean;
  #equity = Number.NaN;
  #equityAt = Number.NEGATIVE_INFINITY;
  #version = -1;
  #day = -1;
  #dayEquity = Number.NaN;
  /** Unix ms of the valuation that the day began with. */
  #dayAt = Number.NEGATIVE_INFINITY;
  #dayInflow = 0;
  #wasNothing = false;
  /** What is held and has no price yet, or never will: its part of the equity is missing. */
  #unpriced = new Set<string>();
  /** Of these what the day began without: with its first price it belongs to the day from its beginning. */
  #dayWithout = new Set<string>();
  /** The worth of these that a valuation has found a price for. */
  #found = 0;
  /** Something of it may be worth less than nothing. */
  #mayBeLess = false;
  #firstAt = Number.NaN;
  /** The last mid of each symbol: a book that is lost for a moment is no profit and no loss. */
  readonly #mids = new Map<string, number>();
  #peak = Number.NaN;
  #peakInflow = 0;
  /** What the highest was before it was raised at a time; oldest first. */
  readonly #steps: { readonly at: number; before: number }[] = [];
  #raisesFrom = Number.NEGATIVE_INFINITY;

  /** The peak is only kept, and journalled, where a limit needs it by now. */
  constructor(deps: EquityDeps, hasPeak: () => boolean) {
    this.#deps = deps;
    this.#hasPeak = hasPeak;
  }

  /** Equity at the first valuation of the UTC day; NaN before. */
  get dayStart(): number {
    return this.#dayEquity;
  }

  /** What a limit on the loss of the day is a part of: what came in since widens none, but is all there is after nothing. */
  get dayBase(): number {
    return baseOf(this.#dayEquity, this.#dayInflow);
  }

  /** By the last valuation, below 0 what was gained; undefined before the first. */
  get lossOfDay(): { readonly day: string; readonly amount: number } | undefined {
    const amount = this.#dayEquity - this.#equity;
    return Number.isNaN(amount) ? undefined : { day: utcDay(this.#day * DAY_MS), amount };
  }

  /** Highest of the session; NaN before the first valuation. */
  get peak(): number {
    return this.#peak;
  }

  get peakBase(): number {
    return baseOf(this.#peak, this.#peakInflow);
  }

  /** `value` came (+) or went (-) without a trade, and no balance before `at` shows it. */
  flowed(value: number, at: number): void {
    const { mark, onDay } = this.#deps;
    if (!Number.isNaN(this.#dayEquity) && at >= this.#dayAt) {
      this.#dayEquity += value;
      onDay(utcDay(this.#day * DAY_MS), this.#dayEquity);
      this.#dayInflow += Math.max(0, value);
      if (value > 0) mark(DAY_INFLOW_MARK, `${this.#day} ${this.#dayInflow}`);
    }
    if (Number.isNaN(this.#peak)) return;
    // A peak since it came holds it already, one before it does not.
    const shifted = this.#peakBefore(at - SEEN_LATE_MS) + value;
    this.#peak = value > 0 ? Math.max(this.#peak, shifted) : this.#peak + value;
    this.#peakInflow += Math.max(0, value);
    for (const step of this.#steps) step.before = Math.min(this.#peak, step.before + value);
    // Until the balance shows that it is gone, an equity is no new highest.
    if (value < 0) this.#raisesFrom = Math.max(this.#raisesFrom, at + SEEN_LATE_MS);
    mark(PEAK_MARK, String(this.#peak));
    mark(PEAK_INFLOW_MARK, String(this.#peakInflow));
  }

  /** Takes over day and peak of a restored journal. */
  restore(): void {
    const { day, marks } = this.#deps.state;
    this.#peak = Number(marks.get(PEAK_MARK) ?? Number.NaN);
    this.#peakInflow = Number(marks.get(PEAK_INFLOW_MARK) ?? 0);
    if (day === undefined) return;
    this.#day = Math.floor(Date.parse(day.day) / DAY_MS);
    this.#dayEquity = Number(day.equity);
    this.#dayAt = this.#day * DAY_MS;
    const [inflowDay, inflow] = (marks.get(DAY_INFLOW_MARK) ?? '').split(' ');
    this.#dayInflow = inflowDay === String(this.#day) ? Number(inflow) : 0;
  }

  /** NaN while the balances are not known. */
  at(now: number): number {
    const { balances } = this.#deps;
    if (!balances.known) return Number.NaN;
    if (this.#version === balances.version && now - this.#equityAt < EQUITY_FRESH_MS) return this.#equity;
    const equity = this.#sum();
    this.#equity = equity;
    this.#equityAt = now;
    this.#version = balances.version;
    if (Number.isNaN(this.#firstAt)) this.#firstAt = now;
    this.#beginDay(now, equity);
    if (this.#hasPeak()) this.#raisePeak(equity, now);
    return equity;
  }

  /** True for a while after the first valuation: what has no price by then may never get one. */
  awaitsPrices(now: number): boolean {
    return !(now - this.#firstAt >= PRICED_WITHIN_MS);
  }

  /** Open profit of a position in its quote currency, at the last mid of its symbol; NaN before the first. */
  unrealized({ instrument, lots, costValue }: Pick<HeldPosition, 'instrument' | 'lots' | 'costValue'>): number {
    const { symbol, contractValue } = instrument;
    const mid = this.#deps.market.mid(symbol) ?? this.#mids.get(symbol);
    if (mid === undefined) return Number.NaN;
    this.#mids.set(symbol, mid);
    return mid * instrument.quantityOf(1) * contractValue * lots - costValue;
  }

  #sum(): number {
    const { balances, valuation, state } = this.#deps;
    let equity = 0;
    this.#found = 0;
    // Clearing an empty set makes a new table all the same.
    if (this.#unpriced.size > 0) this.#unpriced.clear();
    this.#mayBeLess = false;
    for (const { balance, total } of balances.all()) {
      if (total === 0) continue;
      const value = total * valuation.rate(balance.currency);
      if (this.#isPriced(balance.currency, value, total < 0)) equity += value;
    }
    for (const held of state.positions.all()) {
      const { instrument, lots, strategy, positionSide } = held;
      if (instrument.market !== 'derivative' || lots === 0) continue;
      const value = this.unrealized(held) * valuation.rate(instrument.settle);
      const isPlain = !Number.isNaN(value) && this.#dayWithout.size === 0;
      if (isPlain || this.#isPriced(`${strategy}/${instrument.symbol}/${positionSide}`, value, true)) equity += value;
    }
    if (this.#found !== 0) this.#dayGrew(this.#found);
    return equity;
  }

  /** `isLess`: it may be worth less than nothing. */
  #isPriced(name: string, value: number, isLess: boolean): boolean {
    if (Number.isNaN(value)) {
      this.#unpriced.add(name);
      this.#mayBeLess ||= isLess;
      return false;
    }
    if (this.#dayWithout.size > 0 && this.#dayWithout.delete(name)) this.#found += value;
    return true;
  }

  /** By what the day began with and could not value. */
  #dayGrew(value: number): void {
    this.#dayEquity += value;
    this.#deps.onDay(utcDay(this.#day * DAY_MS), this.#dayEquity, value);
  }

  /** The highest of before a time, or the oldest that is remembered. */
  #peakBefore(at: number): number {
    const step = this.#steps.find((other) => other.at >= at);
    return step === undefined ? this.#peak : step.before;
  }

  #beginDay(now: number, equity: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.#day) return;
    // Of nothing, as far as is known, no part can be lost: the day begins when there is something.
    if (equity === 0 || (equity < 0 && this.#unpriced.size > 0)) {
      this.#wasNothing = true;
      return;
    }
    this.#day = day;
    this.#dayEquity = equity + this.#lostBefore(utcDay(now));
    // What came in first may be recognised as a flow later than it is seen here.
    this.#dayAt = this.#wasNothing ? now + SEEN_LATE_MS : now;
    this.#wasNothing = false;
    this.#dayInflow = 0;
    this.#dayWithout = new Set(this.#unpriced);
    this.#deps.onDay(utcDay(now), this.#dayEquity);
  }

  #lostBefore(day: string): number {
    const [lostOn, amount] = (this.#deps.state.marks.get(LOST_BEFORE_MARK) ?? '').split(' ');
    return lostOn === day ? Number(amount) : 0;
  }

  #raisePeak(equity: number, now: number): void {
    if (this.#peak >= equity || now < this.#raisesFrom) return;
    // A loss that has no price yet would look like a highest that never was.
    if (this.#mayBeLess && this.awaitsPrices(now)) return;
    const last = this.#steps.at(-1);
    if (last === undefined || now - last.at >= STEP_MS) {
      this.#steps.push({ at: now, before: Number.isNaN(this.#peak) ? equity : this.#peak });
      if (this.#steps.length > STEPS_MAX) this.#steps.shift();
    }
    this.#peak = equity;
    if (this.#peakInflow !== 0) {
      this.#peakInflow = 0;
      this.#deps.mark(PEAK_INFLOW_MARK, '0');
    }
    const told = Number(this.#deps.state.marks.get(PEAK_MARK) ?? Number.NaN);
    if (!(equity < told * (1 + PEAK_STEP))) this.#deps.mark(PEAK_MARK, String(equity));
  }
}

/** Without what came in, where something is left of it. */
function baseOf(equity: number, inflow: number): number {
  return equity > inflow ? equity - inflow : equity;
}
