/** Equity of the trading account at mids: now, at the first valuation of the UTC day, and at its peak. */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { RiskMarkEntry } from '../../model/entries/risk-entries.ts';
import { utcDay } from '../../model/time.ts';
import type { Balances } from '../../spine/balances.ts';
import { accountPositions } from '../../spine/account-positions.ts';
import type { HeldPosition } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { unexplainedInflow } from './unexplained-inflow.ts';
import type { Valuation } from './valuation.ts';

/** A limit on equity need not follow every quote. */
const EQUITY_FRESH_MS = 1_000;
export const DAY_MS = 86_400_000;
/** Time steps of remembered peaks, which separate a late flow from a gain. */
const STEP_MS = 5_000;
const STEPS_MAX = 400;
/** The balance may show a flow this long before its report. */
const SEEN_LATE_MS = 30_000;
/** Time after the first valuation in which a first price is awaited. */
const PRICED_WITHIN_MS = 30_000;
/** Relative growth after which a peak is journalled again. */
const PEAK_STEP = 0.001;
export const PEAK_MARK = 'equity-peak';
/** Inflow since. Loss limits are fractions of the equity without it. */
const PEAK_INFLOW_MARK = 'equity-peak-inflow';
const DAY_INFLOW_MARK = 'equity-day-inflow';
const LOST_BEFORE_MARK = 'equity-day-lost-before';
/** Names of assets without a price at the start of the day. */
const DAY_WITHOUT_MARK = 'equity-day-without';

/** Loss of an earlier session on that UTC day (negative: gain). */
export function lostBeforeRow(day: string, amount: number): RiskMarkEntry {
  return { kind: 'risk-mark', name: LOST_BEFORE_MARK, value: `${day} ${amount}` };
}

export interface EquityDeps {
  readonly state: StateView;
  readonly balances: Balances;
  readonly instruments: Instruments;
  readonly valuation: Valuation;
  /** A UTC day begins with this equity, or has grown by `priced`, the value of an asset with its first price. */
  readonly onDay: (day: string, equity: number, priced?: number) => void;
  readonly mark: (name: string, value: string) => void;
  /** Whether the peak is kept. */
  readonly hasPeak: (now: number) => boolean;
}

export class AccountEquity {
  readonly #deps: EquityDeps;
  readonly #find = (symbol: string): Instrument | undefined => this.#deps.instruments.find(symbol);
  #equity = Number.NaN;
  #equityAt = Number.NEGATIVE_INFINITY;
  #version = -1;
  #day = -1;
  #dayEquity = Number.NaN;
  /** Unix ms of the day's first valuation. */
  #dayAt = Number.NEGATIVE_INFINITY;
  #dayInflow = 0;
  /** Money in the balances that no valuation counts before it is recognised (`unexplained-inflow.ts`). */
  #inflow = 0;
  /** The part of it that was there as the day began. */
  #inflowBefore = 0;
  #wasNothing = false;
  /** Held assets without a price, missing in the equity. */
  #unpriced = new Set<string>();
  /** Those that are missing in the day's first equity. */
  #dayWithout = new Set<string>();
  /** Value of assets that got their first price in this valuation. */
  #found = 0;
  /** An unpriced asset may have a negative value. */
  #mayBeLess = false;
  #firstAt = Number.NaN;
  /** An earlier process began the day. What it had priced may have no price here yet, which is no loss. */
  #isTakenOver = false;
  #peak = Number.NaN;
  #peakInflow = 0;
  /** Peaks before each raise; oldest first. */
  readonly #steps: { readonly at: number; before: number }[] = [];
  #raisesFrom = Number.NEGATIVE_INFINITY;

  constructor(deps: EquityDeps) {
    this.#deps = deps;
  }

  /**
   * True after a restart, until assets that an earlier process had priced have a price again. The loss is unknown then.
   */
  get isTakenOver(): boolean {
    return this.#isTakenOver;
  }

  /** NaN before the first valuation. */
  get dayStart(): number {
    return this.#dayEquity;
  }

