/**
 * Plans the polls of the next pass: back to the oldest live order or the last complete poll, and further while
 * something is unexplained. The time up to which everything was booked is journalled, because a process that cannot
 * poll still writes rows.
 */
import type { FundingPayment } from '../model/trading/account.ts';
import type { Market } from '../model/market/instrument.ts';
import { dec, decimalText, type Decimal } from '../model/numbers/money.ts';
import type { Reading } from '../model/result.ts';
import { isInDoubt, isOver, isUnproved, liveOrders } from './local-order.ts';
import { earliestOf } from './match.ts';
import type { ReconcilerPort } from './port.ts';
import type { AccountReadings, ReadingPlan } from './readings.ts';

/** ms beyond what must be covered, for list lag and clock skew. */
const OVERLAP_MS = 120_000;
const SKEW_MIN_MS = 2_000;
/** Bounds of the extra reach of lists that lack something, ms. Older orders stay unknown, for a human. */
const REACH_FIRST_MS = 600_000;
const REACH_GROWTH = 4;
export const HISTORY_REACH_MS_MAX = 7 * 86_400_000;
/** Largest date error of a trade by a lagging exchange clock, ms. */
const TRADES_REACH_MS_MAX = 3 * 3_600_000;
/** ms. Fills during a long poll prevent a judgement, so it is rare. */
const MISDATED_EVERY_MS = 60_000;
/** ms. A row per pass would be too many. */
const MARK_EVERY_MS = 60_000;
const FUNDING_EVERY_MS = 30_000;
/** Largest lag of the exchange's clock, ms. */
const FUNDING_MISDATED_MS = 3_720_000;
/** Time that an earlier process without a mark may not have polled, ms. */
const FUNDING_EARLIER_MS = 600_000;

export interface ReadingPlannerOptions {
  /** Default: the markets of the instruments. */
  readonly markets?: readonly Market[];
  /** ± ms. */
  readonly clockDoubtMs?: () => number;
}

export function further(reachMs: number, mostMs: number): number {
  return Math.min(mostMs, Math.max(REACH_FIRST_MS, reachMs * REACH_GROWTH));
}

export class ReadingPlanner {
  readonly #port: ReconcilerPort;
  readonly #options: ReadingPlannerOptions;
  readonly #drifts: ReadonlyMap<string, Decimal>;
  readonly #traded = new Set<Market>();
  /** Extra ms. History goes by creation time, so it may lack an old external order that trades now. */
  #historyReachMs = 0;
  /** The last sweep saw a trade whose order was not listed. */
  #isOrderMissing = false;
  #tradesReachMs = 0;
  /** Unix ms, and extra ms. */
  #misdatedRead = { at: 0, moreMs: 0 };
  /** Widest measured skew, ms. */
  #widestMs = 0;
  /** Unix ms; 0: the next pass includes the history. */
  #sweptAt = 0;
  /** Unix ms up to which everything was polled and booked. */
  #tradesTo: number | undefined;
  #fundingTo: number | undefined;
  #bornAt: number | undefined;
  /** Unix ms of the last complete poll. */
  #fundingReadAt = Number.NEGATIVE_INFINITY;

