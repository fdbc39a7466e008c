/** A list that was read in pages may show a row twice: what it says is booked once. */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { MovementNotes } from '../../src/reconciler/account/account-notes.ts';
import { takeMovements } from '../../src/reconciler/account/movements.ts';
import { dec } from '../../src/model/numbers/money.ts';
import type { AccountMovement } from '../../src/model/trading/account.ts';
import { TradingState } from '../../src/spine/trading-state.ts';
import { replayRows } from '../../src/spine/replay.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { makeRig, PERP } from '../execution/rig.ts';

it('reconciler/repeated-rows/trade-of-others', async () => {
  const rig = makeRig({ specs: [PERP] });
  createReconciler(rig.executor).start();
  await rig.clock.advanceAsync(61_000, 1000);
  byHand(rig, 'h1', 'buy', '0.3');
  rig.venue.trades.push({ ...rig.venue.trades.at(-1)! });
  rig.venue.positionsNow = [held('0.3')];
  await rig.clock.advanceAsync(120_000, 1000);
  expect(replayRows(rig.journal.read()).state.explainedPosition(PERP.symbol).toFixed()).toBe('0.3');
});

it('reconciler/repeated-rows/transfer-of-others', () => {
  const state = new TradingState();
  state.adjust({ id: 'o', subject: 'balance', name: 'USDT', quantity: '10', cause: 'opening', asOf: 1 }, 1);
  const row: AccountMovement = {
    id: 'm1',
    type: 'withdrawal',
    account: 'unified-trading',
    currency: 'USDT',
    amount: '4',
    ts: 100_000,
  };
  const reading = { kind: 'complete', asOf: 100_001, items: [row, { ...row }] } as const;
  const account = { state, tolerance: dec(0), lagMs: 30_000, notes: { movements: new MovementNotes() } };
  const effects = takeMovements(account, reading, null, () => new Set());
  expect(effects.map(({ kind }) => kind)).toEqual(['adjust', 'flow']);
});