  /** Base of the day's loss limit: inflow does not widen it, unless the day began without equity. */
  get dayBase(): number {
    return baseOf(this.#dayEquity, this.#dayInflow);
  }

  /** By the last valuation. Negative: gain; undefined before the first. */
  get lossOfDay(): { readonly day: string; readonly amount: number } | undefined {
    const amount = this.#dayEquity - this.#equity;
    return this.#isTakenOver || Number.isNaN(amount) ? undefined : { day: utcDay(this.#day * DAY_MS), amount };
  }

  get peak(): number {
    return this.#peak;
  }

  get peakBase(): number {
    return baseOf(this.#peak, this.#peakInflow);
  }

  /** `value` arrived (+) or left (−) without a trade. No balance before `at` (Unix ms) shows it. */
  flowed(value: number, at: number): void {
    const { mark, onDay } = this.#deps;
    const counted = this.#countInflow(value);
    const isOfDay = at >= this.#dayAt;
    const before = isOfDay ? 0 : Math.min(Math.max(0, value), this.#inflowBefore);
    this.#inflowBefore -= before;
    if (!Number.isNaN(this.#dayEquity) && (isOfDay || before > 0)) {
      this.#dayEquity += isOfDay ? value : before;
      onDay(utcDay(this.#day * DAY_MS), this.#dayEquity);
      if (isOfDay) this.#dayInflow += Math.max(0, value);
      if (isOfDay && value > 0) mark(DAY_INFLOW_MARK, `${this.#day} ${this.#dayInflow}`);
    }
    if (Number.isNaN(this.#peak)) return;
    // A peak since the flow contains what was counted already.
    const shifted = this.#peakBefore(at - SEEN_LATE_MS) + value;
    this.#peak = value > 0 ? Math.max(this.#peak + counted, shifted) : this.#peak + value;
    this.#peakInflow += Math.max(0, value);
    for (const step of this.#steps) step.before = Math.min(this.#peak, step.before + value);
    // Until the balance shows the outflow, no equity is a new peak.
    if (value < 0) this.#raisesFrom = Math.max(this.#raisesFrom, at + SEEN_LATE_MS);
    mark(PEAK_MARK, String(this.#peak));
    mark(PEAK_INFLOW_MARK, String(this.#peakInflow));
  }

  /** From now on it is equity. Returns how much was none before. */
  #countInflow(value: number): number {
    const counted = Math.min(Math.max(0, value), this.#inflow);
    this.#inflow -= counted;
    this.#equity += counted;
    this.#version = -1;
    return counted;
  }

  restore(): void {
    const { day, marks } = this.#deps.state;
    this.#peak = Number(marks.get(PEAK_MARK) ?? Number.NaN);
    this.#peakInflow = Number(marks.get(PEAK_INFLOW_MARK) ?? 0);
    if (day === undefined) return;
    this.#day = Math.floor(Date.parse(day.day) / DAY_MS);
    const [withoutDay, ...without] = (marks.get(DAY_WITHOUT_MARK) ?? '').split(' ');
    this.#isTakenOver = withoutDay === String(this.#day);
    if (this.#isTakenOver) this.#dayWithout = new Set(without);
    this.#dayEquity = Number(day.equity);
    this.#dayAt = this.#day * DAY_MS;
    const [inflowDay, inflow] = (marks.get(DAY_INFLOW_MARK) ?? '').split(' ');
    this.#dayInflow = inflowDay === String(this.#day) ? Number(inflow) : 0;
  }

  /** Unix ms: without a valuation until then no peak, first price or beginning of a day is missed. */
  dueAt(now: number): number {
    const isWhole = this.#unpriced.size === 0 && this.#dayWithout.size === 0 && !this.#isTakenOver;
    if (!isWhole || this.#deps.hasPeak(now) || this.#day !== Math.floor(now / DAY_MS)) return now;
    return (this.#day + 1) * DAY_MS;
  }

  /** NaN while the balances are unknown. */
  at(now: number): number {
    const { balances, hasPeak } = this.#deps;
    if (!balances.known) return Number.NaN;
    if (this.#version === balances.version && now - this.#equityAt < EQUITY_FRESH_MS) return this.#equity;
    const equity = this.#sum();
    if (Number.isNaN(this.#firstAt)) this.#firstAt = now;
    this.#isTakenOver &&= this.#awaitsSome(now);
    this.#equity = equity;
    this.#equityAt = now;
    this.#version = balances.version;
    this.#beginDay(now, equity);
    if (hasPeak(now)) this.#raisePeak(equity, now);
    return equity;
  }

  /** Whether the day's first equity awaits a price. */
  #awaitsSome(now: number): boolean {
    if (Math.floor(now / DAY_MS) !== this.#day || !this.awaitsPrices(now)) return false;
    return [...this.#unpriced].some((name) => !this.#dayWithout.has(name));
  }

  awaitsPrices(now: number): boolean {
    return !(now - this.#firstAt >= PRICED_WITHIN_MS);
  }

  /** Open profit in the quote currency, by the last mid; NaN before the first. */
  unrealized({ instrument, lots, costValue }: Pick<HeldPosition, 'instrument' | 'lots' | 'costValue'>): number {
    const { symbol, contractValue } = instrument;
    return this.#deps.valuation.mid(symbol) * instrument.quantityOf(1) * contractValue * lots - costValue;
  }

  #sum(): number {
    const { balances, valuation, state } = this.#deps;
    let equity = 0;
    this.#found = 0;
    // Clearing an empty set allocates a new table.
    if (this.#unpriced.size > 0) this.#unpriced.clear();
    this.#mayBeLess = false;
    for (const { balance, total } of balances.all()) {
      if (total === 0) continue;
      const value = total * valuation.rate(balance.currency);
      if (this.#isPriced(balance.currency, value, total < 0)) equity += value;
    }
    for (const { instrument, positionSide, quantity, cost } of accountPositions(state, this.#find)) {
      const lots = instrument.lotsAsNumber(quantity);
      const costValue = cost.toNumber() * instrument.contractValue;
      const value = this.unrealized({ instrument, lots, costValue }) * valuation.rate(instrument.settle);
      const isPlain = !Number.isNaN(value) && this.#dayWithout.size === 0;
      if (isPlain || this.#isPriced(`${instrument.symbol}/${positionSide}`, value, true)) equity += value;
    }
    if (this.#found !== 0) this.#dayGrew(this.#found);
    this.#inflow = unexplainedInflow(this.#deps, this.#find);
    return equity - this.#inflow;
  }

  /** `isLess`: its value may be negative. */
  #isPriced(name: string, value: number, isLess: boolean): boolean {
    if (Number.isNaN(value)) {
      this.#unpriced.add(name);
      this.#mayBeLess ||= isLess;
      return false;
    }
    if (this.#dayWithout.size > 0 && this.#dayWithout.delete(name)) this.#found += value;
    return true;
  }

  #markWithout(): void {
    this.#deps.mark(DAY_WITHOUT_MARK, [this.#day, ...this.#dayWithout].join(' '));
  }

  #dayGrew(value: number): void {
    this.#dayEquity += value;
    this.#deps.onDay(utcDay(this.#day * DAY_MS), this.#dayEquity, value);
    this.#markWithout();
  }

  /** The peak before `at`, or the oldest remembered one. */
  #peakBefore(at: number): number {
    const step = this.#steps.find((other) => other.at >= at);
    return step === undefined ? this.#peak : step.before;
  }

  #beginDay(now: number, equity: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.#day) return;
    // No fraction of nothing can be lost, so the day begins with the first known equity.
    if (equity === 0 || (equity < 0 && this.#unpriced.size > 0)) {
      this.#wasNothing = true;
      return;
    }
    this.#day = day;
    this.#dayEquity = equity + this.#lostBefore(utcDay(now));
    // The first inflow may be reported later than it shows here.
    this.#dayAt = this.#wasNothing ? now + SEEN_LATE_MS : now;
    this.#wasNothing = false;
    this.#dayInflow = 0;
    this.#inflowBefore = this.#inflow;
    this.#dayWithout = new Set(this.#unpriced);
    this.#deps.onDay(utcDay(now), this.#dayEquity);
    this.#markWithout();
  }

  #lostBefore(day: string): number {
    const [lostOn, amount] = (this.#deps.state.marks.get(LOST_BEFORE_MARK) ?? '').split(' ');
    return lostOn === day ? Number(amount) : 0;
  }

  #raisePeak(equity: number, now: number): void {
    if (this.#peak >= equity || now < this.#raisesFrom) return;
    // An unpriced loss would make a false peak.
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
    const reported = Number(this.#deps.state.marks.get(PEAK_MARK) ?? Number.NaN);
    if (!(equity < reported * (1 + PEAK_STEP))) this.#deps.mark(PEAK_MARK, String(equity));
  }
}

/** Without the inflow, if anything is left. */
function baseOf(equity: number, inflow: number): number {
  return equity > inflow ? equity - inflow : equity;
}