  constructor(port: ReconcilerPort, options: ReadingPlannerOptions, drifts: ReadonlyMap<string, Decimal>) {
    this.#drifts = drifts;
    this.#port = port;
    this.#options = options;
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

  /** `movementsFrom`: Unix ms; null: not now. */
  next(wantsHistory: boolean, movementsFrom: number | null): ReadingPlan {
    const { deps, state } = this.#port;
    const local = liveOrders(state);
    const pending = local.filter((order) => !isOver(order) || order.missesFills);
    const oldest = pending.reduce(
      (least, order) => (order.sentAt > 0 ? Math.min(least, earliestOf(order)) : least),
      Number.POSITIVE_INFINITY,
    );
    const misdatedMs = this.#misdatedMs();
    const isSweep = wantsHistory || local.some(isInDoubt);
    const seenTo = this.#seenTo(deps.clock.now());
    const back = Math.min(oldest, seenTo) - OVERLAP_MS - this.skewMs - misdatedMs;
    if (isSweep) {
      if (!this.#isOrderMissing && !local.some(isUnproved)) this.#historyReachMs = 0;
      this.#isOrderMissing = false;
    }
    this.#widestMs = Math.max(this.#widestMs, this.skewMs);
    const tolerance = dec(deps.options.reconcile.balanceTolerance);
    return {
      markets: this.#markets(),
      wantsHistory: isSweep,
      historyFrom: back - this.#historyReachMs,
      tradesFrom: back,
      misdatedMs,
      fundingFrom: this.#fundingFrom(deps.clock.now(), isSweep),
      movementsFrom,
      holdsMoney: () => state.heard.balances.hasAny || state.explainsMoney(tolerance),
    };
  }

  /** A process that dies before its first poll still leaves a mark. */
  begin(): void {
    if (this.#port.state.readTo === undefined)
      this.#mark(this.#seenTo(this.#port.deps.clock.now()), this.#fundingTo ?? 0);
  }

  /** `tradesTo`, Unix ms: all earlier trades are booked. */
  completed({ active, positions }: AccountReadings, { wantsHistory, misdatedMs }: ReadingPlan, tradesTo: number): void {
    const fundingTo = positions === undefined ? tradesTo : (this.#fundingTo ?? 0);
    this.#tradesTo = tradesTo;
    const before = this.#port.state.readTo;
    const isDue =
      before === undefined || tradesTo >= before.trades + MARK_EVERY_MS || fundingTo >= before.funding + MARK_EVERY_MS;
    if (isDue) this.#mark(tradesTo, fundingTo);
    if (wantsHistory) this.#sweptAt = active.asOf;
    if (misdatedMs > 0) this.#misdatedRead = { at: active.asOf, moreMs: misdatedMs };
  }

  tookFunding(reading: Reading<FundingPayment> | undefined): void {
    if (reading?.kind !== 'complete') return;
    this.#fundingTo = reading.asOf;
    this.#fundingReadAt = reading.asOf;
  }

  orderMissing(): void {
    this.#isOrderMissing = true;
    this.#historyReachMs = further(this.#historyReachMs, HISTORY_REACH_MS_MAX);
  }

  tradesMissing(areMissing: boolean): void {
    this.#tradesReachMs = areMissing ? further(this.#tradesReachMs, TRADES_REACH_MS_MAX) : 0;
  }

  trades(symbol: string): void {
    const market = this.#port.deps.instruments.find(symbol)?.market;
    if (market !== undefined) this.#traded.add(market);
  }

  #mark(trades: number, funding: number): void {
    const port = this.#port;
    const now = Object.fromEntries([...this.#drifts].map(([currency, drift]) => [currency, decimalText(drift)]));
    const settled = { ...port.state.readTo?.settled, ...now };
    const isNone = Object.keys(settled).length === 0;
    port.turn(() => port.haveRead({ trades, funding, ...(isNone ? {} : { settled }) }));
  }

  /** Unix ms. */
  #seenTo(now: number): number {
    const { resumedFrom, readTo } = this.#port.state;
    this.#tradesTo ??= readTo?.trades ?? (resumedFrom === 0 ? now : resumedFrom);
    return this.#tradesTo;
  }

  /** Payments are booked once, so overlap is harmless. Those before the first run are ignored. Null: not now. */
  #fundingFrom(now: number, isFull: boolean): number | null {
    const { resumedFrom, readTo, bornAt } = this.#port.state;
    this.#fundingTo ??= readTo?.funding ?? (resumedFrom === 0 ? now : resumedFrom - FUNDING_EARLIER_MS);
    if (!isFull && now - this.#fundingReadAt < FUNDING_EVERY_MS) return null;
    this.#bornAt ??= bornAt === 0 ? now : bornAt;
    const misdated = Math.max(this.#fundingTo - FUNDING_MISDATED_MS, this.#bornAt - OVERLAP_MS - this.#widestMs);
    return Math.min(this.#fundingTo - OVERLAP_MS, misdated);
  }

  #markets(): readonly Market[] {
    const { markets = this.#port.deps.instruments.all().map(({ market }) => market) } = this.#options;
    return [...new Set([...markets, ...this.#traded])];
  }

  #misdatedMs(): number {
    const { at, moreMs: readMs } = this.#misdatedRead;
    const isRead = this.#tradesReachMs <= readMs && this.#port.deps.clock.now() - at < MISDATED_EVERY_MS;
    return isRead ? 0 : this.#tradesReachMs;
  }
}
