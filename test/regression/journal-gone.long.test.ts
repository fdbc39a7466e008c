/**
 * Found from outside: a session whose folder, database or write-ahead log was taken away under it went on trading, on rows
 * that nobody can read again; with the log cut, the journal was broken at every later start.
 */
import { existsSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { beforeRemoval } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';

const ways = [
  { way: 'whose folder is removed', take: (path: string) => rmSync(path, { recursive: true, maxRetries: 20 }) },
  { way: 'whose folder is moved away', take: (path: string) => renameSync(path, `${path}-moved`) },
  { way: 'whose database is deleted', take: (path: string) => rmSync(join(path, 'journal.db')) },
  { way: 'whose write-ahead log is deleted', take: (path: string) => rmSync(join(path, 'journal.db-wal')) },
  { way: 'whose write-ahead log is cut', take: (path: string) => truncateSync(join(path, 'journal.db-wal'), 0) },
] as const;

/** Creates that have their SENDING row: nothing leaves without one. */
function createsThatLeft(path: string): number {
  const creates = new Set<string>();
  let left = 0;
  for (const { entry } of readJournal(path)) {
    if (entry.kind === 'intent' && entry.command === 'create') creates.add(entry.intentId);
    else if (entry.kind === 'sending' && creates.has(entry.intentId)) left++;
  }
  return left;
}

describe('a live session', () => {
  it.each(ways)('$way sends nothing any more, cancels and ends with 5', async ({ way, take }) => {
    const { bot, exchange, session } = await startMaker();
    const { path } = session;
    const left = createsThatLeft(path);
    take(path);
    const ended = await bot.ended;
    beforeRemoval(() => rmSync(`${path}-moved`, { recursive: true, force: true }));
    expect(ended.code, ended.stderr).toBe(5);
    expect(ended.stderr).toContain('error journal_gone: ');
    // What is put back must not land inside of another folder.
    if (way.includes('folder')) expect(existsSync(path)).toBe(false);
    expect(await exchange.activeOrders()).toEqual([]);
    // What had left by then, and one requote of two sides between the look and the deed: the maker requotes several times a second.
    const sent = (await exchange.orderHistory()).length;
    expect(sent).toBeGreaterThan(0);
    expect(sent - left).toBeLessThanOrEqual(2);
    // What was written before is whole.
    if (way === 'whose folder is moved away')
      expect(verifyJournal(`${path}-moved`)).toMatchObject({ ok: true, problem: null });
    if (way === 'whose write-ahead log is cut') expect(verifyJournal(path)).toMatchObject({ ok: true, problem: null });
  });
});
