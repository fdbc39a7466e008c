/**
 * Found in a last look: `dashboard --data` of a mistyped folder made that folder and served it as one without sessions.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionsRoot } from '../../src/cli/sessions/sessions-root.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

it.each(['dashboard', 'mcp'])('cli/%s/a-folder-that-is-not-there-is-refused', async (command) => {
  const cwd = freshFolder();
  const { code, stderr } = await callCli([command, '--data', 'dtaa'], cwd);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--data dtaa: there is no folder')]);
  expect(existsSync(join(cwd, 'dtaa'))).toBe(false);
});

it('cli/data/the-folder-of-the-sessions-or-the-one-above', () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'data', 'sessions'), { recursive: true });
  for (const data of ['data', 'data/sessions'])
    expect(sessionsRoot({ cwd }, data, 'none')).toBe(join(cwd, 'data', 'sessions'));
  expect(sessionsRoot({ cwd }, undefined, 'none')).toBe(join(cwd, 'none'));
});
