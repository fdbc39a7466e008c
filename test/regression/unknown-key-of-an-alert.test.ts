/** Found by a stranger: an unknown key within `alerts` or `signals` was named beside an empty list of known keys, and without the nearest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

async function refusal(yaml: string): Promise<string> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), yaml);
  const { code, stderr } = await callCli(['config', 'show', '--config', 'c.yaml'], cwd);
  expect(code).toBe(2);
  return stderr;
}

it.each([
  ['alerts: [{ kind: file, path: a.log, onn: [page] }]', 'unknown key alerts.0.onn; did you mean on?'],
  ['alerts: [{ kind: file, path: a.log, retries: 3 }]', 'unknown key alerts.0.retries; known keys: kind, path, on'],
  ['signals: { desk: { secretPath: 0123456789abcdef, secretPth: x } }', 'did you mean secretPath?'],
])('%s', async (yaml, said) => {
  expect(await refusal(yaml)).toContain(said);
});
