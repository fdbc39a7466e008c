/**
 * A stop had fired, and its position stood without an exit for minutes while nothing rang: its order was answered as filled and
 * was not at the exchange, or the cancel of the take-profit before it failed. What leaves at market is no longer armed.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { bracket } from '../../src/strategy/programs.ts';
import { alarms, HandClock, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';

const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 59_990, quantity: '0.02' } as const;

function held(): Rig {
  const rig = programRig({ protect: true });
  submit(rig, bracket({ entry, takeProfit: 61_000, stopLoss: 59_000 }));
  fills(rig, 'buy');
  expect(resting(rig)).toEqual(['sell 0.02 @ 61000']);
  return rig;
}

function look(rig: Rig, seconds: number): readonly string[] {
  for (let second = 0; second < seconds; second++) {
    rig.clock.advance(1_000);
    rig.executor.lookAtProtection();
  }
  return alarms(rig);
}

it('rings while the cancel of the take-profit fails', () => {
  const rig = held();
  expect(look(rig, 10)).toEqual([]);
  rig.venue.cancelMode = 'never-arrives';
  rig.market.move(58_900);
  expect(look(rig, 4)).toEqual([]);
  expect(look(rig, 3)).toEqual(['unprotected']);
  expect(rig.executor.unprotected).toEqual([{ strategy: 'maker', symbol: SYMBOL, quantity: '0.02' }]);
});

it('rings where the exit was answered as filled and nothing traded, and leaves once two looks at all lists show none of it', async () => {
  const rig = held();
  rig.venue.createMode = 'hold';
  rig.market.move(58_900);
  const sent = rig.venue.sent.at(-1);
  if (sent?.kind !== 'create') throw new Error('no exit was sent');
  const now = rig.clock.now();
  const filled = { status: 'filled', filledQuantity: '0.02', averagePrice: '58900' } as const;
  rig.venue.orders.clear();
  rig.venue.answer(sent.intentId, {
    kind: 'accepted',
    order: { ...sent.order, ...filled, orderId: 'ghost', createdAt: now, updatedAt: now },
  });
  expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: 'the exit by stopLoss' });
  expect(look(rig, 7)).toEqual(['unprotected']);
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  const { clock } = rig;
  if (!(clock instanceof HandClock)) throw new Error('the clock is not set by hand');
  rig.venue.createMode = 'accept';
  const exits = (): number =>
    rig.venue.creates().filter(({ side, type }) => side === 'sell' && type === 'market').length;
  for (let second = 0; second < 30; second++) await clock.advanceAsync(1_000);
  expect(exits()).toBe(1);
  for (let second = 0; second < 90 && exits() === 1; second++) await clock.advanceAsync(1_000);
  expect([exits(), alarms(rig).includes('contradiction')]).toEqual([2, true]);
  fills(rig, 'sell', '58900');
  for (let second = 0; second < 200; second++) await clock.advanceAsync(1_000);
  reconciler.stop();
  rig.executor.lookAtProtection();
  expect([exits(), programOf(rig).state, rig.executor.unprotected]).toEqual([2, 'done', []]);
});

it('leaves once two looks at all lists show none of the take-profit that was answered as open', async () => {
  const rig = held();
  // The exchange never had it, and a cancel finds nothing.
  rig.venue.orders.clear();
  rig.venue.cancelMode = 'never-arrives';
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  const { clock } = rig;
  if (!(clock instanceof HandClock)) throw new Error('the clock is not set by hand');
  rig.market.move(58_900);
  const hasLeft = (): boolean => rig.venue.creates().some(({ side, type }) => side === 'sell' && type === 'market');
  for (let second = 0; second < 30; second++) await clock.advanceAsync(1_000);
  expect(hasLeft()).toBe(false);
  for (let second = 0; second < 120 && !hasLeft(); second++) await clock.advanceAsync(1_000);
  expect([hasLeft(), alarms(rig).includes('order_vanished')]).toEqual([true, true]);
  fills(rig, 'sell', '58900');
  for (let second = 0; second < 60; second++) await clock.advanceAsync(1_000);
  reconciler.stop();
  expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'stopLoss' });
});
