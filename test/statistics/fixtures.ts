/** Builders for statistics tests: a described symbol, fills with sensible defaults, inputs with one symbol. */
import { dec } from '../../src/model/numbers/money.ts';
import type { FillRecord, StatisticsInput, SymbolRecord } from '../../src/statistics/inputs.ts';
import { seriesOf, type Point } from '../../src/statistics/series.ts';

export const DAY = 86_400_000;
export const T0 = Date.UTC(2024, 0, 1);

export const BTC: SymbolRecord = { base: 'BTC', quote: 'USDT', market: 'spot', lotSize: '0.00001' };

let orders = 0;

export function fill(over: Partial<FillRecord> & Pick<FillRecord, 'side' | 'price' | 'quantity'>): FillRecord {
  return {
    ts: T0,
    symbol: 'BTCUSDT',
    fee: '0',
    feeCurrency: 'USDT',
    liquidity: 'maker',
    orderRef: `order-${++orders}`,
    tag: '',
    mid: null,
    ...over,
  };
}

export function input(over: Partial<StatisticsInput> & { readonly points?: readonly Point[] } = {}): StatisticsInput {
  const { points = [[T0, 100_000]], ...rest } = over;
  const [last, end] = points[points.length - 1]!;
  const netPnl = Number.isNaN(end) ? end : dec(end).minus(points[0]![1]).toNumber();
  return {
    from: points[0]![0],
    to: last,
    equity: seriesOf(points),
    account: { netPnl, heldDrift: 0, external: 0, accountPnl: netPnl },
    fills: [fill({ side: 'buy', price: '1', quantity: '0.00001' })],
    orders: { submitted: 0, accepted: 0 },
    symbols: { BTCUSDT: BTC },
    mids: {},
    ...rest,
  };
}

/** Equity that has the given daily returns, one point at each UTC midnight. */
export function dailyEquity(returns: readonly number[], start = 100_000): Point[] {
  const points: Point[] = [[T0, start]];
  let equity = start;
  for (const [day, r] of returns.entries()) {
    equity *= 1 + r;
    points.push([T0 + (day + 1) * DAY, equity]);
  }
  return points;
}
