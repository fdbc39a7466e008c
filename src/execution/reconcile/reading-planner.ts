/**
 * What the next run of the reconciler reads, and from when on: as far back as the oldest order that is not over, or as what
 * was read last, with an overlap; further while something at the exchange is not explained; and now and then, or while
 * anything is in doubt, a sweep with the history. Used by the reconciler, which tells it what came of a run.
 */
import type { FundingPayment } from '../../model/account.ts';
import type { Market } from '../../model/instrument.ts';
import type { Reading } from '../../model/result.ts';
import { FundingWindow } from './funding-window.ts';
import { HistoryReach } from './history-reach.ts';
import { isInDoubt, isOver, isUnproved } from './local-order.ts';
import { earliestOf } from './match.ts';
import type { Movements } from './movements.ts';
import type { ReconcilerPort } from './port.ts';
import { ReadMark } from './read-mark.ts';
import type { AccountReadings, ReadingPlan } from './readings.ts';

/** How far back readings reach beyond what they must cover. */
const OVERLAP_MS = 120_000;
const SKEW_MIN_MS = 2_000;
/** A trade that is known to be missing is looked for this far back: an exchange whose clock is an hour behind dates it so. */
const MISDATED_MS_MAX = 3 * 3_600_000;
/** What was read once that far back is read again so often: while a long list is read, fills go on and nothing can be judged. */
const MISDATED_EVERY_MS = 60_000;

export interface ReadingPlannerOptions {
  /** Markets of the account that are read; default: those of the instruments. */
  readonly markets?: readonly Market[];
  /** The exchange's time lies within ± this of the local one, ms, as last measured. */
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
  /** The last complete run that read trades further back: at, Unix ms, and by how much more, ms. */
  #misdatedRead = { at: 0, moreMs: 0 };
  /** The furthest that the exchange's clock was ever measured from ours, ms. */
  #widestMs = 0;
  /** Unix ms of the last run with the history; 0: the next one has it. */
  #sweptAt = 0;

  constructor(port: ReconcilerPort, options: ReadingPlannerOptions, movements: Movements) {
    this.#port = port;
    this.#options = options;
    this.#movements = movements;
    this.#fundingWindow = new FundingWindow(port);
    this.#mark = new ReadMark(port);
  }

  /** ± ms within which the exchange's time lies of ours. */
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

  /** `wantsHistory`: whether or not an order asks for it. */
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

  /** A run that was planned begins, and may write. */
  begin(): void {
    this.#mark.begin(this.#port.deps.clock.now(), this.#fundingWindow.seenTo);
  }

  /** A run read everything. `tradesTo`, Unix ms: all trades before are booked. */
  completed({ active, positions }: AccountReadings, { wantsHistory, misdatedMs }: ReadingPlan, tradesTo: number): void {
    this.#mark.read(tradesTo, positions === undefined ? tradesTo : this.#fundingWindow.seenTo);
    if (wantsHistory) this.#sweptAt = active.asOf;
    if (misdatedMs > 0) this.#misdatedRead = { at: active.asOf, moreMs: misdatedMs };
  }

  tookFunding(reading: Reading<FundingPayment> | undefined): void {
    this.#fundingWindow.read(reading);
  }

  /** A trade is there whose order the history did not show. */
  orderMissing(): void {
    this.#reach.further();
  }

  /** What the account shows and its trades do not explain may bear the stamp of a clock that was behind. */
  tradesMissing(areMissing: boolean): void {
    if (areMissing) this.#tradesReach.further();
    else this.#tradesReach.reset();
  }

  /** A symbol has its first order of this process: from now on the venue reads its market, whether or not it was named before. */
  trades(symbol: string): void {
    const market = this.#port.deps.instruments.find(symbol)?.market;
    if (market !== undefined) this.#traded.add(market);
  }

  #markets(): readonly Market[] {
    const { markets = this.#port.deps.instruments.all().map(({ market }) => market) } = this.#options;
    return [...new Set([...markets, ...this.#traded])];
  }

  /** How much further back trades are read since one is missing, ms. */
  #misdatedMs(): number {
    const { moreMs } = this.#tradesReach;
    const { at, moreMs: readMs } = this.#misdatedRead;
    return moreMs <= readMs && this.#port.deps.clock.now() - at < MISDATED_EVERY_MS ? 0 : moreMs;
  }
}
