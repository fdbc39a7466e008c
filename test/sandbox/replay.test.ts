/** A replayed market mirrors the recorded book, prints the recorded trades, and meets users' orders. */
import { describe, expect, it } from 'vitest';
import { Instrument } from '../../src/model/market/instrument.ts';
import { ASK, BID, type BookSide, type MarketEvent } from '../../src/model/market/market-event.ts';
import type { Market } from '../../src/model/market/instrument.ts';
import { isRefusal } from '../../src/sandbox/core/refusal.ts';
import { instrumentSpecs } from '../../src/sandbox/core/market/instruments.ts';
import type { MarketDriver } from '../../src/sandbox/market/driver.ts';
import { replayMarket, type ReplayEvents } from '../../src/sandbox/market/replay.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { levelsOf } from './book-levels.ts';
import { ManualClock } from './manual-clock.ts';

const spec = instrumentSpecs[0]!;
const instrument = new Instrument(spec);

function depth(us: number, snapshot: boolean, rows: readonly [BookSide, number, number][]): MarketEvent {
  const levels = {
    sides: Uint8Array.from(rows.map((row) => row[0])),
    ticks: Float64Array.from(rows.map((row) => row[1])),
    lots: Float64Array.from(rows.map((row) => row[2])),
    from: 0,
    to: rows.length,
  };
  return {
    kind: 'depth',
    instrument,
    exchangeUs: us,
    receiveUs: us,
    snapshot,
    firstId: 0,
    lastId: 0,
    previousId: 0,
    levels,
  };
}

function trade(us: number, ticks: number, lots: number, takerBuys: boolean): MarketEvent {
  return { kind: 'trade', instrument, exchangeUs: us, receiveUs: us, tradeId: String(us), ticks, lots, takerBuys };
}

function replayOf(events: readonly MarketEvent[]): ReplayEvents {
  let index = 0;
  return {
    get nextUs() {
      return events[index]?.exchangeUs ?? Number.POSITIVE_INFINITY;
    },
    next: () => events[index++]!,
  };
}

describe('replayed market', () => {
  it('mirrors depth, prints trades, fills users in their queue, and keeps the sums', () => {
    const clock = new ManualClock();
    const events = replayOf([
      depth(0, true, [
        [BID, 5_000_000, 10],
        [BID, 4_999_900, 5],
        [ASK, 5_000_100, 8],
      ]),
      depth(100_000, false, [[BID, 5_000_000, 16]]),
      trade(200_000, 5_000_000, 1012, false),
      depth(300_000, false, [
        [ASK, 5_000_100, 0],
        [BID, 5_000_100, 3],
        [ASK, 5_000_200, 2],
      ]),
      trade(400_000, 5_000_200, 5, true),
    ]);
    const sandbox = new Sandbox({ clock, market: replayMarket({ instruments: [spec], events }), instruments: [spec] });
    sandbox.start();
    const market = sandbox.exchange.markets.get('BTCUSDT')!;
    const { trader } = sandbox.exchange.identity.userByLogin('alice')!;
    expect([levelsOf(market, BID), levelsOf(market, ASK)]).toEqual([
      [
        [5_000_000, 10],
        [4_999_900, 5],
      ],
      [[5_000_100, 8]],
    ]);
    const request = {
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '50000',
      quantity: '0.01',
    } as const;
    const order = sandbox.exchange.placeSpot(trader, request, sandbox.now());
    if (isRefusal(order)) throw new Error(order.message);
    clock.advance(100);
    expect(levelsOf(market, BID)[0]).toEqual([5_000_000, 1016]);
    clock.advance(100);
    // 10 that stood before, all 1000 of the user, and 2 of the 6 that came behind.
    expect(order).toMatchObject({ status: 'filled', filledLots: 1000 });
    expect(levelsOf(market, BID)[0]).toEqual([5_000_000, 4]);
    clock.advance(100);
    expect([levelsOf(market, BID)[0], levelsOf(market, ASK)[0]]).toEqual([
      [5_000_100, 3],
      [5_000_200, 2],
    ]);
    clock.advance(100);
    expect(market.candles.latest?.lots).toBe(1017);
    expect(market.lastTicks).toBe(5_000_200);
    clock.advance(60_000);
    expect(market.book.bidTicks).toBe(5_000_100);
    for (const [, total] of sandbox.exchange.accounts.totals()) expect(total.toFixed()).toBe('0');
    const markets = new Set<Market>(['spot']);
    expect(sandbox.exchange.orders.active(trader, { markets })).toEqual([]);
    sandbox.stop();
  });

  it('plays a multiple of the recorded rate, and each recorded instant as an operation of its own', () => {
    const clock = new ManualClock();
    const quotes: [BookSide, number, number][] = [
      [BID, 5_000_000, 10],
      [ASK, 5_000_100, 8],
    ];
    const instants = Array.from({ length: 50 }, (_, i) => depth((i + 1) * 2000, false, [[BID, 5_000_000, 11 + i]]));
    const events = replayOf([depth(0, true, quotes), ...instants]);
    const replayed = replayMarket({ instruments: [spec], events, speed: 2 });
    let operations = 0;
    const market: MarketDriver = {
      ...replayed,
      start: (driven) =>
        replayed.start({
          ...driven,
          operate: (step) => {
            operations += 1;
            driven.operate(step);
          },
        }),
    };
    const sandbox = new Sandbox({ clock, market, instruments: [spec] });
    sandbox.start();
    expect(operations).toBe(1);
    clock.advance(40);
    expect(operations).toBe(1 + 40);
    expect(levelsOf(sandbox.exchange.markets.get('BTCUSDT')!, BID)).toEqual([[5_000_000, 50]]);
    clock.advance(1000);
    expect(operations).toBe(1 + 50);
    sandbox.stop();
  });

  it('of nothing is a market without a book', () => {
    const clock = new ManualClock();
    const market = replayMarket({ instruments: [spec], events: replayOf([]) });
    const sandbox = new Sandbox({ clock, market, instruments: [spec] });
    sandbox.start();
    clock.advance(1000);
    expect(sandbox.exchange.markets.get('BTCUSDT')?.book.bidTicks).toBe(0);
    sandbox.stop();
  });
});
