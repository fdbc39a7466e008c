/**
 * Found by worlds that bring rare things together (law L1): after a restore whose rows end between an intent and its sending,
 * an order of unknown outcome could be any of three orders of its terms. Two were made within its fence, and a human said of these
 * that they are others'; the third was made later, and kept the order unknown, and the symbol shut, without anybody being told.
 */
import { expect, it } from 'vitest';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import { matchUnknown, type MatchRules } from '../../src/reconciler/match.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';
import { place, startReconciler } from '../execution/limit-rig.ts';
import { alarms, BTC, makeRig } from '../execution/rig.ts';

const terms = { market: 'spot', symbol: 'BTCUSDT', side: 'sell', type: 'market', quantity: '0.01' } as const;
const SENT_AT = 10_000_000;

const rules: MatchRules = {
  fenceMs: 40_000,
  skewMs: 2_000,
  earlier: { until: 0, moreMs: 0 },
  wasThere: () => false,
  believesSide: () => true,
  ids: 'absent',
};

/** `offsetMs`: null when the row of its sending is lost. */
function sought(offsetMs: number | null): LocalOrder {
  const request: OrderRequest = { ...terms, timeInForce: 'ioc', price: null, clientOrderId: 'tw-i1' };
  const progress = { state: 'unknown', ackedAt: 0, missesFills: false, absentSince: 0, orderId: undefined } as const;
  return {
    strategy: 'maker',
    intentId: 'i1',
    request,
    sentAt: SENT_AT,
    offsetMs,
    cancelWanted: false,
    cancelInFlight: false,
    ...progress,
  };
}

function shown(orderId: string, afterMs: number): OrderReport {
  const createdAt = SENT_AT + afterMs;
  const filled = { status: 'filled', filledQuantity: '0.01', averagePrice: '60000', updatedAt: createdAt } as const;
  return { ...terms, orderId, timeInForce: 'ioc', price: null, createdAt, ...filled };
}

const three = [shown('o1', 100), shown('o2', 21_000), shown('o3', 63_000)];

it('shows a human all that an order could be whose sending nobody knows of', () => {
  const { claims, ambiguous } = matchUnknown([sought(null)], three, rules);
  expect(claims).toEqual([]);
  expect(ambiguous.map(({ orders }) => orders.map(({ orderId }) => orderId))).toEqual([['o1', 'o2', 'o3']]);
});

it('shows only those within the fence where it is known what was signed', () => {
  const { ambiguous } = matchUnknown([sought(0)], three, rules);
  expect(ambiguous.map(({ orders }) => orders.map(({ orderId }) => orderId))).toEqual([['o1', 'o2']]);
});

it('takes the only one within the fence, whatever came later', () => {
  const { claims } = matchUnknown([sought(null)], [shown('o1', 100), shown('o3', 63_000)], rules);
  expect(claims.map(({ report }) => report.orderId)).toEqual(['o1']);
});

it('tells of another one that comes after it was told of some', async () => {
  const rig = makeRig({ specs: [BTC], clientOrderIds: false });
  startReconciler(rig);
  await rig.clock.advanceAsync(1_000);
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('maker', place);
  const [request] = rig.venue.creates();
  if (request === undefined) throw new Error('nothing was sent');
  rig.venue.arrive(request);
  rig.venue.arrive(request);
  await rig.clock.advanceAsync(10_000, 1_000);
  expect(alarms(rig)).toEqual(['ambiguous_match']);
  rig.venue.arrive(request);
  await rig.clock.advanceAsync(60_000, 1_000);
  expect(alarms(rig)).toEqual(['ambiguous_match', 'ambiguous_match']);
  expect(rig.executor.account('maker').orderByRef('maker-1')?.state).toBe('unknown');
});
