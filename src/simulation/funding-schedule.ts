/**
 * When funding of a symbol settles and at which rate (rule A3). Data tells it in one of two ways: the running rate with the
 * time of its settlement, over and over, or the settlement itself. Both together are one settlement. Without either a
 * configured rate settles at each interval of the instrument. Times are integer microseconds, exchange clock.
 */
import type { Instrument } from '../model/instrument.ts';
import type { FundingEvent } from '../model/market-event.ts';
import { alignDown, US_PER_MS } from '../model/time.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_INTERVAL_HOURS = 8;
/** Announcement and settlement that are no further apart are one, unless settlements follow each other faster. */
const SAME_US = 1_800_000_000;

export class FundingSchedule {
  readonly #intervalUs: number;
  readonly #sameUs: number;
  readonly #configured: string | undefined;
  #rate = '0';
  /** Infinity: nothing is announced. -Infinity: a configured rate, whose first settlement is found at the first look. */
  #dueUs = Number.POSITIVE_INFINITY;
  /** The latest settlement whose time has come, whether it was answered yet or not. */
  #lastUs = Number.NEGATIVE_INFINITY;
  /** Rates of settlements whose time came while there was no mark, oldest first: one for each time that the data tell. */
  readonly #owed: string[] = [];
  #isTold = false;

  constructor({ spec }: Instrument, configuredRate: string | undefined) {
    this.#intervalUs = (spec.fundingIntervalHours ?? DEFAULT_INTERVAL_HOURS) * HOUR_MS * US_PER_MS;
    this.#sameUs = Math.min(this.#intervalUs / 2, SAME_US);
    this.#configured = configuredRate;
    if (configuredRate !== undefined) this.#dueUs = Number.NEGATIVE_INFINITY;
  }

  /** Whether `due` would answer a rate, or has still to find out when. */
  isDue(us: number): boolean {
    return us >= this.#dueUs || this.#owed.length > 0;
  }

  /** The rate of the oldest settlement whose time has come, or null. Each is answered once. */
  due(us: number): string | null {
    if (this.#configured !== undefined && this.#dueUs === Number.NEGATIVE_INFINITY) {
      this.#rate = this.#configured;
      this.#dueUs = alignDown(us, this.#intervalUs) + this.#intervalUs;
    }
    if (us >= this.#dueUs) this.#owe();
    return this.#owed.shift() ?? null;
  }

  /** A funding event of the data: what will settle when, or that it settles now. Comes before the look at its own time. */
  told({ rate, nextFundingTime, exchangeUs }: FundingEvent): void {
    const isNow = nextFundingTime === 0;
    const isExpected = isNow && Math.abs(exchangeUs - this.#dueUs) < this.#sameUs;
    if (!isExpected && this.#dueUs !== Number.NEGATIVE_INFINITY && exchangeUs >= this.#dueUs) this.#owe();
    // What was configured gives way to what the data tells.
    if (!isExpected && !this.#isTold) this.#dueUs = Number.POSITIVE_INFINITY;
    this.#isTold = true;
    if (isExpected) {
      this.#rate = rate;
      return;
    }
    const dueUs = isNow ? exchangeUs : nextFundingTime * US_PER_MS;
    // What is announced for a time that was settled is old news, and so is a settlement that was made by its announcement.
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
