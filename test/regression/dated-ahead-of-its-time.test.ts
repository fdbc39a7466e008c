/**
 * Found by the fault simulator (seed 93, L1): an exchange whose clock was an hour ahead stamped a trade by hand in a perpetual. For
 * an hour after, nobody had "not traded for `historyLagMs`", so the opening of that position was never taken over and
 * nothing that others traded in it was booked. No opening waits for a trade that bears a time to come now. What an opening
 * holds of such trades nothing tells: the account then differs, the symbol shuts with an alarm, and a restart sets it right
 * (docs/fault-model.md, class B: trades of others across a step of the exchange's clock).
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows } from '../../src/spine/replay.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { Reading } from '../../src/model/result.ts';
import type { HistoryRequest } from '../../src/model/venue.ts';
import { byHand, held, liquidates } from '../execution/perpetual-rig.ts';
import { alarms, denials, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const HOUR_MS = 3_600_000;

function booked(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.subject === 'position' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
}

/** The list of trades shows what is dated ahead, too. `fails`: asked at each reading. */
function showAll({ venue, clock }: Rig, fails: () => boolean = () => false): void {
  const ownTrades = async ({ from }: HistoryRequest): Promise<Reading<VenueFill>> => {
    const asOf = clock.now();
    if (fails()) return { kind: 'failed', asOf, reason: 'test' };
    const items = venue.trades.filter(({ ts, market }) => market === 'derivative' && ts >= from);
    return { kind: 'complete', asOf, items };
  };
  Object.assign(venue, { query: { ...venue.query, ownTrades } });
}

async function run(rig: Rig, ms: number): Promise<void> {
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(ms, 1000);
  reconciler.stop();
}

it('holds up no opening; beside the opening that holds it the symbol shuts, and a restart agrees', async () => {
  const rig = makeRig({ specs: [PERP] });
  showAll(rig);
  byHand(rig, 'h1', 'buy', '0.3', { agoMs: -HOUR_MS });
  rig.venue.positionsNow = [held('0.3')];
  await run(rig, 300_000);
  expect(booked(rig)).toEqual(['opening 0.3', 'trade of others 0.3']);
  expect(alarms(rig)).toEqual(['position_residual']);
  rig.executor.submit('maker', { kind: 'place', symbol: PERP.symbol, side: 'buy', type: 'market', quantity: '0.1' });
  expect(denials(rig)).toEqual(['position_mismatch']);
  const { journal, venue, clock } = rig;
  const next = makeRig({ specs: [PERP], journal, venue, clock, bootId: 'b1_2' });
  byHand(next, 'h2', 'sell', '0.1', { agoMs: -HOUR_MS });
  next.venue.positionsNow = [held('0.2')];
  await run(next, 300_000);
  expect(replayRows(next.journal.read()).state.explainedPosition(PERP.symbol).toFixed()).toBe('0.2');
  expect(booked(next).filter((one) => one.startsWith('trade of others -0.1'))).toHaveLength(1);
});

it('holds up no opening though every other list of trades cannot be read', async () => {
  const rig = makeRig({ specs: [PERP] });
  let readings = 0;
  showAll(rig, () => ++readings % 2 === 0);
  byHand(rig, 'h1', 'buy', '0.3', { agoMs: -HOUR_MS });
  rig.venue.positionsNow = [held('0.3')];
  await run(rig, 300_000);
  expect(readings).toBeGreaterThan(20);
  expect(booked(rig)).toContain('opening 0.3');
});

it('holds up no opening when it is of a liquidation of others', async () => {
  const rig = makeRig({ specs: [PERP] });
  showAll(rig);
  liquidates(rig, 'sell', '0.3');
  const [trade] = rig.venue.trades.splice(0);
  rig.venue.trades.push({ ...trade!, ts: trade!.ts + HOUR_MS });
  await run(rig, 300_000);
  expect(booked(rig)).toContain('opening 0');
});
