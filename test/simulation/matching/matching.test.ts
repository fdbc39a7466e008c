/** Rules M0-M8 and T5 of matching, each by its number, with the worked example of M4. */
import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/model/market/market-event.ts';
import { buy, depth, gap, ioc, matching, prob, quote, sell, snapshot, trade } from '../market.ts';

const book = snapshot({ 100: 10, 99: 20 }, { 101: 5, 102: 7, 104: 9 });

describe('matching', () => {
  it('M0: orders match against the book with the newer best quote merged', () => {
    const { engine, tape } = matching();
    engine.onMarket(snapshot({ 100: 10 }, { 101: 5, 102: 7 }, { lastId: 10 }));
    engine.onMarket(quote([101, 4], [102, 3], { updateId: 11 }));
    engine.submit(ioc('a', BID, 102, 9), 0);
    expect(tape.seen).toEqual(['a 3@102 taker', 'a expired']);
  });

  it('M1: a marketable order walks the displayed levels up to its limit, at each level its price', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('a', 102, 20), 0);
    expect(tape.seen).toEqual(['a 5@101 taker', 'a 7@102 taker']);
  });

  it('M1: what was taken stays taken until the data refreshes the level', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(ioc('a', BID, 101, 4), 0);
    engine.submit(ioc('b', BID, 101, 4), 0);
    engine.onMarket(quote([100, 10], [101, 5], { exchangeUs: 1 }));
    engine.onMarket(snapshot({ 100: 10, 99: 20 }, { 101: 5, 102: 7 }, { exchangeUs: 2 }));
    engine.submit(ioc('c', BID, 101, 4), 0);
    expect(tape.seen).toEqual(['a 4@101 taker', 'b 1@101 taker', 'b expired', 'c expired']);
    engine.onMarket(depth({}, { 101: 5 }, { exchangeUs: 3 }));
    engine.submit(ioc('d', BID, 101, 4), 0);
    expect(tape.seen.slice(4)).toEqual(['d 4@101 taker']);
    engine.onMarket(depth({}, { 101: 6 }, { exchangeUs: 4 }));
    engine.submit(ioc('e', BID, 101, 9), 0);
    expect(tape.seen.slice(5)).toEqual(['e 6@101 taker', 'e expired']);
  });

  it('M1: the rest of an order is not filled by the level that it has consumed itself', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('a', 101, 8), 0);
    engine.onMarket(depth({ 99: 21 }, { 104: 8 }, { exchangeUs: 1 }));
    expect(tape.seen).toEqual(['a 5@101 taker']);
    engine.onMarket(depth({}, { 101: 2 }, { exchangeUs: 2 }));
    expect(tape.seen.slice(1)).toEqual(['a 3@101 maker']);
  });

  it('M1: own orders never match each other', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('a', 100, 3), 0);
    engine.submit(ioc('b', ASK, 100, 12), 0);
    expect(tape.seen).toEqual(['b 10@100 taker', 'b expired']);
  });

  it('M2: the rest of an ioc or market order expires, the rest of a gtc limit rests', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(ioc('market', BID, Infinity, 30), 0);
    engine.submit(buy('limit', 103, 2), 0);
    expect(tape.seen).toEqual(['market 5@101 taker', 'market 7@102 taker', 'market 9@104 taker', 'market expired']);
    engine.onMarket(trade('sell', 102, 1));
    expect(tape.seen.slice(4)).toEqual(['limit 2@103 maker']);
  });

  it('M3: a resting order joins behind the displayed quantity and behind own earlier orders', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('a', 100, 3), 0);
    engine.submit(buy('b', 100, 3), 0);
    engine.onMarket(trade('sell', 100, 10));
    expect(tape.seen).toEqual([]);
    engine.onMarket(trade('sell', 100, 4));
    expect(tape.seen).toEqual(['a 3@100 maker', 'b 1@100 maker']);
  });

  it('M4: the worked example: 5 others, own 3, 2 others, own 5; a print of 10', () => {
    const { engine, tape } = matching();
    engine.onMarket(snapshot({ 100: 5 }, { 101: 5 }));
    engine.submit(buy('o1', 100, 3), 0);
    engine.onMarket(depth({ 100: 7 }, {}));
    engine.submit(buy('o2', 100, 5), 0);
    engine.onMarket(trade('sell', 100, 10));
    expect(tape.seen).toEqual(['o1 3@100 maker']);
    engine.onMarket(trade('sell', 100, 2));
    expect(tape.seen.slice(1)).toEqual(['o2 2@100 maker']);
  });

  it('M4: prints by the same side at the price fill nothing', () => {
    const { engine, tape } = matching();
    engine.onMarket(snapshot({ 99: 5 }, { 101: 5 }));
    engine.submit(buy('a', 100, 3), 0);
    engine.onMarket(trade('buy', 100, 10));
    expect(tape.seen).toEqual([]);
    engine.onMarket(trade('sell', 100, 10));
    expect(tape.seen).toEqual(['a 3@100 maker']);
  });

  it('M5: a trade strictly through the price fills the order whole, best price first', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('deep', 99, 30), 0);
    engine.submit(buy('best', 100, 40), 0);
    engine.submit(sell('ask', 104, 50), 0);
    engine.onMarket(trade('sell', 98, 1));
    engine.onMarket(trade('buy', 105, 1));
    expect(tape.seen).toEqual(['best 40@100 maker', 'deep 30@99 maker', 'ask 50@104 maker']);
  });

  it('M5: the opposite best that reaches the price fills the order whole', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('a', 100, 40), 0);
    engine.submit(sell('b', 101, 40), 0);
    engine.onMarket(depth({ 101: 1 }, { 101: 0 }));
    expect(tape.seen).toEqual(['b 40@101 maker']);
    engine.onMarket(quote([98, 1], [100, 2], { exchangeUs: 1 }));
    expect(tape.seen.slice(1)).toEqual(['a 40@100 maker']);
  });

  it('M5: a depth message is applied whole before orders are looked at; row by row in mode hft', () => {
    const moves = depth({}, { 100: 1 }, { exchangeUs: 1 });
    const both = {
      ...moves,
      levels: {
        ...moves.levels,
        sides: Uint8Array.of(ASK, ASK),
        ticks: Float64Array.of(100, 100),
        lots: Float64Array.of(1, 0),
        to: 2,
      },
    };
    const whole = matching();
    const rows = matching({ mode: 'hft' });
    for (const { engine } of [whole, rows]) {
      engine.onMarket(snapshot({ 99: 20 }, { 101: 5 }));
      engine.submit(buy('a', 100, 3), 0);
      engine.onMarket(both);
    }
    expect(whole.tape.seen).toEqual([]);
    expect(rows.tape.seen).toEqual(['a 3@100 maker']);
  });

  it('M6: with risk-averse every decrease is behind as long as it can be', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    engine.submit(buy('a', 100, 5), 0);
    engine.onMarket(depth({ 100: 16 }, {}));
    engine.onMarket(depth({ 100: 10 }, {}));
    engine.onMarket(trade('sell', 100, 9));
    expect(tape.seen).toEqual([]);
    engine.onMarket(depth({ 100: 0 }, {}));
    engine.onMarket(trade('sell', 100, 2));
    expect(tape.seen).toEqual(['a 2@100 maker']);
  });

  it('M6: a decrease that prints account for is no cancel', () => {
    const { engine, tape } = matching({ queue: prob });
    engine.onMarket(snapshot({ 100: 10 }, { 101: 5 }));
    const order = buy('a', 100, 5);
    engine.submit(order, 0);
    engine.onMarket(depth({ 100: 20 }, {}));
    engine.onMarket(trade('sell', 100, 4));
    expect(order.front).toBe(6);
    engine.onMarket(depth({ 100: 16 }, {}));
    expect(order.front).toBe(6);
    expect(tape.seen).toEqual([]);
  });

  it('M6: a print soon after a decrease that it explains is applied to the state before', () => {
    const late = matching({ queue: prob, nettingUs: 100_000 });
    const inOrder = matching({ queue: prob, nettingUs: 100_000 });
    const tooLate = matching({ queue: prob, nettingUs: 100_000 });
    const fronts = [late, inOrder, tooLate].map(({ engine }, index) => {
      engine.onMarket(snapshot({ 100: 10 }, { 101: 5 }));
      const order = buy('a', 100, 5);
      engine.submit(order, 0);
      engine.onMarket(depth({ 100: 20 }, {}, { exchangeUs: 1000 }));
      if (index === 1) engine.onMarket(trade('sell', 100, 4, { exchangeUs: 1500 }));
      engine.onMarket(depth({ 100: 14 }, {}, { exchangeUs: 2000 }));
      if (index === 0) engine.onMarket(trade('sell', 100, 4, { exchangeUs: 90_000 }));
      if (index === 2) engine.onMarket(trade('sell', 100, 4, { exchangeUs: 102_001 }));
      return order.front;
    });
    expect(fronts[0]).toBe(fronts[1]);
    expect(fronts[2]).toBeLessThan(fronts[0] ?? 0);
  });

  it('M6: a late print may fill from the state before the decrease, never more than is printed', () => {
    const { engine, tape } = matching({ queue: prob, nettingUs: 100_000 });
    engine.onMarket(snapshot({ 100: 4 }, { 101: 5 }));
    engine.submit(buy('a', 100, 5), 0);
    engine.onMarket(depth({ 100: 0 }, {}, { exchangeUs: 1000 }));
    engine.onMarket(trade('sell', 100, 6, { exchangeUs: 1500 }));
    expect(tape.seen).toEqual(['a 2@100 maker']);
  });

  it('M7: no-partial-fill takes the whole order at the best price, and fills resting orders whole', () => {
    const { engine, tape } = matching({ exchange: 'no-partial-fill' });
    engine.onMarket(book);
    engine.submit(ioc('taker', BID, 104, 50), 0);
    engine.submit(buy('a', 100, 8), 0);
    engine.onMarket(trade('sell', 100, 10));
    expect(tape.seen).toEqual(['taker 50@101 taker']);
    engine.onMarket(trade('sell', 100, 1));
    expect(tape.seen.slice(1)).toEqual(['a 8@100 maker']);
  });

  it('M7: no-partial-fill counts half a lot beyond the front as reached', () => {
    const { engine, tape } = matching({ exchange: 'no-partial-fill' });
    engine.onMarket(snapshot({ 100: 10 }, { 101: 5 }));
    const order = buy('a', 100, 8);
    engine.submit(order, 0);
    order.front = 0.6;
    engine.onMarket(trade('sell', 100, 1));
    expect(tape.seen).toEqual([]);
    order.front = 0.5;
    engine.onMarket(trade('sell', 100, 1));
    expect(tape.seen).toEqual(['a 8@100 maker']);
  });

  it('M7: l1 knows nothing of prices behind the best, so an order there waits until its price is shown', () => {
    const { engine, tape } = matching({ exchange: 'l1' });
    engine.onMarket(quote([100, 10], [101, 5], { exchangeUs: 1 }));
    engine.submit(buy('deep', 98, 3), 1);
    engine.onMarket(trade('sell', 98, 50, { exchangeUs: 2 }));
    expect(tape.seen).toEqual([]);
    engine.onMarket(quote([98, 6], [99, 5], { exchangeUs: 3 }));
    engine.onMarket(trade('sell', 98, 7, { exchangeUs: 4 }));
    expect(tape.seen).toEqual(['deep 1@98 maker']);
    engine.onMarket(quote([97, 6], [98, 5], { exchangeUs: 5 }));
    expect(tape.seen.slice(1)).toEqual(['deep 2@98 maker']);
  });

  it('M8: a fill before the cancel arrives wins', () => {
    const { engine, tape } = matching();
    engine.onMarket(book);
    const order = buy('a', 100, 5);
    engine.submit(order, 0);
    engine.onMarket(trade('sell', 99, 1));
    engine.cancel(order);
    engine.submit(order.open ? order : buy('b', 100, 5), 0);
    engine.onMarket(trade('sell', 99, 1));
    expect(tape.seen).toEqual(['a 5@100 maker', 'b 5@100 maker']);
  });

  it('T5: nothing fills across a gap unless a later print or quote proves it', () => {
    const { engine, tape } = matching({ sync: { rule: 'seq', start: 'snapshot' } });
    engine.onMarket(snapshot({ 100: 10 }, { 103: 5 }, { lastId: 1 }));
    engine.submit(buy('a', 102, 5), 0);
    engine.submit(buy('b', 101, 5), 0);
    engine.submit(buy('c', 100, 5), 0);
    engine.onMarket(gap(true));
    engine.onMarket(depth({}, { 102: 5 }, { firstId: 9, lastId: 9 }));
    expect(tape.seen).toEqual([]);
    engine.onMarket(quote([101, 1], [102, 4], { updateId: 20 }));
    expect(tape.seen).toEqual(['a 5@102 maker']);
    engine.onMarket(trade('sell', 100, 1));
    expect(tape.seen.slice(1)).toEqual(['b 5@101 maker']);
    engine.onMarket(snapshot({ 100: 3 }, { 103: 5 }, { lastId: 30 }));
    engine.onMarket(trade('sell', 100, 4));
    expect(tape.seen.slice(2)).toEqual(['c 1@100 maker']);
  });

  it('T5: an order that arrives while the book is not proved waits for it, an ioc expires', () => {
    const { engine, tape } = matching({ sync: { rule: 'seq', start: 'snapshot' } });
    const gone = buy('gone', 105, 5);
    engine.submit(buy('a', 101, 8), 0);
    engine.submit(gone, 0);
    engine.submit(ioc('now', BID, Infinity, 1), 0);
    engine.cancel(gone);
    engine.onMarket(snapshot({ 100: 10 }, { 101: 5 }, { lastId: 1 }));
    expect(tape.seen).toEqual(['now expired no_market_data', 'a 5@101 taker']);
  });

  it('T6: a restored order rejoins at the back and never takes', () => {
    const { engine, tape } = matching();
    engine.rejoin(buy('a', 100, 5), 0);
    engine.rejoin(buy('crossed', 102, 5), 0);
    engine.onMarket(book);
    expect(tape.seen).toEqual(['crossed 5@102 maker']);
    engine.onMarket(trade('sell', 100, 11));
    expect(tape.seen.slice(1)).toEqual(['a 1@100 maker']);
  });
});

