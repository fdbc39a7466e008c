/**
 * Marks the account of a simulated venue to market as things happen there: mids, fills, grants, funding. The curve
 * begins at `fromMs` with the first point at which every start balance is in (or the first fill); base that is granted
 * later is a deposit, not a profit.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import { msOf } from '../model/time.ts';
import type { Grant } from '../simulation/start-grants.ts';
import type { AccountTotals, VenueObserver } from '../simulation/observer.ts';
import type { RunRecorder } from './run-recorder.ts';

export interface WatchOptions {
  readonly recorder: RunRecorder;
  readonly fromMs: number;
  /** Symbols whose start balances are still to come; the curve waits for them. */
  readonly awaited: ReadonlySet<string>;
  readonly account: () => AccountTotals;
  readonly onGrant?: (grant: Grant) => void;
  /** Signed amount of the settlement currency. */
  readonly onFunding?: (payment: Grant) => void;
}

export class VenueWatch implements VenueObserver {
  readonly #options: WatchOptions;
  readonly #awaited: Set<string>;
  #started = false;
  #lastMs = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#awaited = new Set(options.awaited);
    this.#lastMs = options.fromMs;
  }

  get started(): boolean {
    return this.#started;
  }

  mid(instrument: Instrument, halfTicks: number, us: number): void {
    const mid = (halfTicks * instrument.tick) / 2;
    this.#options.recorder.mark(this.#at(msOf(us)), instrument.symbol, mid);
    if (!this.#started && this.#awaited.size === 0) this.begin();
  }

  filled(
    fill: { readonly symbol: string; readonly tradeId: string; readonly ts: number },
    queueAhead: number | null,
  ): void {
    if (!this.#started) this.begin();
    this.#options.recorder.venueFilled(fill.symbol, fill.tradeId, fill.ts, queueAhead);
    this.#value(fill.ts);
  }

  granted(grant: Grant, us: number | null): void {
    this.#options.onGrant?.(grant);
    if (!this.#started || us === null) return;
    const { recorder } = this.#options;
    const before = recorder.equity;
    this.#value(msOf(us));
    recorder.flow(this.#lastMs, recorder.equity - before);
  }

  /** No profit and no loss: the curve is the trading account's. */
  transferred(us: number): void {
    if (!this.#started) return;
    const { recorder } = this.#options;
    const before = recorder.equity;
    this.#value(msOf(us));
    recorder.flow(this.#lastMs, recorder.equity - before);
  }

  opened(instrument: Instrument): void {
    this.#awaited.delete(instrument.symbol);
  }

  funded(instrument: Instrument, amount: string, us: number): void {
    this.#options.onFunding?.({ currency: instrument.settle, amount });
    this.#value(msOf(us));
    this.#options.recorder.funded(this.#lastMs, amount);
  }

  liquidated(fill: VenueFill, reason: string): void {
    this.#options.recorder.warn(`liquidation at ${new Date(fill.ts).toISOString()}: ${reason}`);
  }

  /** The first point of the curve, at the start of the period. */
  begin(): void {
    if (this.#started) return;
    this.#started = true;
    this.#options.recorder.begin(this.#options.fromMs, valuesOf(this.#options.account()));
  }

  /** The last point. */
  end(atMs: number): void {
    this.begin();
    this.#value(atMs);
    this.#options.recorder.end(atMs);
  }

  /** Whole milliseconds, as fills carry them, so that each fill has its point at its own time; the curve never goes back. */
  #at(ms: number): number {
    this.#lastMs = Math.max(Math.floor(ms), this.#lastMs);
    return this.#lastMs;
  }

  #value(atMs: number): void {
    this.#options.recorder.account(this.#at(atMs), valuesOf(this.#options.account()), true);
  }
}

function valuesOf({ totals, positions }: AccountTotals) {
  return {
    totals: new Map([...totals].map(([currency, total]) => [currency, Number(total)] as const)),
    positions: positions.map(({ symbol, quantity, entryPrice }) => ({
      symbol,
      quantity: Number(quantity),
      entryPrice: Number(entryPrice),
    })),
  };
}
