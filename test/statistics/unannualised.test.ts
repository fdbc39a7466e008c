/** Why a run has no Sharpe ratio, in the words of reports and terminals. */
import { expect, it } from 'vitest';
import { computeStats, MIN_ANNUAL_SAMPLES } from '../../src/statistics/compute.ts';
import type { FillRecord } from '../../src/statistics/inputs.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { whyNoSharpe } from '../../src/statistics/unannualised.ts';

const DAY = 86_400_000;
const fill: FillRecord = {
  ts: 0,
  symbol: 'A',
  side: 'buy',
  price: '1',
  quantity: '1',
  fee: '0',
  feeCurrency: 'USDT',
  liquidity: 'taker',
  orderRef: 'r',
  tag: 't',
  mid: null,
};

function whyOf(days: number, equity: readonly number[], fills: readonly FillRecord[] = [fill]): string {
  const { stats, conventions } = computeStats({
    from: 0,
    to: days * DAY,
    equity: seriesOf(equity.map((value, day) => [day * DAY, value] as const)),
    fills,
    orders: { submitted: 1, accepted: 1 },
    mids: {},
    symbols: { A: { base: 'A', quote: 'USDT', market: 'spot', lotSize: '1' } },
    account: { netPnl: 0, heldDrift: 0, external: 0, accountPnl: 0 },
  });
  expect(stats.sharpe).toBeNull();
  return whyNoSharpe(conventions, fills.length);
}

it('says which of the reasons it is', () => {
  expect(whyOf(12, [0])).toBe('equity was zero or less');
  expect(whyOf(12, [100, 50, 0])).toBe('equity was zero or less');
  expect(whyOf(12, [100])).toBe('no variance in the returns');
  expect(whyOf(3, [100, 101])).toBe('too little data to annualise: it needs 7 days and 10 returns');
  expect(whyOf(12, [100], [])).toBe('it did not trade');
  expect(MIN_ANNUAL_SAMPLES).toBe(10);
});
