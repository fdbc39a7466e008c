/** Marks own trading at a simulated venue to market. */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { type Decimal, ZERO } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import { msOf } from '../../model/time.ts';
import type { Grant } from '../../simulation/venue/observer.ts';
import type { AccountTotals, VenueObserver } from '../../simulation/venue/observer.ts';
import { Amounts } from './amounts.ts';
import type { SideFunding } from '../paper-venue/venue-records.ts';
import type { RunRecorder } from './run-recorder.ts';

export interface WatchOptions {
  readonly recorder: RunRecorder;
  readonly fromMs: number;
  readonly account: () => AccountTotals;
  /** Paid for the account so far (rule A3). */
  readonly insured: (currency: string) => Decimal;
  readonly onGrant?: (grant: Grant) => void;
  readonly onFunding?: (payment: SideFunding) => void;
}

export class VenueWatch implements VenueObserver {
  readonly #options: WatchOptions;
  readonly #insured = new Map<string, Decimal>();
  readonly #settling = new Set<string>();
  #movedMs: number;
  #lastMs: number;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#movedMs = options.fromMs;
    this.#lastMs = options.fromMs;
    options.recorder.begin(options.fromMs, options.account);
  }

  mid(instrument: Instrument, halfTicks: number, us: number): void {
    const mid = (halfTicks * instrument.tick) / 2;
    this.#options.recorder.mark(this.#at(msOf(us)), instrument.symbol, mid);
  }

  marked(instrument: Instrument, price: number, us: number): void {
    this.#bear();
    this.#options.recorder.equity.price(this.#at(msOf(us)), instrument.symbol, price);
  }

  filled(fill: VenueFill, queueAhead: number | null): void {
    const { recorder } = this.#options;
    recorder.venueFilled(fill.symbol, fill.tradeId, fill.ts, queueAhead);
    recorder.traded(fill);
    this.#movedMs = fill.ts;
    if (fill.market === 'derivative') this.#settling.add(fill.feeCurrency);
  }

  together(isOn: boolean): void {
    this.#options.recorder.equity.together(isOn);
  }

  granted(grant: Grant): void {
    this.#options.onGrant?.(grant);
    const amounts = new Amounts();
    amounts.add(grant.currency, grant.amount);
    this.#options.recorder.equity.hold(amounts);
  }

  funded(instrument: Instrument, positionSide: PositionSide, amount: string, us: number): void {
    const { symbol, settle: currency } = instrument;
    this.#movedMs = msOf(us);
    this.#options.onFunding?.({ currency, amount, symbol, positionSide, ts: this.#movedMs });
    this.#options.recorder.funded(this.#at(this.#movedMs), currency, amount);
  }

  settled(): void {
    this.#bear();
    this.#options.recorder.equity.point(this.#at(this.#movedMs));
  }

  /** A loss beyond the margin is the venue's. */
  #bear(): void {
    const { recorder, insured } = this.#options;
    for (const currency of this.#settling) {
      const borne = insured(currency);
      const before = this.#insured.get(currency) ?? ZERO;
      if (borne.eq(before)) continue;
      recorder.equity.earn(currency, borne.minus(before));
      this.#insured.set(currency, borne);
    }
  }

  liquidated(fill: VenueFill, reason: string): void {
    this.#options.recorder.warn(`liquidation at ${new Date(fill.ts).toISOString()}: ${reason}`);
  }
  end(atMs: number): void {
    this.#options.recorder.end(this.#at(atMs));
  }

  /** Whole ms; the curve never goes back. */
  #at(ms: number): number {
    this.#lastMs = Math.max(Math.floor(ms), this.#lastMs);
    return this.#lastMs;
  }
}
