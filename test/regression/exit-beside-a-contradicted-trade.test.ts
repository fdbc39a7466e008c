/**
 * Found by reading: a push told more of a trade than the list of own trades. An exit that rested went on selling all that was
 * booked, and so coins of the user's own. Another halt of the symbol was hidden by the contradiction, and ended with its word.
 */
import { expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { Rig } from '../execution/rig.ts';
import { Stack, SYMBOL, tempDir, until, World } from '../e2e/live-stack.ts';
import { limit } from '../e2e/scenario.ts';
import { programRig, rests, submit } from '../programs/program-rig.ts';

function exit(quantity: string, price: string, ref: string): Action {
  return { ...limit('sell', price, quantity, ref), reduceOnly: true } as Action;
}

/** The maker has bought 0.05, less a fee of 0.00001; the push tells 0.08, and no list can be read yet. */
it('an exit that rests for more than books and list both hold is cancelled, one for less stays', async () => {
  const world = await World.open();
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const stack = await Stack.start(world, { dir });
    await stack.whenReady();
    world.frames = (text) =>
      text.includes('"liquidity":"maker"') ? text.replace('"quantity":"0.05"', '"quantity":"0.08"') : text;
    await world.faults({ match: { path: '*/list/my' }, fault: 'status', status: 503 });
    stack.act('maker', limit('buy', '59995', '0.1', 'entry'));
    await until(() => world.alice.active.size === 1, 'it rests');
    world.trade('bob', 'sell', '59995', '0.05', true);
    const held = (): string => stack.executor.account('maker').position(SYMBOL).quantity;
    await until(() => held() === '0.07999', 'the trade is booked');
    stack.act('maker', { kind: 'cancel', ref: 'entry' });
    await until(() => stack.states().includes('entry canceled'), 'the rest is cancelled');
    stack.act('maker', exit('0.04', '60500', 'less'), exit('0.0399', '60500', 'more'));
    await until(() => world.alice.active.size === 2, 'the exits rest');
    await world.faults();
    await until(() => stack.states().includes('more canceled'), 'what is too much is cancelled');
    expect(world.alice.active.size).toBe(1);
    expect(stack.states()).not.toContain('less canceled');
    expect(stack.executor.state.contradicted.size).toBe(1);
    stack.act('maker', exit('0.001', '59000', 'now'));
    expect(stack.denials()).toEqual(['overfilled']);
    expect(stack.violations).toEqual([]);
  } finally {
    await world.close();
  }
});

/** An order of the maker trades 0.001, and the push tells it otherwise. */
async function contradicted(rig: Rig, entry: Action, told: Partial<VenueFill>): Promise<void> {
  const { venue, clock, executor } = rig;
  createReconciler(executor, { markets: ['spot'] }).start();
  await clock.advanceAsync(5_000, 1000);
  submit(rig, entry);
  const { orderId } = rests(rig, 'side' in entry && entry.side === 'sell' ? 'sell' : 'buy');
  const fill = venue.fill(orderId, '0.001');
  venue.emit({ kind: 'fill', fill: { ...fill, ...told } });
  venue.tell(orderId);
  await clock.advanceAsync(20_000, 1000);
  expect(executor.state.contradicted.size).toBe(1);
}

/** What is sent from now on, as `side quantity`. */
function since({ venue }: Rig): () => string[] {
  const before = venue.creates().length;
  return () =>
    venue
      .creates()
      .slice(before)
      .map(({ side, quantity }) => `${side} ${quantity}`);
}

it('nothing leaves where the symbol is halted for another reason too, until a human has said both', async () => {
  const rig = programRig();
  await contradicted(rig, limit('buy', '60000', '0.002'), { quantity: '0.0015' });
  const [{ orderId } = { orderId: '' }] = rig.venue.orders.values();
  rig.venue.emit({ kind: 'fill', fill: { ...rig.venue.fill(orderId, '0.001'), quantity: '0.1' } });
  const sent = since(rig);
  submit(rig, exit('0.0005', '60100', 'a'));
  const [id = ''] = rig.executor.state.contradicted.keys();
  rig.executor.human.division(id, 'as-listed', 'looked')();
  submit(rig, exit('0.0005', '60100', 'b'));
  expect(sent()).toEqual([]);
  rig.executor.human.resume(SYMBOL, 'looked');
  submit(rig, exit('0.0005', '60100', 'c'));
  expect(sent()).toEqual(['sell 0.0005']);
});

/** The push tells less than was bought, and no price comes any more. */
it('a program hears of its corrected entry at the word of a human', async () => {
  const rig = programRig();
  const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', price: '60000', quantity: '0.002' } as const;
  await contradicted(rig, { kind: 'bracket', entry, takeProfit: '61000' }, { quantity: '0.0004' });
  const exits = (): string[] =>
    rig.venue.resting().flatMap(({ side, quantity }) => (side === 'sell' ? [quantity] : []));
  expect(exits()).toEqual(['0.0004']);
  const [id = ''] = rig.executor.state.contradicted.keys();
  rig.executor.human.division(id, 'as-listed', 'looked')();
  expect(exits()).toEqual(['0.001']);
});
