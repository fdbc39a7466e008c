/**
 * `panic --flatten` beside a running session: the session booked what was sold as a trade of somebody else, the next start booked
 * it once more as a fill, and the strategy went on believing in what was sold.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { until, type Stack } from '../e2e/live-stack.ts';
import { holding } from '../e2e/panic-setting.ts';

const kinds = (stack: Stack): readonly string[] => stack.rows().map(({ entry }) => entry.kind);
const causesOf = (stack: Stack): readonly string[] =>
  stack.rows().flatMap(({ entry }) => (entry.kind === 'adjustment' && entry.cause !== 'opening' ? [entry.cause] : []));
const positionOf = (stack: Stack): string => stack.executor.account('taker').position('BTCUSDT').quantity;

/** What the journal explains is what the account holds, to the last unit. */
async function expectExplained(stack: Stack): Promise<void> {
  const { account } = await stack.reconciler.runNow({ full: true });
  expect(account.map(({ name }) => name)).toEqual(expect.arrayContaining(['BTC', 'USDT']));
  for (const { name, difference } of account) expect([name, difference]).toEqual([name, '0']);
}

it('panic/flatten/running-session-books-it-as-its-own', () =>
  holding(
    async ({ stack, flatten }) => {
      expect(await flatten()).toEqual(['sell 0.04997 accepted']);
      await until(() => positionOf(stack) === '0.000005', 'the strategy no longer believes in what was sold');
      expect(stack.executor.unresolvedCount()).toBe(0);
      expect(kinds(stack).filter((kind) => kind === 'fill')).toHaveLength(2);
      await expectExplained(stack);
      expect(causesOf(stack)).toEqual([]);
      expect(await flatten()).toEqual([]);
    },
    { watches: true },
  ));

it('panic/flatten/booked-as-external-is-taken-back', () =>
  holding(async ({ stack, flatten, restart }) => {
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
    await until(() => causesOf(stack).length === 2, 'it is booked as an external trade');
    await expectExplained(stack);
    const next = await restart();
    await until(() => positionOf(next) === '0.000005', 'it is a fill of the strategy');
    await expectExplained(next);
    const own = 'own trade that was booked as external';
    expect(causesOf(next)).toEqual(['trade of others', 'trade of others', own, own]);
  }));

it('panic/flatten/what-was-closed-for-a-session-that-is-gone-is-no-short', () =>
  holding(async ({ stack, root, flatten }) => {
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
    await stack.stop();
    for (const name of readdirSync(root)) if (name.startsWith('live-')) rmSync(join(root, name), { recursive: true });
    expect(await flatten()).toEqual([]);
  }));

it('panic/flatten/what-was-closed-is-no-short-of-an-older-journal', () =>
  holding(async ({ stack, root, flatten }) => {
    const folder = readdirSync(root).find((name) => name.startsWith('live-')) ?? '';
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
    const rows = stack.rows();
    await stack.stop();
    // As a backup of before the first fill would be.
    const end = rows.findIndex(({ entry }) => entry.kind === 'intent');
    for (const file of readdirSync(join(root, folder)))
      if (file.startsWith('journal')) rmSync(join(root, folder, file), { recursive: true });
    const older = openJournal(join(root, folder));
    for (const { ts, entry } of rows.slice(0, end)) older.append(ts, [entry]);
    older.close();
    expect(await flatten()).toEqual([]);
  }));

it('panic/flatten/unreadable-list-concludes-nothing', () =>
  holding(
    async ({ stack, root }) => {
      expect((await stack.reconciler.runNow()).failures).toEqual([]);
      mkdirSync(join(root, 'panic.jsonl'));
      const { complete, failures } = await stack.reconciler.runNow();
      expect({ complete, failures }).toEqual({
        complete: false,
        failures: ['orders of a panic cannot be adopted'],
      });
    },
    { watches: true },
  ));