describe('mode hft', () => {
  it('plays a script as NoPartialFillExchange with RiskAdverseQueueModel does', () => {
    const { engine, tape } = matching({ mode: 'hft' });
    engine.onMarket(snapshot({ 100: 10, 99: 20 }, { 101: 5, 102: 7 }));
    // Best quotes are ignored.
    engine.onMarket(quote([101, 1], [102, 1], { exchangeUs: 1 }));
    engine.submit(buy('a', 100, 5), 1);
    engine.submit(buy('b', 100, 5), 1);
    engine.submit(sell('c', 102, 5), 1);
    // Each order counts the whole print against its own front, own orders ahead do not.
    engine.onMarket(trade('sell', 100, 11, { exchangeUs: 2 }));
    expect(tape.seen).toEqual(['a 5@100 maker', 'b 5@100 maker']);
    // A print of the same side proves nothing.
    engine.onMarket(trade('sell', 103, 1, { exchangeUs: 3 }));
    expect(tape.seen).toHaveLength(2);
    // front = min(front, new), then a print beyond it.
    engine.onMarket(depth({}, { 102: 2 }, { exchangeUs: 4 }));
    engine.onMarket(trade('buy', 102, 2, { exchangeUs: 5 }));
    expect(tape.seen).toHaveLength(2);
    engine.onMarket(trade('buy', 102, 1, { exchangeUs: 6 }));
    expect(tape.seen.slice(2)).toEqual(['c 5@102 maker']);
    // A marketable order fills whole at the best price.
    engine.submit(buy('d', 105, 50), 7);
    expect(tape.seen.slice(3)).toEqual(['d 50@101 taker']);
  });
});
