/**
 * Public data of a perpetual. Index: mid of the spot book, else own mid, else last trade. Mark: index plus a slow
 * average of the premium. Funding rate: average premium of the interval.
 */
import type { FundingSettlement } from '../../../exchange/wire/market/perpetual-data.ts';
import { tiersOf, type RiskTiers } from '../../../clearing/margin/risk-tiers.ts';
import { alignDown } from '../../../model/time.ts';
import { type Decimal, decimalText, dec } from '../../../model/numbers/money.ts';
import type { Instrument } from '../../../model/market/instrument.ts';
import type { PerpetualMarket } from '../../../clearing/perpetual/margin-book.ts';
import type { FuturesTerms } from '../futures/options.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { SymbolMarket } from '../orders/order-record.ts';

const PREMIUM_WEIGHT = 0.02;
const HISTORY_MAX = 1000;
const HOUR_MS = 3_600_000;

export class PerpetualData implements PerpetualMarket {
  readonly market: SymbolMarket;
  readonly tiers: RiskTiers;
  readonly #spot: SymbolMarket | null;
  readonly #terms: FuturesTerms;
  readonly #intervalMs: number;
  readonly #history: FundingSettlement[] = [];
  #premium = 0;
  #premiumSum = 0;
  #premiumCount = 0;
  #indexPrice = 0;
  nextFundingTime: number;

  constructor(market: SymbolMarket, spot: SymbolMarket | null, terms: FuturesTerms, now: number) {
    this.market = market;
    this.#spot = spot;
    this.#terms = terms;
    this.tiers = tiersOf(market.instrument, terms.riskTiers[market.instrument.symbol]);
    this.#intervalMs = Math.round(terms.fundingIntervalHours * HOUR_MS);
    this.nextFundingTime = alignDown(now, this.#intervalMs) + this.#intervalMs;
  }

  /** Samples the premium, about once a second. */
  observe(): void {
    this.refresh();
    const mid = midPrice(this.market);
    if (this.#indexPrice === 0 || mid === 0 || this.#spot === null) return;
    const premium = mid / this.#indexPrice - 1;
    this.#premium += PREMIUM_WEIGHT * (premium - this.#premium);
    this.#premiumSum += premium;
    this.#premiumCount++;
  }

  /** An empty side keeps the last index. */
  refresh(): void {
    const index = this.#spot === null ? 0 : midPrice(this.#spot);
    if (index !== 0) this.#indexPrice = index;
  }

  get instrument(): Instrument {
    return this.market.instrument;
  }

  /** On the tick grid, as used for margin. Null before the first quote or trade. */
  get mark(): Decimal | null {
    const ticks = this.#markTicks;
    return ticks === 0 ? null : this.market.instrument.exactPrice(ticks);
  }

  /** NaN before the first. */
  get markNumber(): number {
    const ticks = this.#markTicks;
    return ticks === 0 ? Number.NaN : this.market.instrument.priceOf(ticks);
  }

  /** "0" before the first. */
  get markPrice(): string {
    return this.market.instrument.priceText(this.#markTicks);
  }

  get indexPrice(): string {
    return this.market.instrument.priceText(Math.round(this.#index / this.market.instrument.tick));
  }

  /** Of the running interval; fraction, eight places. */
  get fundingRate(): string {
    const { fundingBaseRate, fundingRateMax } = this.#terms;
    const average = this.#premiumCount === 0 ? 0 : this.#premiumSum / this.#premiumCount;
    const rate = Math.max(-fundingRateMax, Math.min(fundingRateMax, fundingBaseRate + average));
    return decimalText(dec(rate.toFixed(8)));
  }

  settle(now: number): FundingSettlement {
    const record = { rate: this.fundingRate, ts: now };
    this.#history.push(record);
    if (this.#history.length > HISTORY_MAX) this.#history.shift();
    this.#premiumSum = 0;
    this.#premiumCount = 0;
    this.nextFundingTime = now + this.#intervalMs;
    return record;
  }

  history(limit: number): readonly FundingSettlement[] {
    return this.#history.slice(-limit).toReversed();
  }

  get #markTicks(): number {
    return Math.round((this.#index * (1 + this.#premium)) / this.market.instrument.tick);
  }

  get #index(): number {
    if (this.#indexPrice !== 0) return this.#indexPrice;
    const mid = midPrice(this.market);
    return mid === 0 ? this.market.instrument.priceOf(this.market.lastTicks) : mid;
  }
}

export function perpetualOf(perpetuals: ReadonlyMap<string, PerpetualData>, symbol: string): PerpetualData | Refusal {
  return perpetuals.get(symbol) ?? refuse('unknown_symbol', `there is no perpetual ${symbol}`, 'symbol');
}

function midPrice({ book, instrument }: SymbolMarket): number {
  return book.bidTicks === 0 || book.askTicks === 0 ? 0 : instrument.priceOf(book.bidTicks + book.askTicks) / 2;
}
