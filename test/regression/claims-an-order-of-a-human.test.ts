/**
 * Found by reading: an unknown order was looked for by its terms also where the exchange returns our client order ids,
 * so an order that a human placed with the same terms was taken for ours, and cancelled with it (O31, INV-S5). The list
 * shows the ids of an earlier and a later order of ours beside it, so the human's is in no doubt (`client-ids-forgotten`).
 */
import { expect, it } from 'vitest';
import { limit, CREATE } from '../e2e/scenario.ts';
import { settled } from '../e2e/checks.ts';
import { Stack, tempDir, until, World } from '../e2e/live-stack.ts';

it('takes no order without our mark for its own where the exchange keeps client order ids', async () => {
  const world = await World.open({ clientOrderIds: true });
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const stack = await Stack.start(world, { dir });
    await stack.whenReady();
    stack.act('maker', limit('buy', '59970', '0.01', 'earlier'));
    await until(() => stack.states().includes('earlier open'), 'the exchange returns our ids');
    await world.faults({ match: CREATE, fault: 'drop', times: 1 });
    stack.act('maker', limit('buy', '59980', '0.01', 'a'));
    await until(() => stack.states().includes('a unknown'), 'a is unknown');
    const human = world.trade('alice', 'buy', '59980', '0.01');
    stack.act('maker', { kind: 'cancel', ref: 'a' });
    stack.act('maker', limit('buy', '59960', '0.01', 'later'));
    await until(() => stack.executor.unresolvedCount() === 0, 'a is proved absent');
    expect(stack.executor.account('maker').orderByRef('a')?.state).toBe('never_arrived');
    stack.act('maker', { kind: 'cancelAll' });
    await until(() => world.alice.active.size === 1, 'the earlier one is cancelled');
    expect([...world.alice.active.keys()]).toEqual([human]);
    await settled(stack, dir, { foreign: [human], alarms: ['ambiguous_match'] });
  } finally {
    await world.close();
  }
});
