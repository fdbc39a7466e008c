/**
 * Found at the end of a session: an answer that came, and a comparison that ended, after the journal was closed were
 * written to it, which raised the alarm `journal_failed`.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { alarms, BTC, makeRig, settle, trading } from '../execution/rig.ts';

it('writes nothing once the executor is closed', async () => {
  const journal = createMemoryJournal();
  const rig = makeRig({ specs: [BTC], journal });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await rig.clock.advanceAsync(1000);
  rig.venue.queueing = true;
  const bid = { price: '59000', quantity: '0.01' };
  rig.executor.submit('maker', { kind: 'quote', symbol: 'BTCUSDT', bids: [bid], asks: [] });
  rig.venue.balancesNow = [trading('USDT', '7')];
  const pass = reconciler.runNow();
  reconciler.stop();
  rig.executor.close();
  const rows = journal.lastSeq;
  journal.append = () => {
    throw new Error('it is closed');
  };
  rig.venue.release();
  await pass;
  await settle();
  expect(rig.venue.creates()).toEqual([]);
  expect(journal.lastSeq).toBe(rows);
  expect(alarms(rig)).toEqual([]);
});
