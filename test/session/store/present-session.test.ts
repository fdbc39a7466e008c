/** Found by a stranger: `plan` and `programs` answered for the newest session, which had ended, while an older one ran. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { acquireLock } from '../../../src/journal/files/lock.ts';
import { presentSession } from '../../../src/session/store/present-session.ts';
import { createSession, listSessions, writeSession, type SessionRecord } from '../../../src/session/store/store.ts';

const root = mkdtempSync(join(tmpdir(), 'tidewire-present-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ENDED: Partial<SessionRecord> = { clean: true, endedAt: 2 };

function session(suffix: string, now: number, end: Partial<SessionRecord>): string {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const made = createSession(root, { mode: 'live', strategies, seed: 1, account: 'a', exchange: 'e', now, suffix });
  writeSession(made.path, { ...made.record, ...end });
  return made.path;
}

const present = (): string | undefined => presentSession(listSessions(root))?.path;

it('is the one that runs, else the one that a start may resume, else the newest', () => {
  expect(present()).toBeUndefined();
  const first = session('a', 1, {});
  const second = session('b', 2, { ...ENDED, left: true });
  const third = session('c', 3, ENDED);
  expect(present()).toBe(second);
  const lock = acquireLock(first);
  expect(present()).toBe(first);
  lock.release();
  for (const path of [first, second]) rmSync(path, { recursive: true });
  session('0', 0, ENDED);
  expect(present()).toBe(third);
});
