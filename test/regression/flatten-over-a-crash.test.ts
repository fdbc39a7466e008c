/**
 * A flatten that waited for its cancels was known to its process alone. After a `kill -9` the position stayed open, and
 * nothing said so.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { alarms, BTC, denials, makeRig, settle, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const limit = { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.01' } as const;

/** Holds 0.1, one order rests, and its cancel is not answered before the process dies. */
function died(): Rig {
  const rig = makeRig();
  rig.executor.submit('maker', { ...limit, price: '60001', quantity: '0.1' });
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
  rig.executor.submit('maker', limit);
  rig.venue.cancelMode = 'hold';
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  expect(standing(rig)).toEqual(['buy 0.01']);
  return rig;
}

const standing = ({ venue }: Rig): readonly string[] =>
  venue.resting().map(({ side, quantity }) => `${side} ${quantity}`);

async function restarted({ journal, clock, venue }: Rig): Promise<Rig> {
  venue.cancelMode = 'accept';
  const rig = makeRig({ journal, clock, venue, bootId: 'b2' });
  createReconciler(rig.executor).start();
  await settle();
  rig.executor.goOn('maker');
  return rig;
}

it('execution/flatten/goes-on-after-a-crash', async () => {
  const rig = await restarted(died());
  rig.executor.submit('maker', limit);
  expect(denials(rig)).toEqual(['flattening']);
  await rig.clock.advanceAsync(120_000, 1000);
  expect(standing(rig)).toEqual(['sell 0.1']);
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(rig.executor.state));
});

it('execution/flatten/is-over-after-an-orderly-end', async () => {
  const before = died();
  before.executor.close();
  const rig = await restarted(before);
  await rig.clock.advanceAsync(120_000, 1000);
  rig.executor.submit('maker', { ...limit, price: '58000' });
  expect(denials(rig)).not.toContain('flattening');
  expect(standing(rig)).not.toContain('sell 0.1');
});

/** The exit of a bracket is being cancelled as the process dies: the flatten goes on, so nobody is paged for its position. */
it('execution/flatten/of-a-bracket-over-a-crash', async () => {
  const rig = makeRig({ risk: { priceCollar: 0.5 } });
  const entry = { symbol, side: 'buy', type: 'limit', price: '60001', quantity: '0.1' } as const;
  rig.executor.submit('maker', { kind: 'bracket', entry, takeProfit: '61000', stopLoss: '59000' });
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
  expect(standing(rig)).toEqual(['sell 0.1']);
  rig.venue.cancelMode = 'hold';
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  const again = await restarted(rig);
  await again.clock.advanceAsync(120_000, 1000);
  expect(alarms(again)).not.toContain('unprotected');
  for (const { orderId, quantity } of again.venue.resting()) again.venue.tellFill(orderId, quantity);
  expect(again.executor.account('maker').position(symbol).quantity).toBe('0');
});
