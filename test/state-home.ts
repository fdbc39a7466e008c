/**
 * Locks and records of accounts lie in one place for a user of a machine. Each test file has a place of its own, and so have
 * the processes that it starts: nothing of the tester is touched, and no file meets another.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'tidewire-state-'));
process.env['XDG_STATE_HOME'] = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));
