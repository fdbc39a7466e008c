import { Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isTidewireError } from '../../src/model/errors.ts';
import type { BookView, Gap, Ticker, Top, Trade } from '../../src/model/market/views.ts';
import { MarketData, type MarketDataOptions } from '../../src/streams/market-data.ts';
import { FakeClock } from './fake-clock.ts';
import { btc, depth, eth, gap, instruments, quote, trade, usualRows } from './market-fixtures.ts';

const T = 1_700_000_000_000;

function market(options: Partial<MarketDataOptions> = {}): MarketData {
  return new MarketData({ instruments, clock: new FakeClock(T), ...options });
}

function collect<T>(stream: { subscribe(next: (value: T) => void): Subscription }): T[] {
  const values: T[] = [];
  stream.subscribe((value) => values.push(value));
  return values;
}

describe('top', () => {
  it('emits when the best price or quantity changes, and not for what lies deeper', () => {
    const data = market();
    const tops = collect<Top>(data.top('BTCUSDT'));
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    data.onEvent(depth({ ms: T + 1 }, false, 2, [[0, 9_990, 5]]));
    data.onEvent(depth({ ms: T + 2 }, false, 3, [[0, 10_000, 100_001]]));
    data.onEvent(depth({ ms: T + 3 }, false, 4, [[1, 10_001, 7]]));
    expect(tops.map(({ ts, bid, bidQuantity, ask }) => [ts - T, bid, bidQuantity, ask])).toEqual([
      [0, 100, 1, 100.02],
      [2, 100, 1.00001, 100.02],
      [3, 100, 1.00001, 100.01],
    ]);
    expect(tops[0]).toEqual({
      ts: T,
      symbol: 'BTCUSDT',
      bid: 100,
      bidQuantity: 1,
      ask: 100.02,
      askQuantity: 3,
      mid: 100.01,
    });
    expect(tops.every((top) => Object.isFrozen(top))).toBe(true);
    expect(new Set(tops).size).toBe(tops.length);
  });

  it('gives the current value to a late subscriber, and nothing when there is none', () => {
    const data = market();
    expect(collect(data.top('BTCUSDT'))).toEqual([]);
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    expect(collect<Top>(data.top('BTCUSDT')).map(({ mid }) => mid)).toEqual([100.01]);
    expect(collect(data.top('ETHUSDT'))).toEqual([]);
  });

  it('is silent while a side is empty', () => {
    const data = market();
    const tops = collect<Top>(data.top('BTCUSDT'));
    data.onEvent(depth({ ms: T }, true, 1, [[0, 10_000, 1]]));
    expect(tops).toEqual([]);
    expect(data.mid('BTCUSDT')).toBeUndefined();
    data.onEvent(depth({ ms: T }, false, 2, [[1, 10_001, 1]]));
    expect(tops).toHaveLength(1);
  });

  it('reads the one book that best quotes are merged into (M0)', () => {
    const data = market();
    const tops = collect<Top>(data.top('BTCUSDT'));
    data.onEvent(depth({ ms: T }, true, 10, usualRows));
    data.onEvent(quote({ ms: T + 1 }, 12, [10_002, 5], [10_003, 6]));
    data.onEvent(quote({ ms: T + 2 }, 9, [9_000, 5], [9_001, 6]));
    expect(tops.map(({ bid, ask }) => [bid, ask])).toEqual([
      [100, 100.02],
      [100.02, 100.03],
    ]);
    expect(data.best('BTCUSDT')).toMatchObject({ bidTicks: 10_002, bidLots: 5, askTicks: 10_003, askLots: 6 });
  });

  it('works from best quotes alone where there is no depth', () => {
    const data = market({ bookStart: () => 'updates' });
    const tops = collect<Top>(data.top('BTCUSDT'));
    data.onEvent(quote({ ms: T }, 0, [10_000, 5], [10_001, 6]));
    data.onEvent(quote({ ms: T + 1 }, 0, [10_001, 5], [10_002, 6]));
    expect(tops.map(({ bid }) => bid)).toEqual([100, 100.01]);
    expect(data.mid('BTCUSDT')).toBeCloseTo(100.015, 9);
  });

  it('waits for the snapshot where the source has any, whatever best quotes come before it', () => {
    const data = market();
    const tops = collect<Top>(data.top('BTCUSDT'));
    data.onEvent(quote({ ms: T }, 2, [10_000, 5], [10_001, 6]));
    expect(tops).toEqual([]);
    expect(data.mid('BTCUSDT')).toBeUndefined();
    data.onEvent(
      depth({ ms: T + 1 }, true, 1, [
        [0, 9_990, 3],
        [1, 10_002, 4],
      ]),
    );
    // The quote is newer by its id: the book has both (M0).
    expect(tops.map(({ bid, ask }) => [bid, ask])).toEqual([[100, 100.01]]);
  });

  it('keeps a quote that came while updates wait for their snapshot, where it is newer (M0)', () => {
    const data = market();
    const tops = collect<Top>(data.top('BTCUSDT'));
    data.onEvent(depth({ ms: T }, false, 4, [[0, 9_990, 3]]));
    data.onEvent(quote({ ms: T + 1 }, 6, [10_000, 5], [10_001, 6]));
    expect(tops).toEqual([]);
    data.onEvent(
      depth({ ms: T + 2 }, true, 3, [
        [0, 9_990, 2],
        [1, 10_002, 4],
      ]),
    );
    expect(tops.map(({ bid, ask }) => [bid, ask])).toEqual([[100, 100.01]]);
  });
});

