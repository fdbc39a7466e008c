/**
 * A human sold by hand on the account while orders of ours were always on their way: by the time the balances could be
 * judged, the readings did not reach back to the trade, and the gate closed for good. Trades of others are booked exactly,
 * each once, when they are seen. Found by the simulator (L1).
 */
import { expect, it } from 'vitest';
import { settled } from '../e2e/checks.ts';
import { limit } from '../e2e/scenario.ts';
import { Stack, tempDir, until, World } from '../e2e/live-stack.ts';

it('explains a trade by hand to the last unit, once, over a restart too', async () => {
  const world = await World.open();
  const { dir, remove } = tempDir();
  world.later(remove);
  try {
    const first = await Stack.start(world, { dir });
    await first.whenReady();
    // Only the currencies of what we trade are watched.
    first.act('maker', limit('buy', '58000', '0.01'));
    await until(() => adjusted(first).length >= 2, 'the opening balances');
    const bought = world.trade('alice', 'buy', '60010', '0.1', true);
    await until(() => byHand(first).length > 0, 'the trade in the journal');
    await first.die();
    const sold = world.trade('alice', 'sell', '59990', '0.04', true);
    const second = await Stack.start(world, { dir, bootId: 'b2' });
    await until(
      () => byHand(second).length === 4,
      () => `both trades: ${JSON.stringify(byHand(second))}`,
    );
    expect(byHand(second).map(({ name, quantity }) => `${name} ${quantity}`)).toEqual([
      'BTC 0.09995',
      'USDT -6001',
      'BTC -0.04',
      'USDT 2398.4002',
    ]);
    await settled(second, dir, { foreign: [bought, sold] });
  } finally {
    await world.close();
  }
});

function adjusted(stack: Stack) {
  return stack.rows().flatMap(({ entry }) => (entry.kind === 'adjustment' ? [entry] : []));
}

function byHand(stack: Stack) {
  return adjusted(stack).filter(({ id }) => id.startsWith('external/'));
}
