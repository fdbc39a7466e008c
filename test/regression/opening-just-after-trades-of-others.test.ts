/**
 * Found by the fault simulator (seed 7377, law L1): a human sold 28 s before an opening was taken over and bought back 10 s before it.
 * Both were in the position that opened, and the second was booked once more: the symbol closed until a human resumed it.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { byHand } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP } from '../execution/rig.ts';

it('waits until nobody has traded for as long as lists may lag', async () => {
  const rig = makeRig({ specs: [PERP] });
  const { clock, executor, journal } = rig;
  byHand(rig, 'h1', 'sell', '0.2', { agoMs: 28_000 });
  byHand(rig, 'h2', 'buy', '0.2', { agoMs: 10_000 });
  const reconciler = createReconciler(executor);
  reconciler.start();
  await clock.advanceAsync(5_000, 1000);
  // A user waits for it, so it says until when.
  expect(reconciler.gate.closedBecause('BTCUSDTPERP')?.message).toMatch(
    /^the position\/BTCUSDTPERP was not compared .*: external trades happened, so its opening waits until 20\S+Z$/,
  );
  await clock.advanceAsync(295_000, 1000);
  const booked = [...journal.read()].flatMap(({ entry }) => (entry.kind === 'adjustment' ? [entry] : []));
  expect(booked.map(({ name, cause, quantity }) => `${name} ${cause} ${quantity}`)).toEqual([
    'USDT opening 1000000',
    'BTCUSDTPERP opening 0',
  ]);
  expect(alarms(rig)).toEqual([]);
});
