/**
 * Another instance that sends immediate-or-cancel orders alone went unnoticed: the gate read what rests, and nothing of it
 * ever did (X01). Who traded is asked of the history now, where an ended order still bears its mark. And while a clock of the
 * exchange was an hour ahead, such orders were left out, as if none could be of now: new risk left beside it when that clock
 * was right again (fault simulator, seed 30578). Those that were not there at the start are of now, whatever their date. Then
 * (seed 37218): the minute that the gate stays shut was counted from the list of what rests, which a slow run reads long before.
 */
import { expect, it } from 'vitest';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { Reading } from '../../src/model/result.ts';
import type { HistoryRequest } from '../../src/model/venue.ts';
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

/** The same of an exchange whose clock is so far ahead; its history shows what is dated ahead, too. */
function tradesDatedAhead(rig: Rig, clientOrderId: string, aheadMs: number): void {
  const { venue, clock } = rig;
  tradesAtOnce(rig, clientOrderId);
  const [orderId, order] = [...venue.orders].at(-1)!;
  venue.orders.set(orderId, { ...order, createdAt: order.createdAt + aheadMs });
  const orderHistory = async ({ from, market }: HistoryRequest): Promise<Reading<OrderReport>> => {
    const ended = [...venue.orders.values()].filter(
      (one) => one.status !== 'new' && one.market === market && one.createdAt >= from,
    );
    const items = ended.map((one) => (venue.forgets(one) ? { ...one, clientOrderId: '' } : one));
    return { kind: 'complete', asOf: clock.now(), items };
  };
  Object.assign(venue, { query: { ...venue.query, orderHistory } });
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

it('keeps the gate shut for a minute from when its history was read, however long that took', async () => {
  const rig = await running();
  const { query } = rig.venue;
  const orderHistory = async (request: HistoryRequest): Promise<Reading<OrderReport>> => {
    await new Promise<void>((resolve) => void rig.clock.after(30_000, resolve));
    return query.orderHistory(request);
  };
  Object.assign(rig.venue, { query: { ...query, orderHistory } });
  tradesAtOnce(rig, 'tw-other_1-1');
  for (let tries = 0; tries < 120 && alarms(rig).length === 0; tries++) await rig.clock.advanceAsync(1000, 1000);
  expect(alarms(rig)).toEqual(['foreign_prefix']);
  Object.assign(rig.venue, { query });
  await rig.clock.advanceAsync(50_000, 1000);
  expect(refusal(rig)).toBe('another_instance');
  await rig.clock.advanceAsync(21_000, 1000);
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

it('is noticed while a clock that is an hour ahead dates its orders', async () => {
  const rig = await running();
  for (const count of [1, 2]) {
    tradesDatedAhead(rig, `tw-other_1-${count}`, 3_600_000);
    await rig.clock.advanceAsync(21_000, 1000);
    expect(refusal(rig)).toBe('another_instance');
    expect(alarms(rig)).toHaveLength(count);
  }
  await rig.clock.advanceAsync(90_000, 1000);
  expect(refusal(rig)).toBeUndefined();
});

it('is taken for one for a minute, and once, where a session that ended before left orders that are dated ahead', async () => {
  const before = makeRig({ specs: [BTC] });
  before.executor.submit('maker', place);
  tradesDatedAhead(before, 'tw-before_1-1', 300_000);
  before.venue.end('v1', 'canceled');
  const { clock, venue } = before;
  // A history that has forgotten the marks at the start, and tells them later.
  venue.forgets = () => true;
  const rig = await running(makeRig({ specs: [BTC], clock, venue, bootId: 'b2_1' }));
  venue.forgets = () => false;
  const told = alarms(rig).length;
  const shut: number[] = [];
  for (let minute = 0; minute < 6; minute++) {
    tradesAtOnce(rig, '');
    await rig.clock.advanceAsync(60_000, 1000);
    if (refusal(rig) === 'another_instance') shut.push(minute);
  }
  expect(shut).toEqual([0]);
  expect(alarms(rig)).toHaveLength(told + 1);
});
