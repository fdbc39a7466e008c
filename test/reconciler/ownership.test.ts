/** What a human says of orders that could be one of unknown outcome, where the exchange has no client order ids. */
import { beforeEach, expect, it } from 'vitest';
import { takeOwnership, type Ownership } from '../../src/reconciler/ownership.ts';
import type { Reconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { place, startReconciler } from '../execution/limit-rig.ts';
import { alarms, BTC, makeRig, type Rig } from '../execution/rig.ts';

let rig: Rig;
let reconciler: Reconciler;
let intentId: string;

/** `maker-1` is of unknown outcome; v1 and v2 have its terms, and both have traded and ended. */
beforeEach(async () => {
  rig = makeRig({ specs: [BTC], clientOrderIds: false });
  reconciler = startReconciler(rig);
  await rig.clock.advanceAsync(1_000);
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('maker', place);
  const [request] = rig.venue.creates();
  intentId = request!.clientOrderId.slice(3);
  for (const { orderId } of [rig.venue.arrive(request!), rig.venue.arrive(request!)]) rig.venue.fill(orderId, '0.01');
  await rig.clock.advanceAsync(120_000, 1_000);
  expect(stateOf()).toBe('unknown');
  expect(alarms(rig)).toEqual(['ambiguous_match']);
});

function stateOf(): string | undefined {
  return rig.executor.account('maker').orderByRef('maker-1')?.state;
}

async function say(...said: readonly Ownership[]): Promise<void> {
  const { findings } = await reconciler.runNow({ apply: false });
  takeOwnership(rig.executor.reconcilerPort, findings, said, 'looked at the page of the exchange');
  await rig.clock.advanceAsync(60_000, 1_000);
}

function held(): string {
  return rig.executor.account('maker').position('BTCUSDT').quantity;
}

it('takes the one that is said to be ours, with its trade, and the other as of others', async () => {
  await say({ orderId: 'v2', intentId });
  expect(stateOf()).toBe('filled');
  expect(held()).toBe('0.01');
  expect(rig.executor.account('maker').orderByRef('maker-1')?.orderId).toBe('v2');
});

it('takes the one that is left when the other is said to be none of ours', async () => {
  await say({ orderId: 'v2', intentId: null });
  expect(stateOf()).toBe('filled');
  expect(rig.executor.account('maker').orderByRef('maker-1')?.orderId).toBe('v1');
  expect(held()).toBe('0.01');
});

it('proves it absent when none of them is ours', async () => {
  await say({ orderId: 'v1', intentId: null }, { orderId: 'v2', intentId: null });
  expect(stateOf()).toBe('never_arrived');
  expect(held()).toBe('0');
});

it('has what was said in the journal: a replay knows the same', async () => {
  await say({ orderId: 'v1', intentId: null });
  const { state } = replayRows(rig.journal.read());
  expect([...state.disowned]).toEqual(['v1']);
  expect(stateHash(state)).toBe(stateHash(rig.executor.state));
});

it('counts no word that cannot be kept', async () => {
  Object.assign(rig.journal, {
    append: () => {
      throw new Error('EIO');
    },
  });
  await expect(say({ orderId: 'v1', intentId: null }, { orderId: 'v2', intentId })).rejects.toMatchObject({
    code: 'journal_failed',
  });
  expect(stateOf()).toBe('unknown');
  expect(held()).toBe('0');
});

it.each([
  ['an order that nobody doubts', () => [{ orderId: 'v9', intentId: null }]],
  ['another intent', () => [{ orderId: 'v1', intentId: `${intentId}9` }]],
  ['two orders for one intent', () => [{ orderId: 'v1', intentId }, { orderId: 'v2', intentId }]], // prettier-ignore
  ['one order twice', () => [{ orderId: 'v1', intentId }, { orderId: 'v1', intentId: null }]], // prettier-ignore
])('takes nothing of what names %s', async (_what, said) => {
  const rows = rig.journal.lastSeq;
  await expect(say(...said())).rejects.toMatchObject({ code: 'order_not_in_doubt' });
  expect(rig.journal.lastSeq).toBe(rows);
  expect(stateOf()).toBe('unknown');
});
