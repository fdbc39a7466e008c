/**
 * Found by killing processes on a disk that becomes read-only: a start that goes on with a session looked for its lock
 * first and failed as `internal`, which asks for a bug report, instead of naming the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireLock } from '../../src/journal/files/lock.ts';

it('names the lock and the disk when the file of the lock cannot be written', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-lock-'));
  rmSync(dir, { recursive: true });
  expect(() => acquireLock(dir)).toThrow(
    expect.objectContaining({ code: 'journal_failed', message: expect.stringContaining(join(dir, 'lock.db')) }),
  );
});
