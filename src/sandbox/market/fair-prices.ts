/**
 * Latent price per coin. Pairs derive from it, so ETHBTC stays near ETHUSDT / BTCUSDT. Deterministic for seed and
 * steps.
 *
 *   regime (calm · normal · wild) ─▶ volatility ─┐
 *   trend  (drift for a minute or so) ───────────┼─▶ log price of BTC, ETH, USD in RUB
 *   jumps  (two-sided exponential, rare) ────────┘
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { exponential, normal } from '../../model/random.ts';
import type { Random } from '../../model/ports.ts';

const regimes = [
  { volatility: 0.5, meanS: 90 },
  { volatility: 1, meanS: 120 },
  { volatility: 2.6, meanS: 30 },
] as const;

/** Standard deviation of the log price per second at volatility 1. */
const SECOND_DEVIATION = 8e-5;
const TREND_MEAN_S = 45;
const TREND_DEVIATION = 1.5e-5;
const JUMP_MEAN_S = 75;
const JUMP_DEVIATIONS = 7;

export type Coin = 'BTC' | 'ETH' | 'RUB';

interface Factor {
  price: number;
  /** Idiosyncratic share; the rest is common with BTC. */
  readonly own: number;
  readonly common: number;
}

export class FairPrices {
  readonly #random: Random;
  readonly #factors: Readonly<Record<Coin, Factor>> = {
    BTC: { price: 60_000, own: 0.35, common: 0.94 },
    ETH: { price: 3_000, own: 0.6, common: 1.05 },
    RUB: { price: 95, own: 0.35, common: 0 },
  };
  #regime: (typeof regimes)[number] = regimes[1];
  #regimeLeftS: number;
  #trend = 0;
  #trendLeftS: number;

  constructor(random: Random) {
    this.#random = random;
    this.#regimeLeftS = exponential(random, this.#regime.meanS);
    this.#trendLeftS = exponential(random, TREND_MEAN_S);
  }

  /** 1 in normal times. */
  get volatility(): number {
    return this.#regime.volatility;
  }

  /** Drift of the common log price per second. */
  get trend(): number {
    return this.#trend;
  }

  priceOf({ base, quote }: Instrument): number {
    const { BTC, ETH, RUB } = this.#factors;
    if (quote === 'RUB') return RUB.price;
    const worth = (base === 'BTC' ? BTC : ETH).price;
    return quote === 'BTC' ? worth / BTC.price : worth;
  }

  /** Permanent; `fraction` is small and signed. */
  push(coin: Coin, fraction: number): void {
    this.#factors[coin].price *= 1 + Math.max(-0.01, Math.min(0.01, fraction));
  }

  step(seconds: number): void {
    const random = this.#random;
    this.#changeMood(seconds);
    const deviation = SECOND_DEVIATION * this.#regime.volatility * Math.sqrt(seconds);
    let common = this.#trend * seconds + deviation * normal(random);
    if (random.next() < seconds / JUMP_MEAN_S) {
      const size = exponential(random, JUMP_DEVIATIONS * SECOND_DEVIATION * this.#regime.volatility);
      common += random.next() < 0.5 ? -size : size;
    }
    for (const factor of [this.#factors.BTC, this.#factors.ETH, this.#factors.RUB]) {
      factor.price *= Math.exp(factor.common * common + factor.own * deviation * normal(random));
    }
  }

  #changeMood(seconds: number): void {
    const random = this.#random;
    this.#regimeLeftS -= seconds;
    if (this.#regimeLeftS <= 0) {
      this.#regime = regimes[Math.floor(random.next() * regimes.length)] ?? regimes[1];
      this.#regimeLeftS = exponential(random, this.#regime.meanS);
    }
    this.#trendLeftS -= seconds;
    if (this.#trendLeftS <= 0) {
      this.#trend = random.next() < 0.5 ? 0 : TREND_DEVIATION * normal(random);
      this.#trendLeftS = exponential(random, TREND_MEAN_S);
    }
  }
}
