/**
 * Found by a simulated push that tells more than was traded: the money that the books lacked was booked as a credit, and again when
 * the human said that the list is right.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { trading } from '../execution/rig.ts';
import { limit } from '../e2e/scenario.ts';
import { entries } from '../journal/older-journal-rig.ts';
import { programRig, rests, submit } from '../programs/program-rig.ts';

it('money that a trade in doubt may have left is no credit, and the word explains it', async () => {
  const rig = programRig();
  const { venue, clock, executor } = rig;
  createReconciler(executor, { markets: ['spot'] }).start();
  await clock.advanceAsync(5_000, 1000);
  const [usdt, btc] = ['USDT', 'BTC'].map((name) => Number(executor.account('maker').balance(name).total));
  submit(rig, limit('buy', '60000', '0.002'));
  const { orderId } = rests(rig, 'buy');
  const fill = venue.fill(orderId, '0.001');
  venue.emit({ kind: 'fill', fill: { ...fill, quantity: '0.0015' } });
  venue.tell(orderId);
  venue.balancesNow = [trading('USDT', String(usdt! - 60)), trading('BTC', String(btc! + 0.001))];
  await clock.advanceAsync(200_000, 1000);
  expect(executor.state.contradicted.size).toBe(1);
  const causes = (): readonly string[] =>
    entries(rig).flatMap((entry) => (entry.kind === 'adjustment' && entry.cause !== 'opening' ? [entry.cause] : []));
  expect(causes()).toEqual([]);
  const [id = ''] = executor.state.contradicted.keys();
  executor.human.division(id, 'as-listed', 'looked')();
  await clock.advanceAsync(200_000, 1000);
  expect(causes()).toEqual([]);
  expect(executor.account('maker').balance('USDT').total).toBe(String(usdt! - 60));
});
