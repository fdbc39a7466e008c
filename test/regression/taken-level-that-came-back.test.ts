/**
 * Rule M1: what own takers took stays taken until the data refreshes the level. A level that changed and later showed
 * its old quantity again was still held for taken. Found while the parity runs were read against the rule.
 */
import { expect, it } from 'vitest';
import { BID } from '../../src/model/market/market-event.ts';
import { ioc, matching, quote, snapshot } from '../simulation/market.ts';

it('forgets what was taken when best quotes change the level, even back to what it was', () => {
  const { engine, tape } = matching();
  engine.onMarket(snapshot({ 100: 10 }, { 101: 5 }));
  engine.submit(ioc('a', BID, 101, 4), 0);
  engine.onMarket(quote([100, 10], [101, 7], { exchangeUs: 1 }));
  engine.onMarket(quote([100, 10], [101, 5], { exchangeUs: 2 }));
  engine.submit(ioc('b', BID, 101, 4), 3);
  expect(tape.seen).toEqual(['a 4@101 taker', 'b 4@101 taker']);
});

it('forgets it too when the level was gone meanwhile', () => {
  const { engine, tape } = matching();
  engine.onMarket(snapshot({ 100: 10 }, { 101: 5, 102: 9 }));
  engine.submit(ioc('a', BID, 101, 4), 0);
  engine.onMarket(quote([100, 10], [102, 9], { exchangeUs: 1 }));
  engine.onMarket(quote([100, 10], [101, 5], { exchangeUs: 2 }));
  engine.submit(ioc('b', BID, 101, 4), 3);
  expect(tape.seen).toEqual(['a 4@101 taker', 'b 4@101 taker']);
});
