/**
 * Found by a stranger: a proxy told ten times the quantity of each own trade, in the stream and in the list. The symbol was halted,
 * and "exits" of the position that was never there left all the same: 0.71 BTC at a limit of 0.01.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { alarms, BTC, denials, makeRig } from '../execution/rig.ts';

it('halts its symbol, and nothing of a position that nobody holds is sold', async () => {
  const rig = makeRig({ specs: [BTC], limits: { maxPosition: '0.01' } });
  const { venue, executor, clock } = rig;
  createReconciler(executor, { markets: ['spot'] }).start();
  await clock.advanceAsync(5_000, 1000);
  executor.submit('maker', { kind: 'target', symbol: BTC.symbol, quantity: '0.01' });
  const [order] = venue.resting();
  const fill = venue.fill(order?.orderId ?? '', '0.01', '60001');
  venue.trades.splice(0, 1, { ...fill, quantity: '0.1' });
  venue.emit({ kind: 'fill', fill: { ...fill, quantity: '0.1' } });
  venue.tell(fill.orderId);
  await clock.advanceAsync(40_000, 1000);
  expect(alarms(rig)).toContain('fill_contradiction');
  for (const quantity of ['-0.01', '0.01', '0'])
    executor.submit('maker', { kind: 'target', symbol: BTC.symbol, quantity });
  executor.submit('maker', { kind: 'flatten', symbol: BTC.symbol });
  await clock.advanceAsync(10_000, 1000);
  expect(venue.creates()).toHaveLength(1);
  expect(new Set(denials(rig))).toEqual(new Set(['overfilled']));
});
