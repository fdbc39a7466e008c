/** Rule M7, `candles`. */
import { describe, expect, it } from 'vitest';
import { BID } from '../../src/model/market-event.ts';
import { CandleMatching } from '../../src/simulation/candle-matching.ts';
import { buy, candle, ioc, sell, spot, Tape } from './market.ts';

function candles(participation = 1) {
  const tape = new Tape();
  return { engine: new CandleMatching(spot, participation, tape), tape };
}

const next = { openTime: 60_000, exchangeUs: 120_000_000 };

describe('matching on candles', () => {
  it('M7: a marketable order trades at the last close; nothing trades before there is one', () => {
    const { engine, tape } = candles();
    engine.submit(ioc('early', BID, Infinity, 5), 0);
    engine.onMarket(candle([100, 110, 90, 105], 50));
    engine.submit(ioc('market', BID, Infinity, 5), 60_025_000);
    engine.submit(buy('limit', 106, 5), 60_025_000);
    expect(tape.seen).toEqual(['early expired no_market_data', 'market 5@105 taker', 'limit 5@105 taker']);
    expect(engine.midHalfTicks).toBe(210);
  });

  it('M7: a limit fills only when traded through, at its own price', () => {
    const { engine, tape } = candles();
    engine.onMarket(candle([100, 100, 100, 100], 50));
    engine.submit(buy('touched', 95, 5), 60_025_000);
    engine.submit(buy('through', 96, 5), 60_025_000);
    engine.onMarket(candle([100, 100, 95, 98], 50, next));
    expect(tape.seen).toEqual(['through 5@96 maker']);
  });

  it('M7: the path runs to the nearer extreme first', () => {
    const highFirst = candles();
    const lowFirst = candles();
    for (const { engine } of [highFirst, lowFirst]) {
      engine.onMarket(candle([100, 100, 100, 100], 50));
      engine.submit(buy('buy', 96, 5), 60_000_000);
      engine.submit(sell('sell', 104, 5), 60_000_000);
    }
    highFirst.engine.onMarket(candle([100, 105, 90, 100], 50, next));
    lowFirst.engine.onMarket(candle([100, 110, 95, 100], 50, next));
    expect(highFirst.tape.seen).toEqual(['sell 5@104 maker', 'buy 5@96 maker']);
    expect(lowFirst.tape.seen).toEqual(['buy 5@96 maker', 'sell 5@104 maker']);
  });

  it('M7: own orders together take at most the participation of the volume', () => {
    const { engine, tape } = candles(0.1);
    engine.onMarket(candle([100, 100, 100, 100], 50));
    engine.submit(buy('a', 99, 4), 60_000_000);
    engine.submit(buy('b', 98, 4), 60_000_000);
    engine.onMarket(candle([100, 100, 90, 95], 59, next));
    expect(tape.seen).toEqual(['a 4@99 maker', 'b 1@98 maker']);
  });

  it('an order that arrives inside a candle does not fill from its past', () => {
    const { engine, tape } = candles();
    engine.onMarket(candle([100, 100, 100, 100], 50));
    engine.submit(buy('late', 99, 4), 90_000_000);
    engine.onMarket(candle([100, 100, 90, 95], 59, next));
    expect(tape.seen).toEqual([]);
    engine.onMarket(candle([95, 95, 94, 95], 59, { openTime: 120_000, exchangeUs: 180_000_000 }));
    expect(tape.seen).toEqual(['late 4@99 maker']);
  });

  it('an order behind which the price lies fills in the next candle, though that only rises', () => {
    const { engine, tape } = candles(0.1);
    engine.onMarket(candle([105, 105, 105, 105], 50));
    engine.submit(buy('late', 100, 4), 90_000_000);
    engine.submit(buy('better', 101, 4), 91_000_000);
    engine.onMarket(candle([105, 105, 90, 90], 59, next));
    engine.onMarket(candle([90, 91, 90, 91], 50, { openTime: 120_000, exchangeUs: 180_000_000 }));
    // A tenth of the volume is left for own orders: the rest of them stands until the next.
    expect(tape.seen).toEqual(['better 4@101 maker', 'late 1@100 maker']);
    engine.onMarket(candle([91, 92, 91, 92], 50, { openTime: 180_000, exchangeUs: 240_000_000 }));
    expect(tape.seen.slice(2)).toEqual(['late 3@100 maker']);
  });

  it('a forming candle and other intervals are not traded on', () => {
    const { engine, tape } = candles();
    engine.onMarket(candle([100, 100, 100, 100], 50));
    engine.submit(buy('a', 99, 4), 60_000_000);
    engine.onMarket(candle([100, 100, 90, 95], 59, { ...next, closed: false }));
    engine.onMarket(candle([100, 100, 90, 95], 59, { ...next, intervalMs: 300_000 }));
    expect(tape.seen).toEqual([]);
  });
});
