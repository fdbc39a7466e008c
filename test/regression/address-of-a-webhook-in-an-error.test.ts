/** Found by a stranger: an error of the configuration printed the address of a webhook, which holds its token, where the file had it literally. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

async function shown(alert: string): Promise<{ readonly code: number; readonly text: string }> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), `alerts: [${alert}]\n`);
  const { code, stdout, stderr } = await callCli(['config', 'show', '--config', 'c.yaml'], cwd);
  return { code, text: stdout + stderr };
}

it.each([
  ['an address that is none', '{ kind: webhook, url: "hooks.example/T0K3N" }', 2],
  ['a form that is none', '{ kind: webhok, url: "https://hooks.example/T0K3N" }', 2],
  ['a ping without an interval', '{ ping: { url: "https://ping.example/T0K3N", every: never } }', 2],
  ['what is right', '{ kind: webhook, url: "https://hooks.example/T0K3N" }', 0],
])('is masked beside %s', async (_, alert, code) => {
  const said = await shown(alert);
  expect(said.code, said.text).toBe(code);
  expect(said.text).toContain('alerts');
  expect(said.text).not.toContain('T0K3N');
});
