/**
 * What must hold whatever breaks beside it: the kill switch over restarts, a journal that cannot be written, an order
 * that arrives after its deadline (reliability §3.1 J3, K1, K3).
 */
import { describe, expect, it } from 'vitest';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { settled } from './checks.ts';
import { Stack, SYMBOL, tempDir, until, World } from './live-stack.ts';
import { CANCEL, CREATE, limit, market, scenario } from './scenario.ts';

describe.concurrent.each([true, false])('with clientOrderIds %s', (ids) => {
  it('stays killed over a restart, and cancels then what it could not cancel before', async () => {
    const world = await World.open({ clientOrderIds: ids });
    try {
      const { dir, remove } = tempDir();
      world.later(remove);
      const first = await Stack.start(world, { dir });
      await first.whenReady();
      first.act('maker', limit('buy', '59980', '0.01', 'a'));
      await until(() => first.states().includes('a open'), 'a stands');
      await world.faults({ match: CANCEL, fault: 'drop' });
      first.clock.deliver(first.connection.clock.nowUs(), () => first.executor.kill('test'));
      await first.die();
      await world.faults();
      const second = await Stack.start(world, { dir, bootId: 'b2' });
      expect(second.executor.killed).toBe(true);
      await second.whenReady();
      second.act('taker', market('buy'), limit('buy', '59970'));
      await until(() => world.alice.active.size === 0, 'a is gone');
      expect(world.alice.orders).toHaveLength(1);
      await settled(second, dir);
    } finally {
      await world.close();
    }
  });

  it('sends nothing but cancels while the journal cannot be written (J3, P06)', async () => {
    const world = await World.open({ clientOrderIds: ids });
    try {
      const { dir, remove } = tempDir();
      world.later(remove);
      let broken = false;
      const wrap = (journal: JournalStore): JournalStore => ({
        append: (ts, entries) => {
          if (broken) throw new Error('no space left on device');
          return journal.append(ts, entries);
        },
        read: (from) => journal.read(from),
        get lastSeq() {
          return journal.lastSeq;
        },
        idle: () => {},
        close: () => journal.close(),
      });
      const stack = await Stack.start(world, { dir, wrap });
      await stack.whenReady();
      stack.act('maker', limit('buy', '59995', '0.02', 'a'), limit('buy', '59980', '0.01', 'b'));
      await until(() => stack.states().includes('b open'), 'both stand');
      broken = true;
      const before = stack.creates;
      stack.act('taker', market('buy'), limit('buy', '59970'), { kind: 'target', symbol: SYMBOL, quantity: '0.05' });
      world.trade('bob', 'sell', '59995', '0.01', true);
      stack.clock.deliver(stack.connection.clock.nowUs(), () => stack.executor.kill('disk'));
      await until(() => world.alice.active.size === 0, 'everything is cancelled');
      expect(stack.creates).toBe(before);
      expect(stack.executor.killed).toBe(true);
      expect(world.alice.orders).toHaveLength(2);
      await stack.die();

      // What could not be written is read from the exchange at the next start.
      const second = await Stack.start(world, { dir, bootId: 'b2' });
      await settled(second, dir);
      expect(second.executor.account('maker').position(SYMBOL).quantity).toBe('0.009998');
    } finally {
      await world.close();
    }
  });

  it('finds an order that arrived after the deadline of its request (O27)', () =>
    scenario({ ids, reconcile: { signatureWindowMs: 9000 } }, async ({ world, stack }) => {
      await world.faults({ match: CREATE, fault: 'delay', ms: 7000, times: 1 });
      stack.act('maker', limit('buy', '59980', '0.01', 'a'));
      await until(() => stack.states().includes('a unknown'), 'a is unknown');
      expect(world.alice.orders).toHaveLength(0);
      stack.act('maker', { kind: 'cancel', ref: 'a' });
      await until(() => world.alice.orders.length === 1 && world.alice.active.size === 0, 'a came and went');
    }));
});
