/**
 * Found by the fault simulator (world 1140 whose sessions are told to end, laws S4 and L1): where there are no client order ids,
 * two strategies flattened as much of the same perpetual in one instant, both answers were lost, and one order arrived. It
 * was booked to the one that had not sent it, so that each strategy held another position than it had traded.
 */
import { expect, it } from 'vitest';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import { matchUnknown, type MatchRules } from '../../src/reconciler/match.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';
import { held } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle } from '../execution/rig.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';

const SENT = 1_000_000;
const terms = { market: 'derivative', symbol: 'BTCUSDTPERP', side: 'buy', type: 'market', quantity: '0.01' } as const;
const rules: MatchRules = {
  fenceMs: 40_000,
  skewMs: 2_000,
  earlier: { until: 0, moreMs: 0 },
  wasThere: () => false,
  believesSide: () => true,
  ids: 'absent',
};

function sought(strategy: string, sentAt = SENT): LocalOrder {
  const intentId = `${strategy}-${sentAt}`;
  const request: OrderRequest = { ...terms, timeInForce: 'ioc', price: null, clientOrderId: `tw-${intentId}` };
  const progress = { state: 'unknown', ackedAt: 0, missesFills: false, absentSince: 0, orderId: undefined } as const;
  return { intentId, strategy, request, sentAt, cancelWanted: false, cancelInFlight: false, ...progress };
}

function shown(orderId: string, createdAt = SENT + 30): OrderReport {
  const filled = { status: 'filled', filledQuantity: '0.01', averagePrice: '60000', updatedAt: createdAt } as const;
  return { ...terms, orderId, timeInForce: 'ioc', price: null, createdAt, ...filled };
}

it('does not guess which of two strategies the one order is of', () => {
  const { claims, ambiguous } = matchUnknown([sought('quoter'), sought('restless')], [shown('o1')], rules);
  expect(claims).toEqual([]);
  expect(ambiguous).toEqual([
    { kind: 'ambiguous', intentIds: [`quoter-${SENT}`, `restless-${SENT}`], orders: [shown('o1')] },
  ]);
});

it('takes over as many as are looked for, and the one that only one of them can be', () => {
  const both = matchUnknown([sought('quoter'), sought('restless')], [shown('o1'), shown('o2')], rules);
  expect(both.ambiguous).toEqual([]);
  expect(both.claims).toHaveLength(2);
  const one = matchUnknown([sought('quoter'), sought('restless', SENT + 60_000)], [shown('o1', SENT + 60_030)], rules);
  expect(one.claims.map(({ intentId }) => intentId)).toEqual([`restless-${SENT + 60_000}`]);
  const same = matchUnknown([sought('quoter'), sought('quoter', SENT + 1)], [shown('o1')], rules);
  expect(same.claims).toHaveLength(1);
});

it('leaves both in doubt for a human, and takes the other over once it is shown, too', async () => {
  const rig = makeRig({ specs: [PERP], clientOrderIds: false });
  const reconciler = createReconciler(rig.executor, { markets: ['derivative'] });
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  for (const [tag, after] of [
    ['maker', '-0.01'],
    ['taker', '-0.02'],
  ] as const) {
    rig.executor.submit(tag, { kind: 'place', ...terms, side: 'sell' });
    rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.01', '60000');
    rig.venue.positionsNow = [held(after)];
    await rig.clock.advanceAsync(5000, 1000);
  }
  rig.venue.createMode = 'ack-lost';
  rig.executor.submit('maker', { kind: 'flatten', symbol: PERP.symbol });
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('taker', { kind: 'flatten', symbol: PERP.symbol });
  expect(rig.executor.unresolvedCount()).toBe(2);
  rig.venue.fill(rig.venue.resting()[0]?.orderId ?? '', '0.01', '60000');
  rig.venue.positionsNow = [held('-0.01')];
  await rig.clock.advanceAsync(5000, 1000);
  expect(alarms(rig)).toContain('ambiguous_match');
  expect(rig.executor.unresolvedCount()).toBe(2);
  const request = rig.venue.creates().at(-1);
  if (request === undefined) throw new Error('nothing was sent');
  rig.venue.fill(rig.venue.arrive(request).orderId, '0.01', '60000');
  rig.venue.positionsNow = [held('0')];
  await rig.clock.advanceAsync(5000, 1000);
  expect(rig.executor.unresolvedCount()).toBe(0);
  for (const tag of ['maker', 'taker']) expect(rig.executor.account(tag).position(PERP.symbol).quantity).toBe('0');
});