describe('book', () => {
  it('is a live view that emits on every change', () => {
    const data = market();
    const views = collect<BookView>(data.book('BTCUSDT'));
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    data.onEvent(depth({ ms: T + 1 }, false, 2, [[0, 9_998, 5]]));
    expect(views).toHaveLength(2);
    expect(views[0]).toBe(views[1]);
    expect(views[0]?.bids(2)).toEqual([
      { price: 100, quantity: 1 },
      { price: 99.99, quantity: 2 },
    ]);
    expect(views[0]?.asks(99)).toHaveLength(2);
    expect(views[0]?.asks(0)).toEqual([]);
    const kept = views[0]?.snapshot();
    data.onEvent(depth({ ms: T + 2 }, false, 3, [[0, 10_000, 0]]));
    expect(kept?.bids[0]).toEqual({ price: 100, quantity: 1 });
    expect(Object.isFrozen(kept?.bids)).toBe(true);
    expect(views[0]?.bids(1)).toEqual([{ price: 99.99, quantity: 2 }]);
    expect(views[0]?.ts).toBe(T + 2);
  });

  it('shows nothing while it waits for its snapshot', () => {
    const data = market();
    const views = collect(data.book('BTCUSDT'));
    data.onEvent(depth({ ms: T }, false, 2, usualRows));
    expect(views).toEqual([]);
    expect(data.best('BTCUSDT')).toBeUndefined();
    data.onEvent(depth({ ms: T }, true, 1, []));
    expect(data.best('BTCUSDT')?.bidTicks).toBe(10_000);
  });

  it('starts from updates alone when told that there is no snapshot anywhere (T5)', () => {
    const data = market({ bookStart: () => 'updates' });
    data.onEvent(depth({ ms: T }, false, 2, usualRows));
    expect(data.best('BTCUSDT')?.bidTicks).toBe(10_000);
  });
});

describe('view', () => {
  it('is NaN and empty before the first book and during a gap, and keeps the last trade', () => {
    const data = market();
    const view = data.view('BTCUSDT');
    const prices = (): readonly number[] => [view.ts - T, view.bid, view.ask, view.mid, view.last, view.mark];
    expect(prices()).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    expect([view.bids(5), view.asks(5)]).toEqual([[], []]);
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    data.onEvent(trade({ ms: T + 1 }, 10_001, 5));
    expect(prices()).toEqual([0, 100, 100.02, 100.01, 100.01, Number.NaN]);
    data.onEvent(gap({ ms: T + 10 }, true, T));
    expect(prices().slice(1)).toEqual([Number.NaN, Number.NaN, Number.NaN, 100.01, Number.NaN]);
    expect(view.bids(5)).toEqual([]);
    expect(data.view('BTCUSDT')).toBe(view);
  });

  it('has one side alone while the other is empty', () => {
    const data = market();
    const view = data.view('BTCUSDT');
    data.onEvent(depth({ ms: T }, true, 1, [[0, 10_000, 1]]));
    expect([view.bid, view.ask, view.mid]).toEqual([100, Number.NaN, Number.NaN]);
  });

  it('asks for the book at once, and watches nothing', () => {
    const demanded: string[] = [];
    const data = market({ demand: (symbol, feed) => demanded.push(`${symbol} ${feed}`) });
    const view = data.view('BTCUSDT');
    data.view('BTCUSDT');
    expect(view.mark).toBeNaN();
    expect(demanded).toEqual(['BTCUSDT depth']);
    expect(data.isWatched).toBe(false);
  });
});

