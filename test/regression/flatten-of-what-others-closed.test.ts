/**
 * Found by a stranger who closed the position of a running strategy by hand: `flatten`, the stop policy and a target of 0 then
 * sold it once more, without the exchange's reduce-only flag, and left a short that was nobody's. What others have closed
 * is not there to be closed; what another strategy holds against it is.
 */
import { expect, it } from 'vitest';
import { alarms, denials, PERP, settle } from '../execution/rig.ts';
import { bought, byHand, held, trades } from '../execution/perpetual-rig.ts';

const { symbol } = PERP;

/** The maker holds 0.1, of which a human has sold so much since. */
async function soldByHand(quantity: string, left: string) {
  const process = await bought();
  const { rig } = process;
  byHand(rig, 'h1', 'sell', quantity);
  rig.venue.positionsNow = left === '0' ? [] : [held(left)];
  await rig.clock.advanceAsync(120_000, 1000);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.1');
  return rig;
}

const sells = (rig: Awaited<ReturnType<typeof soldByHand>>) =>
  rig.venue.creates().filter(({ side }) => side === 'sell');

it('nothing is sent for what is not there, and it is said', async () => {
  const rig = await soldByHand('0.1', '0');
  rig.executor.submit('maker', { kind: 'target', symbol, quantity: '0' });
  expect(denials(rig)).toEqual(['reduce_only']);
  rig.executor.stop('maker', 'flatten');
  await rig.clock.advanceAsync(20_000, 1000);
  await settle();
  expect(sells(rig)).toEqual([]);
  expect(alarms(rig)).toContain('flatten_stuck');
  expect(rig.events.some(({ kind }) => kind === 'stopped')).toBe(true);
});

it('of a part that is left that part is closed', async () => {
  const rig = await soldByHand('0.06', '0.04');
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  expect(sells(rig)).toMatchObject([{ quantity: '0.04', reduceOnly: true }]);
});

it('what another strategy holds against it is closed, as new risk', async () => {
  const { rig } = await bought();
  trades(rig, 'taker', 'sell', '0.1');
  rig.venue.positionsNow = [];
  await rig.clock.advanceAsync(61_000, 1000);
  const before = sells(rig).length;
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  expect(sells(rig).slice(before)).toMatchObject([{ quantity: '0.1', reduceOnly: false }]);
});
