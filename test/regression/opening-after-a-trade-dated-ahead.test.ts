/**
 * Found by the fault simulator (seed 93, law L1): somebody traded by hand while the clock of the exchange was an hour ahead. An opening waits
 * until nobody has traded for as long as lists may lag, so it waited for that hour, in which nothing that others did to the
 * balance was explained. A trade that is dated ahead has happened when it is read.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import type { OrderRequest } from '../../src/model/order.ts';
import { BTC, makeRig, settle, trading } from '../execution/rig.ts';

const byHand: OrderRequest = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '60000',
  quantity: '0.1',
  clientOrderId: '',
};

it('does not wait for the date that a clock which was ahead gave a trade of others', async () => {
  const rig = makeRig({ specs: [BTC] });
  const { orderId } = rig.venue.arrive(byHand);
  const trade = rig.venue.fill(orderId, '0.1');
  rig.venue.balancesNow = [trading('USDT', '994000'), trading('BTC', '10.1')];
  const before = rig.venue.query;
  // The clock of the venue in this rig hides what is dated ahead; this exchange shows it.
  const ownTrades = async () => {
    const asOf = rig.clock.now();
    return { kind: 'complete', asOf, items: [{ ...trade, ts: trade.ts + 3_600_000 }] } as const;
  };
  Object.assign(rig.venue, { query: { ...before, ownTrades } });
  createReconciler(rig.executor).start();
  await settle();
  rig.executor.submit('maker', { kind: 'note', text: 'it runs' });
  await rig.clock.advanceAsync(2000, 500);
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
  });
  await rig.clock.advanceAsync(150_000, 500);
  const openings = [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause === 'opening' ? [`${entry.name} ${entry.quantity}`] : [],
  );
  expect(openings.sort()).toEqual(['BTC 10.1', 'USDT 994000']);
});
