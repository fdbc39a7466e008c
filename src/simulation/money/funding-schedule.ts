/**
 * When funding settles and at which rate. Data gives announcements (rate and time) or settlements; both together count
 * once. Without either, a configured rate settles each interval. Integer µs, exchange clock.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type { FundingEvent } from '../../model/market/market-event.ts';
import { alignDown, US_PER_MS } from '../../model/time.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_INTERVAL_HOURS = 8;
/** Announcement and settlement within this distance are one. */
const SAME_US = 1_800_000_000;

export class FundingSchedule {
  readonly #intervalUs: number;
  readonly #sameUs: number;
  readonly #configured: string | undefined;
  #rate = '0';
  /** `Infinity`: none announced. `-Infinity`: a configured rate, not yet scheduled. */
  #dueUs = Number.POSITIVE_INFINITY;
  /** Latest due settlement, answered or not. */
  #lastUs = Number.NEGATIVE_INFINITY;
  /** Rates due while there was no mark, oldest first. */
  readonly #owed: string[] = [];
  #isTold = false;

  constructor({ spec }: Instrument, configuredRate: string | undefined) {
    this.#intervalUs = (spec.fundingIntervalHours ?? DEFAULT_INTERVAL_HOURS) * HOUR_MS * US_PER_MS;
    this.#sameUs = Math.min(this.#intervalUs / 2, SAME_US);
    this.#configured = configuredRate;
    if (configuredRate !== undefined) this.#dueUs = Number.NEGATIVE_INFINITY;
  }

  isDue(us: number): boolean {
    return us >= this.dueFromUs;
  }

  /** Exchange time, µs; `-Infinity`: now. */
  get dueFromUs(): number {
    return this.#owed.length > 0 ? Number.NEGATIVE_INFINITY : this.#dueUs;
  }

  /** Oldest unanswered rate, or null. */
  due(us: number): string | null {
    if (this.#configured !== undefined && this.#dueUs === Number.NEGATIVE_INFINITY) {
      this.#rate = this.#configured;
      this.#dueUs = alignDown(us, this.#intervalUs) + this.#intervalUs;
    }
    if (us >= this.#dueUs) this.#owe();
    return this.#owed.shift() ?? null;
  }

  /** Announcement or settlement; call before `due` of the same time. */
  told({ rate, nextFundingTime, exchangeUs }: FundingEvent): void {
    const isNow = nextFundingTime === 0;
    const isExpected = isNow && Math.abs(exchangeUs - this.#dueUs) < this.#sameUs;
    if (!isExpected && this.#dueUs !== Number.NEGATIVE_INFINITY && exchangeUs >= this.#dueUs) this.#owe();
    // Data replaces the configured rate.
    if (!isExpected && !this.#isTold) this.#dueUs = Number.POSITIVE_INFINITY;
    this.#isTold = true;
    if (isExpected) {
      this.#rate = rate;
      return;
    }
    const dueUs = isNow ? exchangeUs : nextFundingTime * US_PER_MS;
    // Ignores settled times, and settlements already made by announcement.
    if (isNow ? dueUs - this.#lastUs < this.#sameUs : dueUs <= this.#lastUs) return;
    this.#rate = rate;
    this.#dueUs = dueUs;
  }

  #owe(): void {
    this.#owed.push(this.#rate);
    this.#lastUs = this.#dueUs;
    this.#dueUs = this.#isTold ? Number.POSITIVE_INFINITY : this.#dueUs + this.#intervalUs;
  }
}
