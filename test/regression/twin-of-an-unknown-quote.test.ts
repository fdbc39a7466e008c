/**
 * Found by the fault simulator (seed 28, law S4): where the exchange keeps no client order ids, a quote could leave with the
 * same price and quantity as one whose fate was not known yet. The reconciler then took the younger order for the older
 * intent, and concluded that the younger one, which was at the exchange, had never arrived.
 */
import { expect, it } from 'vitest';
import { BTC, makeRig } from '../execution/rig.ts';

function quoteAt(price: string) {
  return { kind: 'quote', symbol: 'BTCUSDT', bids: [{ price, quantity: '0.01' }], asks: [] } as const;
}

function afterALostAnswer(clientOrderIds: boolean) {
  const rig = makeRig({ specs: [BTC], clientOrderIds });
  rig.venue.createMode = 'ack-lost';
  rig.executor.submit('maker', quoteAt('59000'));
  rig.executor.submit('maker', quoteAt('58000'));
  rig.executor.submit('maker', quoteAt('59000'));
  return rig;
}

it('lets no order leave that looks the same as one of unknown outcome', () => {
  const rig = afterALostAnswer(false);
  expect(rig.venue.creates().map(({ price }) => price)).toEqual(['59000', '58000']);
});

it('lets it leave where a client order id tells them apart', () => {
  const rig = afterALostAnswer(true);
  expect(rig.venue.creates()).toHaveLength(3);
});
