/** A small complete result, as a session would write it, and parts that tests change. */
import type { BacktestResult, ResultFill } from '../../../src/session/result/result.ts';
import { computeStats } from '../../../src/statistics/compute.ts';
import { GrowingSeries } from '../../../src/statistics/series.ts';

export const T0 = Date.UTC(2024, 7, 8, 9, 13, 22);

const INSTRUMENT = { symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', market: 'spot', lotSize: '0.00001' } as const;
const COUNTS = { submitted: 40, accepted: 39, filled: 20, canceled: 19, denied: 0, rejected: 1, expired: 0, shrunk: 0 };

export interface SampleOptions {
  readonly seconds?: number;
  /** One fill every so many seconds; 0: none. */
  readonly fillEvery?: number;
}

/** Prices move in a fixed wave; buys and sells alternate. */
export function sampleResult({ seconds = 60, fillEvery = 3 }: SampleOptions = {}): BacktestResult {
  const equity = new GrowingSeries();
  const mids = new GrowingSeries();
  const fills: ResultFill[] = [];
  let cash = 100_000;
  let position = 0;
  for (let i = 0; i <= seconds; i++) {
    const ts = T0 + i * 1000;
    const mid = 60_000 + Math.round(Math.sin(i / 9) * 4000) / 100;
    mids.push(ts, mid);
    if (fillEvery > 0 && i > 0 && i % fillEvery === 0) {
      const side = fills.length % 2 === 0 ? 'buy' : 'sell';
      const direction = side === 'buy' ? 1 : -1;
      const price = mid - direction * 5;
      cash -= direction * price * 0.01 + 0.06;
      position += direction * 0.01;
      fills.push(fillOf(ts, side, price, mid, fills.length));
    }
    equity.push(ts, cash + position * mid);
  }
  const netPnl = equity.value[equity.length - 1]! - equity.value[0]!;
  const period = { from: T0, to: T0 + seconds * 1000 };
  const { stats, conventions, warnings, excursions } = computeStats({
    ...period,
    equity,
    account: { netPnl, heldDrift: 31.5, external: 0, accountPnl: netPnl + 31.5 },
    fills,
    orders: COUNTS,
    symbols: { BTCUSDT: INSTRUMENT },
    mids: { BTCUSDT: mids },
  });
  return {
    command: 'backtest',
    strategy: 'spread-maker',
    currency: 'USDT',
    runHash: '9f2c4be1a07d4d6a8f0f9f5b5f2c4be1',
    hashes: { code: 'c0de'.repeat(16), data: 'da7a'.repeat(16), config: 'c0f1'.repeat(16) },
    seed: 1,
    params: { symbol: 'BTCUSDT', halfSpreadBps: 5 },
    period,
    events: { total: 100, depth: 70, trades: 20, quotes: 10 },
    loadMs: 10,
    wallMs: 20,
    eventsPerSecond: 5000,
    orderCounts: COUNTS,
    denials: [],
    stats,
    conventions,
    assumptions: { fees: { maker: 0.0002, taker: 0.0005 }, queue: 'prob(x^3)' },
    warnings,
    failures: [],
    files: { report: null, result: null },
    equity: equity.points(),
    fills,
    programs: [],
    orders: [],
    positions: position === 0 ? [] : [{ symbol: 'BTCUSDT', quantity: position.toFixed(2), entryPrice: '60000' }],
    notes: [],
    instruments: [INSTRUMENT],
    excursions,
    chart: { prices: [{ kind: 'line', symbol: 'BTCUSDT', points: mids.points() }] },
  };
}

function fillOf(ts: number, side: 'buy' | 'sell', price: number, mid: number, index: number): ResultFill {
  return {
    ts,
    symbol: 'BTCUSDT',
    side,
    price: price.toFixed(2),
    quantity: '0.01',
    fee: '0.06',
    feeCurrency: 'USDT',
    liquidity: 'maker',
    orderRef: `maker-${index}`,
    tag: 'maker',
    mid,
    arrivalMid: mid,
  };
}
