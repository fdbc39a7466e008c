/**
 * Found by the fault simulator (seed 11443, L1): the exchange had liquidated what a human held, before that position was taken over
 * as it then was. A later reading that reached so far back showed the liquidation to a process that did not know it, and what
 * a strategy held by then was booked as liquidated.
 */
import { expect, it } from 'vitest';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import { held, liquidates } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

async function started(rig: Rig, ms: number): Promise<Reconciler> {
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(ms, 1000);
  return reconciler;
}

it('takes nothing from a strategy that holds the same since', async () => {
  const rig = makeRig({ specs: [PERP] });
  // Nobody here held it.
  liquidates(rig, 'sell', '0.05');
  const first = await started(rig, 61_000);
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
  rig.venue.positionsNow = [held('0.1')];
  first.stop();
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.1');
  const { journal, venue, clock } = rig;
  const next = makeRig({ specs: [PERP], journal, venue, clock, bootId: 'b1_2' });
  const second = await started(next, 30_000);
  expect(next.venue.trades[0]?.ts).toBeGreaterThan(clock.now() - 122_000);
  expect(next.executor.account('maker').position(symbol).quantity).toBe('0.1');
  expect(alarms(next)).toEqual([]);
  second.stop();
});
