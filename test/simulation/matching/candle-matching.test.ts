/** Rule M7, `candles`. */
import { describe, expect, it } from 'vitest';
import { ASK, BID, type BarOpenEvent, type CandleEvent } from '../../../src/model/market/market-event.ts';
import type { ArmedStop } from '../../../src/model/trading/program.ts';
import { CandleMatching, type CandleOptions } from '../../../src/simulation/matching/candle-matching.ts';
import { buy, candle, ioc, sell, spot, Tape } from '../market.ts';

const MINUTE_US = 60_000_000;

function candles(options: Partial<CandleOptions> = {}, stops: readonly ArmedStop[] = []) {
  const tape = new Tape();
  return {
    engine: new CandleMatching(spot, { participation: 1, slippageBps: 0, ...options }, tape, null, () => stops),
    tape,
  };
}

type Prices = readonly [number, number, number, number];

/** The bar of a minute; minute 0 begins at 0. */
function bar(minute: number, prices: Prices, volume: number): CandleEvent {
  const closeUs = (minute + 1) * MINUTE_US;
  return candle(prices, volume, { openTime: minute * 60_000, exchangeUs: closeUs, receiveUs: closeUs + 1000 });
}

function opening(of: CandleEvent): BarOpenEvent {
  const us = of.openTime * 1000;
  return { ...of, kind: 'bar-open', exchangeUs: us, receiveUs: us };
}

const FLAT: Prices = [100, 100, 100, 100];
/** A decision at the close of minute 0, and when its order arrives. */
const DECIDED = MINUTE_US + 1000;
const ARRIVED = MINUTE_US + 26_000;

