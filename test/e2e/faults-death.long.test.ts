/**
 * The process dies at every commit of a session, before or after the rows are on the disk; requests that left go on to
 * the exchange. After a restart on the same journal everything must hold, for exchanges with and without client order
 * ids, and the answer of every second create had been lost.
 */
import { describe, expect, it } from 'vitest';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { settled } from './checks.ts';
import { Stack, SYMBOL, tempDir, until, World } from './live-stack.ts';
import { CREATE, limit, market } from './scenario.ts';

interface Death {
  readonly commit: number;
  readonly written: boolean;
}

/** Commits that the session makes when nothing happens to it; deaths beyond its end are no deaths. */
const COMMITS_MAX = 26;

async function session(world: World, stack: Stack): Promise<void> {
  const steps: readonly (() => void)[] = [
    () => stack.act('maker', limit('buy', '59980', '0.01', 'a')),
    () => stack.act('taker', market('buy', '0.02')),
    () =>
      stack.act('maker', {
        kind: 'quote',
        symbol: SYMBOL,
        bids: [{ price: 59_985, quantity: '0.01' }],
        asks: [{ price: 60_020, quantity: '0.01' }],
      }),
    () => world.trade('bob', 'sell', '59985', '2.005', true),
    () => stack.act('maker', { kind: 'cancel', ref: 'a' }),
    () => stack.act('taker', { kind: 'target', symbol: SYMBOL, quantity: '0.01' }),
    () => stack.act('maker', { kind: 'quote', symbol: SYMBOL, bids: [], asks: [{ price: 60_030, quantity: '0.01' }] }),
  ];
  for (const step of steps) {
    if (stack.dead) return;
    step();
    await until(() => stack.dead || stack.executor.unresolvedCount() === 0, 'the answers');
    await stack.reconciler.runNow();
  }
}

async function liveAndDie(ids: boolean, death: Death): Promise<boolean> {
  const world = await World.open({ clientOrderIds: ids });
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    let commits = 0;
    let died = false;
    const doomed: { stack?: Stack } = {};
    const wrap = (journal: JournalStore): JournalStore => ({
      append: (ts, entries) => {
        if (doomed.stack?.dead === true) return journal.lastSeq;
        commits++;
        if (commits !== death.commit) return journal.append(ts, entries);
        died = true;
        if (death.written) journal.append(ts, entries);
        if (doomed.stack !== undefined) doomed.stack.dead = true;
        return journal.lastSeq;
      },
      read: (from) => journal.read(from),
      get lastSeq() {
        return journal.lastSeq;
      },
      idle: () => {},
      close: () => journal.close(),
    });
    const first = await Stack.start(world, { dir, wrap });
    doomed.stack = first;
    await first.whenReady();
    await world.faults({ match: CREATE, fault: 'dropAfterEffect', p: 0.4 });
    await session(world, first);
    await first.die();
    await world.faults();
    const second = await Stack.start(world, { dir, bootId: 'b2' });
    second.violations.push(...first.violations);
    await settled(second, dir);
    return died;
  } finally {
    await world.close();
  }
}

describe.each([true, false])('death with clientOrderIds %s', (ids) => {
  it.each([true, false])(
    'at every commit (rows written: %s) leaves nothing behind',
    async (written) => {
      const commits = Array.from({ length: COMMITS_MAX }, (_, index) => index + 2);
      const deaths: boolean[] = [];
      const problems: string[] = [];
      const work = async (): Promise<void> => {
        for (let commit = commits.shift(); commit !== undefined; commit = commits.shift()) {
          try {
            deaths.push(await liveAndDie(ids, { commit, written }));
          } catch (thrown) {
            problems.push(`death at commit ${commit}: ${String(thrown)}`);
          }
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      expect(problems).toEqual([]);
      expect(deaths.filter((died) => died).length).toBeGreaterThan(12);
    },
    120_000,
  );
});
