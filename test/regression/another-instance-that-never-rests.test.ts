/**
 * Another instance that sends immediate-or-cancel orders alone went unnoticed: the gate read what rests, and nothing of it
 * ever did (X01). Who traded is asked of the history now, where an ended order still bears its mark.
 */
import { expect, it } from 'vitest';
import { place, startReconciler } from '../execution/limit-rig.ts';
import { alarms, BTC, denials, makeRig, trading, type Rig } from '../execution/rig.ts';

/** Two minutes of a session, so that nothing of its start is left to do. */
async function running(rig = makeRig({ specs: [BTC] })): Promise<Rig> {
  startReconciler(rig);
  await rig.clock.advanceAsync(1000);
  rig.executor.submit('maker', place);
  await rig.clock.advanceAsync(120_000, 1000);
  return rig;
}

/** An order that trades at once and is gone. */
function tradesAtOnce(rig: Rig, clientOrderId: string): void {
  const [request] = rig.venue.creates();
  const { orderId } = rig.venue.arrive({ ...request!, clientOrderId, timeInForce: 'ioc', price: '60010' });
  rig.venue.fill(orderId, '0.01', '60010');
  const traded = rig.venue.trades.length;
  rig.venue.balancesNow = [
    trading('USDT', `${1_000_000 - 600.1 * traded}`),
    trading('BTC', `${(1000 + traded) / 100}`),
  ];
}

/** Why nothing may be placed; undefined when it may. */
function refusal(rig: Rig): string | undefined {
  const before = denials(rig).length;
  rig.executor.submit('maker', { ...place, price: '58000' });
  return denials(rig)[before];
}

it('is noticed by its trade within two readings, and the gate opens a minute after the last', async () => {
  const rig = await running();
  for (const count of [1, 2]) {
    tradesAtOnce(rig, `tw-other_1-${count}`);
    await rig.clock.advanceAsync(21_000, 1000);
    expect(refusal(rig)).toBe('another_instance');
    expect(alarms(rig)).toHaveLength(count);
  }
  expect(new Set(alarms(rig))).toEqual(new Set(['foreign_prefix']));
  await rig.clock.advanceAsync(30_000, 1000);
  expect(refusal(rig)).toBe('another_instance');
  await rig.clock.advanceAsync(60_000, 1000);
  expect(refusal(rig)).toBeUndefined();
});

it('is noticed in a history that lags behind the trades', async () => {
  const rig = await running();
  tradesAtOnce(rig, 'tw-other_1-1');
  const [orderId, order] = [...rig.venue.orders].at(-1)!;
  rig.venue.orders.delete(orderId);
  await rig.clock.advanceAsync(25_000, 1000);
  expect(refusal(rig)).toBeUndefined();
  rig.venue.orders.set(orderId, order);
  await rig.clock.advanceAsync(25_000, 1000);
  expect(refusal(rig)).toBe('another_instance');
});

it('is not a human, nor a session that ended before this one began', async () => {
  const before = makeRig({ specs: [BTC] });
  before.executor.submit('maker', place);
  tradesAtOnce(before, 'tw-before_1-1');
  before.clock.advance(1000);
  const rig = await running(makeRig({ specs: [BTC], clock: before.clock, venue: before.venue, bootId: 'b2_1' }));
  before.venue.end('v1', 'canceled');
  await rig.clock.advanceAsync(90_000, 1000);
  const told = alarms(rig).length;
  tradesAtOnce(rig, '');
  await rig.clock.advanceAsync(60_000, 1000);
  expect(alarms(rig)).toHaveLength(told);
  expect(refusal(rig)).toBeUndefined();
});
