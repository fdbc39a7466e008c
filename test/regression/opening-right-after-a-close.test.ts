/**
 * Found by the fault simulator (seed 4081 with jumps, older journals and a wrong clock of the exchange forced, law L1): a human closed
 * a position, the list of trades lagged, and the next reading showed nothing where nothing was known: an opening of nothing,
 * taken over at once. The trade was shown later, dated just before it, and booked beside it: a difference for ever.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle } from '../execution/rig.ts';

const { symbol } = PERP;

it.each([
  ['long', '0.1', 'sell'],
  ['short', '-0.1', 'buy'],
] as const)(
  'takes nothing over as the opening before a %s that was closed has come to rest',
  async (_, before, side) => {
    const rig = makeRig({ specs: [PERP] });
    const { venue, clock, executor, journal } = rig;
    venue.positionsNow = [held(before)];
    const reconciler = createReconciler(executor);
    reconciler.start();
    await settle();
    await clock.advanceAsync(15_000, 1000);
    venue.lagMs = 25_000;
    byHand(rig, 'h1', side, '0.1');
    venue.positionsNow = [];
    await clock.advanceAsync(180_000, 1000);
    const booked = [...journal.read()].flatMap(({ entry }) =>
      entry.kind === 'adjustment' && entry.subject === 'position'
        ? [`${entry.name} ${entry.quantity} ${entry.cause}`]
        : [],
    );
    expect(booked).toEqual([`${symbol} 0 opening`]);
    expect(alarms(rig)).toEqual([]);
    expect(reconciler.gate.closedBecause(symbol)).toBeNull();
    reconciler.stop();
  },
);