describe('gaps', () => {
  it('a missing message closes the book, says so, and asks for a snapshot once', () => {
    const lost: string[] = [];
    const data = market({ onBookLost: (symbol, reason) => lost.push(`${symbol}: ${reason}`) });
    const gaps = collect<Gap>(data.gaps('BTCUSDT'));
    const tops = collect<Top>(data.top('BTCUSDT'));
    const view = data.view('BTCUSDT');
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    data.onEvent(depth({ ms: T + 5 }, false, 3, [[0, 10_001, 1]]));
    data.onEvent(depth({ ms: T + 6 }, false, 4, [[0, 10_001, 2]]));
    expect(lost).toEqual(['BTCUSDT: messages are missing between 1 and 3']);
    expect(data.best('BTCUSDT')).toBeUndefined();
    expect(data.mid('BTCUSDT')).toBeUndefined();
    expect([view.bids(5), view.asks(5)]).toEqual([[], []]);
    expect(collect(data.top('BTCUSDT'))).toEqual([]);
    data.onEvent(depth({ ms: T + 9 }, true, 3, usualRows));
    expect(gaps).toEqual([
      { symbol: 'BTCUSDT', from: T, to: null, reason: 'messages are missing between 1 and 3' },
      { symbol: 'BTCUSDT', from: T, to: T + 9, reason: 'messages are missing between 1 and 3' },
    ]);
    expect(tops.map(({ bid, bidQuantity }) => [bid, bidQuantity])).toEqual([
      [100, 1],
      [100.01, 0.00002],
    ]);
  });

  it('a gap in the recording stales the book until a message that follows proves it (T5)', () => {
    const data = market();
    const gaps = collect<Gap>(data.gaps('BTCUSDT'));
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    data.onEvent(gap({ ms: T + 10 }, true, T));
    expect(data.best('BTCUSDT')).toBeUndefined();
    data.onEvent(gap({ ms: T + 20 }, false, T));
    expect(data.best('BTCUSDT')).toBeUndefined();
    data.onEvent(depth({ ms: T + 21 }, false, 2, []));
    expect(data.best('BTCUSDT')?.bidTicks).toBe(10_000);
    expect(gaps.map(({ from, to }) => [from - T, to === null ? null : to - T])).toEqual([
      [0, null],
      [0, 20],
    ]);
  });

  it('without sequence ids only a snapshot proves the book after a gap', () => {
    const lost: string[] = [];
    const data = market({ sequenceRule: () => 'none', onBookLost: (_, reason) => lost.push(reason) });
    data.onEvent(depth({ ms: T }, true, 0, usualRows));
    data.onEvent(gap({ ms: T + 10 }, true, T));
    data.onEvent(depth({ ms: T + 11 }, false, 0, [[0, 9_000, 1]]));
    expect(data.best('BTCUSDT')).toBeUndefined();
    expect(lost).toEqual(['no frames']);
    data.onEvent(depth({ ms: T + 12 }, true, 0, usualRows));
    expect(data.best('BTCUSDT')?.bidTicks).toBe(10_000);
  });

  it('gaps do not replay, and one symbol’s do not touch another', () => {
    const data = market();
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    data.onEvent(depth({ ms: T, instrument: eth }, true, 1, usualRows));
    data.onEvent(depth({ ms: T + 5 }, false, 3, []));
    expect(collect(data.gaps('BTCUSDT'))).toEqual([]);
    expect(data.best('ETHUSDT')?.bidTicks).toBe(10_000);
  });
});

