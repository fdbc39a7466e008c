/**
 * Found by reading: a cancel on its way changed the state of its order without an entry, so that the living state and that of
 * a replay differed. It is a memory of the process, which updates show.
 */
import { expect, it } from 'vitest';
import type { OwnOrder } from '../../src/spine/orders/own-order.ts';
import { replayRows } from '../../src/spine/replay.ts';
import type { StateView } from '../../src/spine/trading-state.ts';
import { place } from '../execution/limit-rig.ts';
import { makeRig } from '../execution/rig.ts';

interface Held {
  readonly state: StateView;
}

it('spine/orders/cancel-on-its-way-changes-no-state', () => {
  const { executor, venue, journal } = makeRig();
  const shown = (): string | undefined => executor.account('maker').orderByRef('maker-1')?.state;
  const held = ({ state }: Held = executor.reconcilerPort): OwnOrder | undefined =>
    state.orders.byRef('maker', 'maker-1');
  executor.submit('maker', place);
  venue.cancelMode = 'hold';
  executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
  expect(shown()).toBe('canceling');
  expect(held()?.progress).toEqual(held(replayRows(journal.read()))?.progress);

  const cancel = venue.sent.at(-1);
  venue.answer(cancel?.intentId ?? '', { kind: 'unknown', reason: 'timeout' });
  expect(shown()).toBe('open');

  executor.reconcilerPort.carryOut({ kind: 'recancel', intentId: held()?.intentId ?? '' });
  expect(shown()).toBe('canceling');
  venue.end('v1', 'canceled');
  venue.tell('v1');
  expect(shown()).toBe('canceled');
  expect(held()?.progress).toEqual(held(replayRows(journal.read()))?.progress);
});
