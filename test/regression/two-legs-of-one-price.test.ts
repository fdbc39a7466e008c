/**
 * Found by reading: two legs of one price were merged with the `postOnly` of the first, so that a quantity which should only
 * rest could trade at once.
 */
import { expect, it } from 'vitest';
import { quote } from '../../src/strategy/actions.ts';
import { BTC, denials, makeRig } from '../execution/rig.ts';

const { symbol } = BTC;

function quoted(price: string, ...postOnly: readonly boolean[]) {
  const rig = makeRig();
  const bids = postOnly.map((each) => ({ price, quantity: '0.01', postOnly: each }));
  rig.executor.submit('maker', quote(symbol, { bids, asks: [] }));
  return { denied: denials(rig), sent: rig.venue.creates().map(({ quantity }) => quantity) };
}

it.each([
  [false, true],
  [true, false],
])('execution/quote/legs-of-one-price-are-post-only-if-one-is (%s, %s)', (...postOnly) => {
  expect(quoted('60001', ...postOnly)).toEqual({ denied: ['would_cross'], sent: [] });
  expect(quoted('60000', ...postOnly)).toEqual({ denied: [], sent: ['0.02'] });
});

it('execution/quote/legs-that-may-cross-do', () => {
  expect(quoted('60001', false, false)).toEqual({ denied: [], sent: ['0.02'] });
});
