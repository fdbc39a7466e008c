/**
 * Found by reading: at a start the first balance reading was taken over at once ("while down"). A fill that happened
 * between the reading of trades and the reading of balances, while pushes were late, was so booked twice: as a difference
 * and as a fill. The check then found a hole that was none, and the gate stayed shut for good.
 */
import { expect, it } from 'vitest';
import { limit } from '../e2e/scenario.ts';
import { settled } from '../e2e/checks.ts';
import { Stack, SYMBOL, tempDir, until, World } from '../e2e/live-stack.ts';

it('takes a difference over only when two readings in a row show it', async () => {
  const world = await World.open();
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const first = await Stack.start(world, { dir });
    await first.whenReady();
    first.act('maker', limit('buy', '59995', '0.02', 'a'));
    await until(() => first.states().includes('a open'), 'a stands');
    for (let run = 0; run < 3; run++) await first.reconciler.runNow();
    await first.die();

    // The fill comes after the trades were read and before the balances are; its pushes come much later.
    await world.faults({ match: { channel: `${SYMBOL}@*` }, fault: 'mute' });
    const second = await Stack.start(world, { dir, bootId: 'b2' });
    const orders = world.sandbox.sandbox.exchange.orders;
    const readTrades = orders.trades.bind(orders);
    let read = 0;
    orders.trades = (...asked) => {
      const page = readTrades(...asked);
      if (++read === 1) world.trade('bob', 'sell', '59995', '0.02', true);
      return page;
    };
    await until(() => second.executor.account('maker').position(SYMBOL).quantity !== '0', 'the fill is found');
    await world.faults();
    await settled(second, dir);
    expect(read).toBeGreaterThan(1);
  } finally {
    await world.close();
  }
});
