/** Plans the next pass: back to the oldest live order or last read, and further while something is unexplained. */
import type { FundingPayment } from '../model/account.ts';
import type { Market } from '../model/instrument.ts';
import type { Reading } from '../model/result.ts';
import { FundingWindow } from './funding-window.ts';
import { HistoryReach } from './history-reach.ts';
import { isInDoubt, isOver, isUnproved } from './local-order.ts';
import { earliestOf } from './match.ts';
import type { Movements } from './movements.ts';
import type { ReconcilerPort } from './port.ts';
import { ReadMark } from './read-mark.ts';
import type { AccountReadings, ReadingPlan } from './readings.ts';

/** ms beyond what must be covered. */
const OVERLAP_MS = 120_000;
const SKEW_MIN_MS = 2_000;
/** Largest date error of a trade by a lagging exchange clock, ms. */
const MISDATED_MS_MAX = 3 * 3_600_000;
/** ms; fills during a long read prevent judgement. */
const MISDATED_EVERY_MS = 60_000;

export interface ReadingPlannerOptions {
  /** Default: those of the instruments. */
  readonly markets?: readonly Market[];
  /** ± ms. */
  readonly clockDoubtMs?: () => number;
}

export class ReadingPlanner {
  readonly #port: ReconcilerPort;
  readonly #options: ReadingPlannerOptions;
  readonly #movements: Movements;
  readonly #fundingWindow: FundingWindow;
  readonly #mark: ReadMark;
  readonly #traded = new Set<Market>();
  readonly #reach = new HistoryReach();
  readonly #tradesReach = new HistoryReach(MISDATED_MS_MAX);
  /** Unix ms, and extra ms. */
  #misdatedRead = { at: 0, moreMs: 0 };
  /** Widest measured skew, ms. */
  #widestMs = 0;
  /** Unix ms; 0: the next pass has the history. */
  #sweptAt = 0;

  constructor(port: ReconcilerPort, options: ReadingPlannerOptions, movements: Movements) {
    this.#port = port;
    this.#options = options;
    this.#movements = movements;
    this.#fundingWindow = new FundingWindow(port);
    this.#mark = new ReadMark(port);
  }

  /** ± ms. */
  get skewMs(): number {
    return Math.max(SKEW_MIN_MS, this.#options.clockDoubtMs?.() ?? 0);
  }

  get isSweepDue(): boolean {
    const { clock, options } = this.#port.deps;
    return clock.now() - this.#sweptAt >= options.reconcile.sweepIntervalMs;
  }

  sweepNext(): void {
    this.#sweptAt = 0;
  }

  next(wantsHistory: boolean): ReadingPlan {
    const { deps } = this.#port;
    const local = this.#port.liveOrders();
    const pending = local.filter((order) => !isOver(order) || order.missesFills);
    const oldest = pending.reduce(
      (least, order) => (order.sentAt > 0 ? Math.min(least, earliestOf(order)) : least),
      Number.POSITIVE_INFINITY,
    );
    const misdatedMs = this.#misdatedMs();
    const isSweep = wantsHistory || local.some(isInDoubt);
    const seenTo = this.#mark.trades(deps.clock.now());
    const back = Math.min(oldest, seenTo) - OVERLAP_MS - this.skewMs - misdatedMs;
    if (!local.some(isUnproved)) this.#reach.reset();
    this.#widestMs = Math.max(this.#widestMs, this.skewMs);
    return {
      markets: this.#markets(),
      wantsHistory: isSweep,
      historyFrom: back - this.#reach.moreMs,
      tradesFrom: back,
      misdatedMs,
      fundingFrom: this.#fundingWindow.from(deps.clock.now(), isSweep, this.#widestMs),
      movementsFrom: this.#movements.from,
      holdsMoney: () => this.#port.holdsMoney(),
    };
  }

  begin(): void {
    this.#mark.begin(this.#port.deps.clock.now(), this.#fundingWindow.seenTo);
  }

  /** `tradesTo`, Unix ms: all earlier trades are booked. */
  completed({ active, positions }: AccountReadings, { wantsHistory, misdatedMs }: ReadingPlan, tradesTo: number): void {
    this.#mark.read(tradesTo, positions === undefined ? tradesTo : this.#fundingWindow.seenTo);
    if (wantsHistory) this.#sweptAt = active.asOf;
    if (misdatedMs > 0) this.#misdatedRead = { at: active.asOf, moreMs: misdatedMs };
  }

  tookFunding(reading: Reading<FundingPayment> | undefined): void {
    this.#fundingWindow.read(reading);
  }

  orderMissing(): void {
    this.#reach.further();
  }

  tradesMissing(areMissing: boolean): void {
    if (areMissing) this.#tradesReach.further();
    else this.#tradesReach.reset();
  }

  trades(symbol: string): void {
    const market = this.#port.deps.instruments.find(symbol)?.market;
    if (market !== undefined) this.#traded.add(market);
  }

  #markets(): readonly Market[] {
    const { markets = this.#port.deps.instruments.all().map(({ market }) => market) } = this.#options;
    return [...new Set([...markets, ...this.#traded])];
  }

  #misdatedMs(): number {
    const { moreMs } = this.#tradesReach;
    const { at, moreMs: readMs } = this.#misdatedRead;
    return moreMs <= readMs && this.#port.deps.clock.now() - at < MISDATED_EVERY_MS ? 0 : moreMs;
  }
}
