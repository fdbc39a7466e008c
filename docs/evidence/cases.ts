/** Which strategy is judged on which markets, and with what beside its defaults. */
import type { MarketName } from './markets.ts';

export interface Trial {
  readonly market: MarketName;
  /** `--param`, where a default does not suit the market. */
  readonly params?: readonly string[];
}

export interface Case {
  readonly name: string;
  readonly sample?: Trial;
  readonly real?: Trial;
  /** Why a market is missing. */
  readonly missing?: string;
}

const NO_FUNDING = 'there is no recording with funding rates';
const bars = (name: string): Case => ({ name, sample: { market: 'bars' }, real: { market: 'real-bars' } });
const book = (name: string): Case => ({ name, sample: { market: 'book' }, real: { market: 'real-book' } });

export const cases: readonly Case[] = [
  book('spread-maker'),
  book('microprice-maker'),
  book('avellaneda-stoikov'),
  book('glft-maker'),
  book('vpin-maker'),
  book('imbalance'),
  book('order-flow'),
  book('pairs'),
  bars('ema-cross'),
  bars('bollinger-reversion'),
  bars('rsi-timeframes'),
  bars('donchian-breakout'),
  bars('supertrend'),
  bars('momentum'),
  bars('grid'),
  bars('dca'),
  bars('rebalancer'),
  {
    name: 'basis',
    // The gap was below four fees all the time; what it would have cost to trade it.
    real: { market: 'real-perpetual', params: ['enterBps=-3', 'exitBps=-5'] },
    missing: 'the samples have no perpetual',
  },
  { name: 'funding-carry', missing: NO_FUNDING },
  book('twap-execution'),
  book('pov-execution'),
  bars('onnx-classifier'),
  { name: 'external-signals', missing: 'what its signals are worth is theirs to show' },
  { name: 'p2p-maker', missing: 'nobody answers advertisements in a backtest' },
];
