/** What `--json` prints where a command fails: `{error: {code, message, hint, details?}}`, of typed errors and of usage. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from './call-cli.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tidewire-errors-'));

it.each([
  ['a session that is not there', ['status', 'nothing', '--json'], 'session_not_found'],
  ['an option that is not there', ['status', '--al', '--json'], 'usage'],
  ['an option that is missing', ['journal', 'clear-kill', 's', '--json'], 'usage'],
])('error-document/%s', async (_name, argv, code) => {
  const { stdout } = await callCli(argv, cwd);
  const { error } = JSON.parse(stdout) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ code, message: expect.any(String), hint: expect.stringMatching(/\w{4}/) });
  expect(Object.keys(error).filter((key) => !['code', 'message', 'hint', 'details'].includes(key))).toEqual([]);
});
