/**
 * Found by the fault simulator (seed 1293, law L1): a liquidation waited at a start, since it closed more than was known to be
 * held. The difference in the position, which held it already, was taken over as what had happened while nothing ran; with
 * that it was known whose the liquidation was, so it was booked as well, twice in all, and the symbol closed for ever.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { held } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, START } from '../execution/rig.ts';

const { symbol } = PERP;
const terms = { symbol, market: 'derivative', side: 'sell', positionSide: 'both' } as const;

it('is counted once, though the difference that holds it is taken over first', async () => {
  const first = makeRig({ specs: [PERP] });
  const reconciler = createReconciler(first.executor);
  reconciler.start();
  await first.clock.advanceAsync(61_000, 1000);
  reconciler.stop();
  first.executor.close();

  const { clock, venue, journal } = first;
  const ts = START + 200_000;
  clock.advance(ts - clock.now());
  // Somebody bought 0.5 in a trade that no list shows any more; of that the exchange has closed 0.002.
  const closed: OrderReport = {
    ...terms,
    orderId: 'liq',
    type: 'market',
    timeInForce: 'ioc',
    price: null,
    quantity: '0.002',
    filledQuantity: '0.002',
    averagePrice: '60000',
    status: 'filled',
    reason: 'liquidation',
    createdAt: ts,
    updatedAt: ts,
  };
  venue.orders.set('liq', closed);
  const costs = { price: '60000', quantity: '0.002', fee: '1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  venue.trades.push({ ...terms, tradeId: 't', orderId: 'liq', ...costs, ts });
  venue.positionsNow = [held('0.498')];

  const rig = makeRig({ clock, venue, journal, specs: [PERP], bootId: 'b2' });
  const again = createReconciler(rig.executor);
  again.start();
  await clock.advanceAsync(400_000, 1000);
  const booked = [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause !== 'opening' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
  expect(booked).toEqual(['liquidation of others -0.002', 'while down 0.5']);
  expect(alarms(rig)).toEqual(['liquidated', 'position_residual']);
  expect(again.gate.closedBecause(symbol)).toBeNull();
  again.stop();
});
