/**
 * Found by the fault simulator (seed 93, L1): an exchange whose clock was an hour ahead stamped a trade by hand in a perpetual. For
 * an hour after, nobody had "not traded for `historyLagMs`", so the opening of that position was never taken over and
 * nothing that others traded in it was booked. A trade that bears a time to come counts as done when it is first seen now.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import type { VenueFill } from '../../src/model/fill.ts';
import type { Reading } from '../../src/model/result.ts';
import type { HistoryRequest } from '../../src/model/venue.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const HOUR_MS = 3_600_000;

function booked(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.subject === 'position' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
}

/** The list of trades shows what is dated ahead, too. */
function showAll({ venue, clock }: Rig): void {
  const ownTrades = async ({ from }: HistoryRequest): Promise<Reading<VenueFill>> => ({
    kind: 'complete',
    asOf: clock.now(),
    items: venue.trades.filter(({ ts, market }) => market === 'derivative' && ts >= from),
  });
  Object.assign(venue, { query: { ...venue.query, ownTrades } });
}

async function run(rig: Rig, ms: number): Promise<void> {
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(ms, 1000);
  reconciler.stop();
}

it('holds up no opening, and is not booked beside the opening that holds it, by no later process either', async () => {
  const rig = makeRig({ specs: [PERP] });
  showAll(rig);
  byHand(rig, 'h1', 'buy', '0.3', { agoMs: -HOUR_MS });
  rig.venue.positionsNow = [held('0.3')];
  await run(rig, 300_000);
  const opened = ['opening 0.3', 'trade of others, held by the opening 0'];
  expect(booked(rig)).toEqual(opened);
  const { journal, venue, clock } = rig;
  const next = makeRig({ specs: [PERP], journal, venue, clock, bootId: 'b1_2' });
  byHand(next, 'h2', 'sell', '0.1', { agoMs: -HOUR_MS });
  next.venue.positionsNow = [held('0.2')];
  await run(next, 300_000);
  expect(booked(next)).toEqual([...opened, 'trade of others -0.1']);
  expect(alarms(next)).toEqual([]);
});
