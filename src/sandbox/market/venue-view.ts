/** One market as the agents see it in a step. */
import type { SymbolMarket } from '../core/orders/order-record.ts';

export interface MarketStyle {
  readonly symbol: string;
  /** Typical order size, base units. */
  readonly size: number;
  /** Fraction of the price. */
  readonly halfSpread: number;
  /** Spontaneous trades per second. */
  readonly rate: number;
}

// prettier-ignore
export const marketStyles: readonly MarketStyle[] = [
  { symbol: 'BTCUSDT', size: 0.06, halfSpread: 2.5e-5, rate: 2.2 },
  { symbol: 'ETHUSDT', size: 1, halfSpread: 3.5e-5, rate: 1.4 },
  { symbol: 'ETHBTC', size: 1, halfSpread: 1e-4, rate: 0.4 },
  { symbol: 'USDTRUB', size: 1500, halfSpread: 1.5e-4, rate: 0.4 },
  { symbol: 'BTCUSDTPERP', size: 0.08, halfSpread: 2e-5, rate: 1.8 },
  { symbol: 'ETHUSDTPERP', size: 1.2, halfSpread: 3e-5, rate: 1 },
];

export interface MarketMoment {
  readonly market: SymbolMarket;
  readonly style: MarketStyle;
  /** Fractional. */
  readonly fairTicks: number;
  /** At least half a tick. */
  readonly halfSpreadTicks: number;
  readonly volatility: number;
  /** Price drift per second, fraction. */
  readonly trend: number;
  /** Exchange time. */
  readonly now: number;
  /** Seconds of open market. */
  readonly seconds: number;
  readonly stepSeconds: number;
}
