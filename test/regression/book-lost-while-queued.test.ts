/**
 * Found by the fault simulator (seeds 1 and 16, law D1): an order that waited in the queue left although its book had lost a
 * frame meanwhile and was being read anew, so that nothing it was decided by was known to be true any more.
 */
import { expect, it } from 'vitest';
import { BTC, makeRig } from '../execution/rig.ts';

const order = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

it('does not send an order whose book is gone when its turn comes', () => {
  const rig = makeRig({ specs: [BTC] });
  rig.venue.queueing = true;
  rig.executor.submit('maker', order);
  rig.market.open = false;
  rig.venue.release();
  expect(rig.venue.creates()).toEqual([]);
  expect(rig.events.find((event) => event.kind === 'denied')?.denied.reason).toBe('no_market');
});

it('sends it when the book is there again', () => {
  const rig = makeRig({ specs: [BTC] });
  rig.venue.queueing = true;
  rig.executor.submit('maker', order);
  rig.market.open = false;
  rig.market.open = true;
  rig.venue.release();
  expect(rig.venue.creates()).toHaveLength(1);
});
