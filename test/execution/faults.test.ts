/**
 * Random actions under random faults: answers lost before or after their effect, cancels lost, stream events lost or
 * doubled, readings failing, lists lagging. When the faults end everything must be known, once, as it is at the venue.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import type { Action } from '../../src/model/trading/action.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { dec, decimalText, type Decimal } from '../../src/model/numbers/money.ts';
import { BTC, makeRig, settle, trading, type Rig } from './rig.ts';

const prices = fc.integer({ min: 5_990_000, max: 5_999_900 }).map((ticks) => ticks / 100);
const quantities = fc.integer({ min: 100, max: 2_000 }).map((lots) => lots / 100_000);

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({ price: prices, quantity: quantities })
    .map((terms): Action => ({ kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', ...terms })),
  fc.record({ price: prices, quantity: quantities }).map(({ price, quantity }): Action => ({
    kind: 'quote',
    symbol: 'BTCUSDT',
    bids: [{ price, quantity }],
    asks: [{ price: price + 300, quantity }],
  })),
  fc
    .integer({ min: -20, max: 20 })
    .map((lots): Action => ({ kind: 'target', symbol: 'BTCUSDT', quantity: (lots * 100) / 100_000 })),
  fc.integer({ min: 1, max: 8 }).map((count): Action => ({ kind: 'cancel', ref: `maker-${count}` })),
  fc.constant<Action>({ kind: 'cancelAll' }),
);

type Step =
  | { readonly kind: 'act'; readonly action: Action }
  | { readonly kind: 'create'; readonly mode: 'accept' | 'ack-lost' | 'never-arrives' | 'refuse' | 'not-sent' }
  | { readonly kind: 'cancel'; readonly mode: 'accept' | 'ack-lost' | 'never-arrives' | 'no-effect' }
  | { readonly kind: 'fill'; readonly which: number; readonly part: number; readonly told: 0 | 1 | 2 }
  | {
      readonly kind: 'readable';
      readonly list: 'activeOrders' | 'orderHistory' | 'ownTrades' | 'balances';
      readonly answer: 'complete' | 'partial' | 'failed';
    }
  | { readonly kind: 'lag'; readonly ms: number }
  | { readonly kind: 'wait'; readonly ms: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: actions.map((action): Step => ({ kind: 'act', action })) },
  fc
    .constantFrom('accept', 'ack-lost', 'never-arrives', 'refuse', 'not-sent')
    .map((mode): Step => ({ kind: 'create', mode: mode as 'accept' })),
  fc
    .constantFrom('accept', 'ack-lost', 'never-arrives', 'no-effect')
    .map((mode): Step => ({ kind: 'cancel', mode: mode as 'accept' })),
  {
    weight: 4,
    arbitrary: fc
      .record({ which: fc.nat(), part: fc.integer({ min: 1, max: 4 }), told: fc.constantFrom<0 | 1 | 2>(0, 1, 2) })
      .map((fill): Step => ({ kind: 'fill', ...fill })),
  },
  fc
    .record({
      list: fc.constantFrom<'activeOrders' | 'orderHistory' | 'ownTrades' | 'balances'>(
        'activeOrders',
        'orderHistory',
        'ownTrades',
        'balances',
      ),
      answer: fc.constantFrom<'complete' | 'partial' | 'failed'>('complete', 'partial', 'failed'),
    })
    .map((readable): Step => ({ kind: 'readable', ...readable })),
  fc.constantFrom(0, 5_000, 30_000).map((ms): Step => ({ kind: 'lag', ms })),
  { weight: 3, arbitrary: fc.constantFrom(100, 3_000, 20_000, 60_000).map((ms): Step => ({ kind: 'wait', ms })) },
);

/** Fills a part of a resting order and tells it not at all, once or twice. */
function fill(rig: Rig, step: Extract<Step, { kind: 'fill' }>): void {
  const resting = rig.venue.resting();
  const order = resting[step.which % Math.max(1, resting.length)];
  if (order === undefined) return;
  const left = dec(order.quantity).minus(dec(order.filledQuantity));
  const part = left.times(step.part).div(4).toDecimalPlaces(5, 'down');
  const quantity = part.isZero() ? left : part;
  const trade = rig.venue.fill(order.orderId, decimalText(quantity), order.price ?? '60000', {
    fee: decimalText(quantity.div(1_000).toDecimalPlaces(8)),
    feeCurrency: 'BTC',
  });
  move(rig, trade);
  for (let count = 0; count < step.told; count++) rig.venue.emit({ kind: 'fill', fill: trade });
}

/** The venue's balances follow its trades. */
function move(rig: Rig, { side, price, quantity, fee }: VenueFill): void {
  const sign = side === 'buy' ? 1 : -1;
  const changes: Record<string, Decimal> = {
    BTC: dec(quantity).times(sign).minus(dec(fee)),
    USDT: dec(price).times(dec(quantity)).times(-sign),
  };
  rig.venue.balancesNow = rig.venue.balancesNow.map(({ currency, total }) =>
    trading(currency, decimalText(dec(total).plus(changes[currency] ?? 0))),
  );
}

async function perform(rig: Rig, step: Step): Promise<void> {
  const { venue } = rig;
  switch (step.kind) {
    case 'act':
      rig.executor.submit('maker', step.action);
      return;
    case 'create':
      venue.createMode = step.mode;
      return;
    case 'cancel':
      venue.cancelMode = step.mode;
      return;
    case 'fill':
      fill(rig, step);
      return;
    case 'readable':
      venue.readable[step.list] = step.answer;
      return;
    case 'lag':
      venue.lagMs = step.ms;
      return;
    case 'wait':
      await rig.clock.advanceAsync(step.ms, 2_000);
  }
}

async function heal(rig: Rig): Promise<void> {
  rig.venue.createMode = 'accept';
  rig.venue.cancelMode = 'accept';
  rig.venue.lagMs = 0;
  for (const list of Object.keys(rig.venue.readable)) rig.venue.readable[list as 'balances'] = 'complete';
  await rig.clock.advanceAsync(200_000, 2_000);
  await settle();
}

function check(rig: Rig): void {
  const { venue, executor } = rig;
  const ids = venue.creates().map(({ clientOrderId }) => clientOrderId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(executor.unresolvedCount()).toBe(0);
  const known = executor.account('maker').openOrders();
  const there = venue.resting();
  expect(new Set(known.map(({ orderId }) => orderId))).toEqual(new Set(there.map(({ orderId }) => orderId)));
  let position = dec(0);
  for (const { side, quantity, fee } of venue.trades)
    position = position.plus(dec(quantity).times(side === 'buy' ? 1 : -1)).minus(dec(fee));
  expect(executor.account('maker').position('BTCUSDT').quantity).toBe(decimalText(position));
  expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(executor.state));
}

it.each([true, false])(
  'ends in the truth of the venue, client order ids %s',
  async (clientOrderIds) => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (list) => {
        const rig = makeRig({ specs: [BTC], clientOrderIds, risk: { dailyLossFraction: 1 } });
        const reconciler = createReconciler(rig.executor);
        reconciler.start();
        await rig.clock.advanceAsync(1_000);
        for (const step of list) await perform(rig, step);
        await heal(rig);
        reconciler.stop();
        check(rig);
      }),
      { numRuns: 200 },
    );
  },
  120_000,
);
