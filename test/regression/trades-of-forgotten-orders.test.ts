/**
 * Found by reading: trades are read far back after an outage, and up to three hours while one is missing. Closed orders are
 * remembered up to a number, so that trades of our own older ones had no owner there, and would have been booked again, as of
 * others; an order of them in the history would have passed for another instance.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { held } from '../execution/perpetual-rig.ts';
import { alarms, denials, makeRig, PERP, settle } from '../execution/rig.ts';

const { symbol } = PERP;
/** Two more than the closed orders that are remembered. */
const MANY = 20_002;

it('are neither booked as of others nor taken for another instance', async () => {
  const rig = makeRig({ specs: [PERP], risk: { messagesPerSecond: 1_000_000 } });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  for (let count = 1; count <= MANY; count++) {
    const side = count % 2 === 1 ? 'buy' : 'sell';
    rig.executor.submit('maker', { kind: 'place', symbol, side, type: 'market', quantity: '0.1' });
    // Its orders and trades are numbered together.
    rig.venue.tellFill(`v${2 * count - 1}`, '0.1', '60000');
    rig.clock.advance(1);
    if (count > 1) continue;
    // New risk waits until the position shows the first fill.
    rig.venue.positionsNow = [held('0.1')];
    await rig.clock.advanceAsync(5_000, 1000);
    rig.venue.positionsNow = [];
  }
  expect(rig.venue.trades).toHaveLength(MANY);
  expect(denials(rig)).toEqual([]);
  const { findings } = await reconciler.runNow({ full: true });
  const kinds = findings.map(({ kind }) => kind);
  expect(kinds).toContain('external-fill');
  expect(kinds).toContain('foreign-past');
  await rig.clock.advanceAsync(61_000, 1000);
  const booked = [...rig.journal.read()].filter(({ entry }) => entry.kind === 'adjustment' && entry.quantity !== '0');
  expect(booked).toEqual([]);
  expect(alarms(rig)).toEqual([]);
  reconciler.stop();
});
