/**
 * One market as the agents see it in a step: what it is worth, how wide to quote, how large one trades there.
 */
import type { SymbolMarket } from '../core/symbol-market.ts';

export interface MarketStyle {
  readonly symbol: string;
  /** Typical size of an order, base units. */
  readonly size: number;
  /** Half of the usual spread, as a fraction of the price. */
  readonly halfSpread: number;
  /** Trades per second that come by themselves; bursts come on top. */
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
  /** Ticks, with a fraction. */
  readonly fairTicks: number;
  /** Half spread in ticks, at least half a tick. */
  readonly halfSpreadTicks: number;
  readonly volatility: number;
  /** Drift per second of the price, a fraction. */
  readonly trend: number;
  /** Exchange time. */
  readonly now: number;
  /** Market time: seconds in which the market was open. */
  readonly seconds: number;
  /** Length of this step. */
  readonly stepSeconds: number;
}