describe('matching on candles', () => {
  it.each([true, false])('M7: what is decided at a close takes the next open (told before the close: %s)', (isTold) => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, [100, 110, 90, 105], 50));
    const next = bar(1, [107, 120, 95, 119], 50);
    if (isTold) engine.onMarket(opening(next));
    engine.submit(ioc('market', BID, Infinity, 5), ARRIVED, DECIDED);
    engine.submit(buy('crossed', 108, 5), ARRIVED, DECIDED);
    engine.submit(buy('at the close', 105, 5), ARRIVED, DECIDED);
    if (isTold) {
      expect(tape.seen).toEqual(['market 5@107 taker', 'crossed 5@107 taker']);
      expect(engine.midHalfTicks).toBe(214);
    }
    engine.onMarket(next);
    expect(tape.seen).toEqual(['market 5@107 taker', 'crossed 5@107 taker', 'at the close 5@105 maker']);
    expect(engine.midHalfTicks).toBe(238);
  });

  it('M7: nothing trades before there is a price', () => {
    const { engine, tape } = candles();
    engine.submit(ioc('early', BID, Infinity, 5), 0);
    engine.submit(buy('rests', 101, 5), 0);
    engine.onMarket(bar(0, FLAT, 50));
    expect(tape.seen).toEqual(['early expired no_market_data', 'rests 5@100 taker']);
  });

  it('M7: an order in answer to what a fill told of the open waits for the next open', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    const [next, after] = [bar(1, [107, 108, 106, 107], 50), bar(2, [120, 121, 119, 120], 50)];
    engine.onMarket(opening(next));
    engine.submit(ioc('first', BID, Infinity, 1), ARRIVED, DECIDED);
    engine.submit(ioc('answer', BID, Infinity, 1), ARRIVED + 50_000, ARRIVED + 25_000);
    // The second step of one decision knows no more than the first.
    engine.submit(ioc('second step', ASK, -Infinity, 1), ARRIVED + 50_000, DECIDED);
    engine.onMarket(next);
    engine.onMarket(opening(after));
    engine.tradeOpen(engine.openDueUs);
    expect(tape.seen).toEqual(['first 1@107 taker', 'second step 1@107 taker', 'answer 1@120 taker']);
  });

  it('M7: a latency below one bar does not delay, a decision in the middle of a bar waits for the next', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    const [next, after] = [bar(1, [107, 108, 90, 107], 50), bar(2, [120, 121, 119, 120], 50)];
    engine.onMarket(opening(next));
    engine.submit(ioc('slow', BID, Infinity, 1), MINUTE_US + 50_000_000, DECIDED);
    engine.submit(ioc('late', BID, Infinity, 1), MINUTE_US + 30_026_000, MINUTE_US + 30_000_000);
    engine.submit(buy('late limit', 95, 1), MINUTE_US + 30_026_000, MINUTE_US + 30_000_000);
    engine.onMarket(next);
    engine.onMarket(opening(after));
    engine.onMarket(after);
    expect(tape.seen).toEqual(['slow 1@107 taker', 'late 1@120 taker']);
  });

  it('M7: a market order fills worse than the open by the slippage, to the next tick; a limit order does not', () => {
    const { engine, tape } = candles({ slippageBps: 50 });
    engine.onMarket(bar(0, FLAT, 50));
    engine.onMarket(opening(bar(1, [1000, 1000, 1000, 1000], 50)));
    engine.submit(ioc('buys', BID, Infinity, 1), ARRIVED, DECIDED);
    engine.submit(ioc('sells', ASK, -Infinity, 1), ARRIVED, DECIDED);
    engine.submit(buy('limit', 1001, 1), ARRIVED, DECIDED);
    expect(tape.seen).toEqual(['buys 1@1005 taker', 'sells 1@995 taker', 'limit 1@1000 taker']);
  });

  it('M7: a stop fills at the worse of its trigger and the open', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    engine.onMarket(opening(bar(1, [100, 100, 100, 100], 50)));
    engine.submit(ioc('rose since', ASK, -Infinity, 1), ARRIVED, DECIDED, { fired: 98 });
    engine.submit(ioc('gapped', ASK, -Infinity, 1), ARRIVED, DECIDED, { fired: 103 });
    engine.submit(ioc('buys back', BID, Infinity, 1), ARRIVED, DECIDED, { fired: 101 });
    expect(tape.seen).toEqual(['rose since 1@98 taker', 'gapped 1@100 taker', 'buys back 1@101 taker']);
  });

  it('M7: a stop with a limit fills no better, and not beyond its limit', () => {
    const { engine, tape } = candles({ slippageBps: 100 });
    engine.onMarket(bar(0, FLAT, 50));
    engine.onMarket(opening(bar(1, [100, 100, 100, 100], 50)));
    engine.submit(sell('rose since', 97, 1), ARRIVED, DECIDED, { fired: 98 });
    engine.submit(buy('buys back', 103, 1), ARRIVED, DECIDED, { fired: 101 });
    engine.submit(sell('gapped', 101, 1), ARRIVED, DECIDED, { fired: 103 });
    expect(tape.seen).toEqual(['rose since 1@98 taker', 'buys back 1@101 taker']);
  });

  it('M7: what is left of a stop trades at the next open, wherever its trigger was', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(ioc('large', ASK, -Infinity, 8), ARRIVED, DECIDED, { fired: 98 });
    engine.onMarket(bar(1, [100, 100, 100, 100], 5));
    engine.onMarket(bar(2, [103, 104, 102, 103], 5));
    expect(tape.seen).toEqual(['large 5@98 taker', 'large 3@103 taker']);
  });

  it('M7: of a stop and a target in one bar the stop counts', () => {
    const stop: ArmedStop = { strategy: 'a', program: 'oco', closes: 'sell', ticks: 98, lots: 5 };
    const { engine, tape } = candles({}, [stop]);
    const exit = (name: string, strategy: string, program?: string): void =>
      engine.submit(sell(name, 101, 5), ARRIVED, DECIDED, { exitOf: { strategy, program } });
    engine.onMarket(bar(0, FLAT, 100));
    exit('beside a stop', 'a', 'oco');
    exit('of its strategy', 'a');
    exit('of another program', 'a', 'other');
    exit('of another strategy', 'b');
    engine.submit(sell('alone', 101, 5), ARRIVED, DECIDED);
    engine.onMarket(bar(1, [100, 102, 97, 100], 100));
    const others = ['of another program 5@101 maker', 'of another strategy 5@101 maker', 'alone 5@101 maker'];
    expect(tape.seen).toEqual(others);
    engine.onMarket(bar(2, [100, 102, 99, 100], 100));
    expect(tape.seen).toEqual([...others, 'beside a stop 5@101 maker', 'of its strategy 5@101 maker']);
  });

  it('M7: a limit fills only when traded through, at its own price', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(buy('touched', 95, 5), ARRIVED, DECIDED);
    engine.submit(buy('through', 96, 5), ARRIVED, DECIDED);
    engine.submit(ioc('not crossed', BID, 100, 5), ARRIVED, DECIDED);
    engine.onMarket(bar(1, [100, 100, 95, 98], 50));
    expect(tape.seen).toEqual(['not crossed expired', 'through 5@96 maker']);
  });

  it('M7: a resting limit that the next open lies beyond fills at that open', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(buy('rests', 96, 5), ARRIVED, DECIDED);
    engine.onMarket(bar(1, FLAT, 50));
    engine.onMarket(bar(2, [93, 94, 92, 93], 50));
    expect(tape.seen).toEqual(['rests 5@93 taker']);
  });

  it('M7: the path runs to the nearer extreme first', () => {
    const highFirst = candles();
    const lowFirst = candles();
    for (const { engine } of [highFirst, lowFirst]) {
      engine.onMarket(bar(0, FLAT, 50));
      engine.submit(buy('buy', 96, 5), ARRIVED, DECIDED);
      engine.submit(sell('sell', 104, 5), ARRIVED, DECIDED);
    }
    highFirst.engine.onMarket(bar(1, [100, 105, 90, 100], 50));
    lowFirst.engine.onMarket(bar(1, [100, 110, 95, 100], 50));
    expect(highFirst.tape.seen).toEqual(['sell 5@104 maker', 'buy 5@96 maker']);
    expect(lowFirst.tape.seen).toEqual(['buy 5@96 maker', 'sell 5@104 maker']);
  });

  it('M7: own orders together take at most the participation of the volume, the rest of them in the next bars', () => {
    const { engine, tape } = candles({ participation: 0.1 });
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(ioc('market', BID, Infinity, 12), ARRIVED, DECIDED);
    engine.submit(buy('a', 99, 4), ARRIVED, DECIDED);
    engine.submit(buy('b', 98, 4), ARRIVED, DECIDED);
    engine.onMarket(bar(1, [100, 100, 90, 95], 59));
    engine.onMarket(bar(2, [101, 101, 90, 95], 0));
    engine.onMarket(bar(3, [102, 102, 90, 95], 109));
    engine.onMarket(bar(4, [102, 102, 90, 95], 59));
    expect(tape.seen).toEqual([
      'market 5@100 taker',
      'market 7@102 taker',
      'a 3@99 maker',
      'a 1@99 maker',
      'b 4@98 maker',
    ]);
  });

  it('an order behind which the price lies fills at the next open, within the volume', () => {
    const { engine, tape } = candles({ participation: 0.1 });
    engine.onMarket(bar(0, [105, 105, 105, 105], 50));
    engine.submit(buy('late', 100, 4), 90_000_000);
    engine.submit(buy('better', 101, 4), 91_000_000);
    engine.onMarket(bar(1, [105, 105, 90, 90], 59));
    engine.onMarket(bar(2, [90, 91, 90, 91], 50));
    expect(tape.seen).toEqual(['better 4@90 taker', 'late 1@90 taker']);
    engine.onMarket(bar(3, [91, 92, 91, 92], 50));
    expect(tape.seen.slice(2)).toEqual(['late 3@91 taker']);
  });

  it('a cancelled order fills no more', () => {
    const { engine, tape } = candles({ participation: 0.1 });
    engine.onMarket(bar(0, FLAT, 50));
    const order = ioc('market', BID, Infinity, 9);
    engine.submit(order, ARRIVED, DECIDED);
    engine.onMarket(bar(1, FLAT, 50));
    engine.cancel(order);
    engine.onMarket(bar(2, FLAT, 50));
    expect(tape.seen).toEqual(['market 5@100 taker']);
  });

  it('a market order that the account can no longer pay for expires', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(ioc('market', BID, Infinity, 9), ARRIVED, DECIDED);
    tape.covers = () => false;
    engine.onMarket(bar(1, FLAT, 50));
    expect(tape.seen).toEqual(['market expired insufficient_balance']);
  });

  it('a bar that is told again, by another recording, is none', () => {
    const { engine, tape } = candles({ participation: 0.1 });
    const [next, again] = [bar(1, FLAT, 50), bar(1, [90, 91, 80, 81], 50)];
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(ioc('market', BID, Infinity, 15), ARRIVED, DECIDED);
    for (const each of [next, again]) engine.onMarket(opening(each));
    for (const each of [next, again]) engine.onMarket(each);
    expect(tape.seen).toEqual(['market 5@100 taker']);
    expect(engine.midHalfTicks).toBe(200);
  });

  it('a forming candle and other intervals are not traded on', () => {
    const { engine, tape } = candles();
    engine.onMarket(bar(0, FLAT, 50));
    engine.submit(buy('a', 99, 4), ARRIVED, DECIDED);
    engine.onMarket({ ...bar(1, [100, 100, 90, 95], 59), closed: false });
    engine.onMarket({ ...bar(1, [100, 100, 90, 95], 59), intervalMs: 300_000 });
    expect(tape.seen).toEqual([]);
  });
});
