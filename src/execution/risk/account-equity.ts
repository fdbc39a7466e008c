/**
 * Equity of the trading account by mids, with its value at the first valuation of the UTC day and its highest of the
 * session. An estimate that only ever decides between sending and not sending. Day and peak are journalled, so that a
 * restart neither begins a new day nor forgets a peak.
 */
import type { Instrument } from '../../model/instrument.ts';
import type { MarketReader } from '../../model/ports.ts';
import type { Balances } from '../balances.ts';
import type { TradingState } from '../trading-state.ts';
import { utcDay } from './daily-loss.ts';
import type { Valuation } from './valuation.ts';

/** Equity moves with every quote; a limit on it does not need to. */
const EQUITY_FRESH_MS = 1_000;
const DAY_MS = 86_400_000;
/** A peak is journalled again when it has grown by this part of itself. */
const PEAK_STEP = 0.001;
export const PEAK_MARK = 'equity-peak';

export interface EquityDeps {
  readonly state: TradingState;
  readonly balances: Balances;
  readonly valuation: Valuation;
  readonly market: MarketReader;
  /** A new UTC day begins with this equity. */
  readonly onDay: (day: string, equity: number) => void;
  readonly mark: (name: string, value: string) => void;
}

export class AccountEquity {
  readonly #deps: EquityDeps;
  readonly #hasPeak: boolean;
  #equity = Number.NaN;
  #equityAt = Number.NEGATIVE_INFINITY;
  #version = -1;
  #day = -1;
  #dayEquity = Number.NaN;
  #peak = Number.NaN;

  /** The peak is only kept, and journalled, where a limit needs it. */
  constructor(deps: EquityDeps, hasPeak: boolean) {
    this.#deps = deps;
    this.#hasPeak = hasPeak;
  }

  /** Equity at the first valuation of the UTC day; NaN before. */
  get dayStart(): number {
    return this.#dayEquity;
  }

  /** Highest of the session; NaN before the first valuation. */
  get peak(): number {
    return this.#peak;
  }

  /** Takes over day and peak of a restored journal. */
  restore(): void {
    const { day, marks } = this.#deps.state;
    this.#peak = Number(marks.get(PEAK_MARK) ?? Number.NaN);
    if (day === undefined) return;
    this.#day = Math.floor(Date.parse(day.day) / DAY_MS);
    this.#dayEquity = Number(day.equity);
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
    this.#beginDay(now, equity);
    if (this.#hasPeak) this.#raisePeak(equity);
    return equity;
  }

  /** Open profit of a position in its quote currency; 0 without a price. */
  unrealized(instrument: Instrument, lots: number, cost: number): number {
    const mid = this.#deps.market.mid(instrument.symbol);
    return mid === undefined ? 0 : mid * instrument.quantityOf(1) * instrument.contractValue * lots - cost;
  }

  #sum(): number {
    const { balances, valuation, state } = this.#deps;
    let equity = 0;
    for (const { balance, total } of balances.all()) {
      const rate = valuation.rate(balance.currency);
      if (total !== 0 && !Number.isNaN(rate)) equity += total * rate;
    }
    for (const held of state.positions.all()) {
      if (held.instrument.market !== 'derivative' || held.lots === 0) continue;
      const open = this.unrealized(held.instrument, held.lots, held.costValue);
      const value = open * valuation.rate(held.instrument.settle);
      if (!Number.isNaN(value)) equity += value;
    }
    return equity;
  }

  #beginDay(now: number, equity: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.#day) return;
    this.#day = day;
    this.#dayEquity = equity;
    this.#deps.onDay(utcDay(now), equity);
  }

  #raisePeak(equity: number): void {
    if (this.#peak >= equity) return;
    this.#peak = equity;
    const told = Number(this.#deps.state.marks.get(PEAK_MARK) ?? Number.NaN);
    if (!(equity < told * (1 + PEAK_STEP))) this.#deps.mark(PEAK_MARK, String(equity));
  }
}
