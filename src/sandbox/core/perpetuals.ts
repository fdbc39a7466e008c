/**
 * Public data of the perpetuals: index price (mid of the spot book), mark price (index plus a slow average of the
 * book's premium), and funding every eight hours from the average premium. Orders of users, margin and funding
 * payments belong to the derivative accounts, which are not part of this core yet. Time is an argument.
 */
import type { Instrument } from '../../model/instrument.ts';
import { alignDown } from '../../model/time.ts';
import { Decimal, decimalText } from '../../model/money.ts';
import type { SymbolMarket } from './symbol-market.ts';

const PREMIUM_WEIGHT = 0.02;
const FUNDING_CAP = 0.0075;
const HISTORY_MAX = 1000;
/** Interest part of funding per interval, as on most exchanges. */
const BASE_RATE = 0.0001;

export interface FundingRecord {
  readonly rate: string;
  readonly ts: number;
}

export interface RiskTier {
  readonly tier: number;
  readonly maxNotional: string;
  readonly maxLeverage: number;
  readonly maintenanceMarginRate: string;
}

// prettier-ignore
export const riskTiers: readonly RiskTier[] = [
  { tier: 1, maxNotional: '50000', maxLeverage: 100, maintenanceMarginRate: '0.004' },
  { tier: 2, maxNotional: '500000', maxLeverage: 50, maintenanceMarginRate: '0.005' },
  { tier: 3, maxNotional: '5000000', maxLeverage: 20, maintenanceMarginRate: '0.01' },
  { tier: 4, maxNotional: '20000000', maxLeverage: 10, maintenanceMarginRate: '0.025' },
  { tier: 5, maxNotional: '100000000', maxLeverage: 5, maintenanceMarginRate: '0.05' },
];

export class PerpetualData {
  readonly market: SymbolMarket;
  readonly #spot: SymbolMarket;
  readonly #intervalMs: number;
  readonly #history: FundingRecord[] = [];
  #premium = 0;
  #premiumSum = 0;
  #premiumCount = 0;
  #indexPrice = 0;
  nextFundingTime: number;

  constructor(market: SymbolMarket, spot: SymbolMarket, now: number) {
    this.market = market;
    this.#spot = spot;
    this.#intervalMs = (market.instrument.spec.fundingIntervalHours ?? 8) * 3_600_000;
    this.nextFundingTime = alignDown(now, this.#intervalMs) + this.#intervalMs;
  }

  /** Looks at both books; called about once a second. */
  observe(): void {
    const index = midPrice(this.#spot);
    const mid = midPrice(this.market);
    if (index === 0) return;
    this.#indexPrice = index;
    if (mid === 0) return;
    const premium = mid / index - 1;
    this.#premium += PREMIUM_WEIGHT * (premium - this.#premium);
    this.#premiumSum += premium;
    this.#premiumCount++;
  }

  get markPrice(): string {
    return priceText(this.market.instrument, this.#indexPrice * (1 + this.#premium));
  }

  get indexPrice(): string {
    return priceText(this.market.instrument, this.#indexPrice);
  }

  /** The rate that the running interval would settle at: a fraction, eight places. */
  get fundingRate(): string {
    const average = this.#premiumCount === 0 ? 0 : this.#premiumSum / this.#premiumCount;
    const rate = Math.max(-FUNDING_CAP, Math.min(FUNDING_CAP, BASE_RATE + average));
    return decimalText(new Decimal(rate.toFixed(8)));
  }

  /** Settles the interval that ends at `now` and begins the next. */
  settle(now: number): FundingRecord {
    const record = { rate: this.fundingRate, ts: now };
    this.#history.push(record);
    if (this.#history.length > HISTORY_MAX) this.#history.shift();
    this.#premiumSum = 0;
    this.#premiumCount = 0;
    this.nextFundingTime = now + this.#intervalMs;
    return record;
  }

  /** Newest first. */
  history(limit: number): readonly FundingRecord[] {
    return this.#history.slice(-limit).toReversed();
  }
}

function midPrice({ book, instrument }: SymbolMarket): number {
  return book.bidTicks === 0 || book.askTicks === 0 ? 0 : instrument.priceOf(book.bidTicks + book.askTicks) / 2;
}

function priceText(instrument: Instrument, price: number): string {
  return instrument.priceText(Math.round(price / instrument.tick));
}
