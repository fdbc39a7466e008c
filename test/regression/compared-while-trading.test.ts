/**
 * Found by the fault simulator (seed 238, law L1): a strategy had an order on its way at each reading, so a balance that differed was
 * not judged for minutes. What is on its way explains only a difference that came up after it was decided.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { alarms, BTC, denials, makeRig, trading, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const ORDER = { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.001' } as const;

function adjusted({ journal }: Rig): string[] {
  return [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause !== 'opening' ? [`${entry.name} ${entry.cause} ${entry.quantity}`] : [],
  );
}

async function opened(): Promise<Rig> {
  const rig = makeRig({ specs: [BTC] });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(5_000, 1000);
  return rig;
}

/** An order leaves every second, and the one before it is answered after that, cancelled: one is on its way at each reading. */
async function busyFor(rig: Rig, seconds: number): Promise<void> {
  const { venue, executor, clock } = rig;
  venue.createMode = 'hold';
  venue.lagMs = 3_000;
  for (let second = 0; second < seconds; second++) {
    const before = venue.resting();
    executor.submit('maker', { ...ORDER, price: String(59_000 + (second % 2)) });
    for (const order of before) {
      venue.end(order.orderId, 'canceled');
      venue.answer((order.clientOrderId ?? '').replace('tw-', ''), { kind: 'accepted', order: { ...order } });
    }
    await clock.advanceAsync(1_000, 1000);
  }
}

it('sees that money is gone, and takes no new risk', async () => {
  const rig = await opened();
  rig.venue.balancesNow = [trading('USDT', '1000000'), trading('BTC', '9.5')];
  await busyFor(rig, 120);
  expect(alarms(rig)).toContain('balance_residual');
  expect(denials(rig)).toContain('position_mismatch');
});

it('sees that money came in', async () => {
  const rig = await opened();
  rig.venue.balancesNow = [trading('USDT', '1000564'), trading('BTC', '10')];
  await busyFor(rig, 120);
  expect(adjusted(rig)).toEqual(['USDT credit 564']);
  expect(alarms(rig)).toEqual([]);
});

it('takes nothing over while a trade of an earlier order is still to come', async () => {
  const rig = await opened();
  const { venue, executor } = rig;
  executor.submit('maker', { ...ORDER, price: '60001', quantity: '0.5' });
  const [order] = venue.resting();
  const fill = venue.fill(order?.orderId ?? '', '0.5', '60000');
  venue.trades.length = 0;
  venue.tell(fill.orderId);
  venue.balancesNow = [trading('USDT', '970000'), trading('BTC', '10.5')];
  await busyFor(rig, 60);
  expect(adjusted(rig)).toEqual([]);
  venue.trades.push(fill);
  await busyFor(rig, 60);
  expect(adjusted(rig)).toEqual([]);
  expect(alarms(rig)).toEqual([]);
  expect(executor.account('maker').position(symbol).quantity).toBe('0.5');
});