describe('trades, ticker, mark and funding', () => {
  it('trades do not replay; each is fresh and frozen', () => {
    const data = market();
    data.onEvent(trade({ ms: T }, 10_000));
    const trades = collect<Trade>(data.trades('BTCUSDT'));
    data.onEvent(trade({ ms: T + 1 }, 10_001, 5, false));
    expect(trades).toEqual([{ ts: T + 1, symbol: 'BTCUSDT', price: 100.01, quantity: 0.00005, side: 'sell' }]);
    expect(Object.isFrozen(trades[0])).toBe(true);
  });

  it('a state that came before is given on subscribe', () => {
    const data = market();
    const at = { instrument: btc, exchangeUs: T * 1000, receiveUs: T * 1000 };
    const values = { last: 1, bid: 2, ask: 3, open: 4, high: 5, low: 6, volume: 7, quoteVolume: 8 };
    data.onEvent({ kind: 'ticker', ...at, ...values });
    data.onEvent({ kind: 'mark', ...at, markPrice: 10, indexPrice: 11 });
    data.onEvent({ kind: 'funding', ...at, rate: '0.0001', nextFundingTime: T + 1 });
    expect(collect<Ticker>(data.ticker('BTCUSDT'))).toEqual([{ ts: T, symbol: 'BTCUSDT', ...values }]);
    expect(collect(data.mark('BTCUSDT'))).toEqual([{ ts: T, symbol: 'BTCUSDT', markPrice: 10, indexPrice: 11 }]);
    expect(collect(data.funding('BTCUSDT'))).toEqual([
      { ts: T, symbol: 'BTCUSDT', rate: 0.0001, nextFundingTime: T + 1 },
    ]);
  });

  it('there is no mid beside a book that is on its way: the last trade may be far from it', () => {
    const data = market();
    data.onEvent(trade({ ms: T }, 12_345));
    expect(data.mid('BTCUSDT')).toBeUndefined();
  });

  it('the mid is the last trade where the data has no book at all', () => {
    const data = market({ bookStart: () => 'updates' });
    expect(data.mid('BTCUSDT')).toBeUndefined();
    data.onEvent(trade({ ms: T }, 12_345));
    expect(data.mid('BTCUSDT')).toBe(123.45);
    data.onEvent(depth({ ms: T }, false, 2, []));
    expect(data.mid('BTCUSDT')).toBeUndefined();
  });
});

describe('symbols and subscriptions', () => {
  it('an unknown symbol is a typed error that names the nearest', () => {
    const data = market();
    for (const ask of ['top', 'book', 'trades', 'ticker', 'funding', 'mark', 'gaps', 'instrument'] as const) {
      let thrown: unknown;
      try {
        data[ask]('BTCUSD');
      } catch (error) {
        thrown = error;
      }
      expect(isTidewireError(thrown) && thrown.code).toBe('unknown_symbol');
      expect(isTidewireError(thrown) && thrown.message).toContain('BTCUSDT');
    }
    expect(data.best('NOPE')).toBeUndefined();
  });

  it('asks for each feed of each symbol once', () => {
    const asked: string[] = [];
    const data = market({ demand: (symbol, feed) => asked.push(`${symbol} ${feed}`) });
    data.top('BTCUSDT');
    data.top('BTCUSDT');
    data.book('BTCUSDT');
    data.candles('BTCUSDT', '1m');
    data.ticker('ETHUSDT');
    data.instrument('ETHUSDT');
    expect(asked).toEqual(['BTCUSDT depth', 'BTCUSDT trades', 'ETHUSDT ticker']);
  });

  it('1,000 subscriptions that came and went leave no timer and no listener behind', () => {
    const clock = new FakeClock(T);
    const data = market({ clock });
    data.onEvent(depth({ ms: T }, true, 1, usualRows));
    for (let round = 0; round < 1000; round++) {
      const all = new Subscription();
      let seen = 0;
      all.add(data.top('BTCUSDT').subscribe(() => seen++));
      all.add(data.book('BTCUSDT').subscribe(() => seen++));
      all.add(data.trades('BTCUSDT').subscribe(() => seen++));
      all.add(data.candles('BTCUSDT', '1m', { forming: true }).subscribe(() => seen++));
      data.onEvent(depth({ ms: T + round }, false, round + 2, [[0, 10_000, 1 + (round % 2)]]));
      data.onEvent(trade({ ms: T + round }, 10_000));
      all.unsubscribe();
      // Current top and view, then one of each for the two events: six, however many rounds came before.
      expect(seen).toBe(6);
      expect(clock.pending).toBeLessThanOrEqual(1);
    }
    let after = 0;
    data.top('BTCUSDT').subscribe(() => after++);
    data.onEvent(depth({ ms: T + 2000 }, false, 1002, [[0, 10_000, 9]]));
    expect(after).toBe(2);
  });

  it('completes every stream at the end of the session', () => {
    const data = market();
    let completed = 0;
    const complete = (): void => void completed++;
    data.top('BTCUSDT').subscribe({ complete });
    data.trades('BTCUSDT').subscribe({ complete });
    data.candles('BTCUSDT', '1m').subscribe({ complete });
    data.ticker('BTCUSDT').subscribe({ complete });
    data.gaps('BTCUSDT').subscribe({ complete });
    data.close();
    expect(completed).toBe(5);
  });
});
