/**
 * One message that is missing loses an order book until the next snapshot, which a recording may not have. The result was marked
 * at the last mid before, and did not say so.
 */
import { expect, it } from 'vitest';
import { lostBookWarnings } from '../../src/session/result/lost-books.ts';
import { MarketData } from '../../src/streams/market-data.ts';
import { FakeClock } from '../streams/fake-clock.ts';
import { depth, instruments, usualRows } from '../streams/market-fixtures.ts';

const T = 1_700_000_000_000;

it('backtest/warnings/book-that-does-not-come-back', () => {
  const data = new MarketData({ instruments, clock: new FakeClock(T) });
  data.top('BTCUSDT').subscribe();
  data.onEvent(depth({ ms: T }, true, 1, usualRows));
  data.onEvent(depth({ ms: T + 1000 }, false, 2, [[0, 9_990, 5]]));
  expect(data.openGaps()).toEqual([]);
  data.onEvent(depth({ ms: T + 2000 }, false, 9, [[0, 9_990, 6]]));
  const gaps = data.openGaps();
  expect(gaps).toMatchObject([{ symbol: 'BTCUSDT', from: T + 1000, to: null }]);
  expect(lostBookWarnings(gaps, T + 61_000)).toEqual([
    `BTCUSDT: no whole order book for the last 60.0 s, since 2023-11-14T22:13:21.000Z (${gaps[0]?.reason}); equity, drift and markouts stand at the last mid before that`,
  ]);
  data.onEvent(depth({ ms: T + 3000 }, true, 10, usualRows));
  expect(data.openGaps()).toEqual([]);
});
