/** An environment override that was misspelt in its first word was ignored, and the bot ran without that limit. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configJsonSchema } from '../../src/session/config/load.ts';
import { OWN_VARIABLES } from '../../src/session/config/environment.ts';
import { errorOf, freshFolder, root, run } from '../e2e/cli.ts';

it.each([
  ['TIDEWIRE_RISKS_MAX_ORDER_VALUE', 'TIDEWIRE_RISK_MAX_ORDER_VALUE'],
  ['TIDEWIRE_JORNAL_DURABILITY', 'TIDEWIRE_JOURNAL_DURABILITY'],
  ['TIDEWIRE_API_SECRETS', 'TIDEWIRE_API_SECRET'],
])('config/variables/%s-is-an-error-that-names-the-nearest', async (wrong, right) => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), 'risk: { maxOpenOrders: 5 }\n');
  for (const args of [
    ['config', 'check', 'c.yaml'],
    ['config', 'show', '--config', 'c.yaml'],
  ]) {
    const ended = await run([...args, '--json'], { cwd, env: { [wrong]: '5' } });
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      code: 'config_invalid',
      message: `the environment has an unknown ${wrong}; did you mean ${right}?`,
    });
  }
});

it('config/variables/own-ones-and-those-that-the-file-reads-are-none', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), 'exchange: { gatewayUrl: "https://${TIDEWIRE_GATEWAY_OF_MINE}/" }\n');
  const own = Object.fromEntries(OWN_VARIABLES.map((name) => [name, 'x']));
  const env = { ...own, TIDEWIRE_GATEWAY_OF_MINE: 'gate.example' };
  const ended = await run(['config', 'show', '--config', 'c.yaml'], { cwd, env });
  expect(ended.code, ended.stderr).toBe(0);
});

it('config/variables/of-this-repository-are-known', () => {
  const parts = Object.keys(configJsonSchema().properties ?? {}).map((part) => `TIDEWIRE_${part.toUpperCase()}`);
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const read = tracked
    .filter((file) => /^(?!test\/session\/config|test\/regression\/misspelt)\S+\.(ts|js|yaml|service)$/.test(file))
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/TIDEWIRE_[A-Z0-9]+(_[A-Z0-9]+)*/g) ?? []);
  const isOption = (name: string): boolean => parts.some((part) => name.startsWith(`${part}_`) || name === part);
  expect(read.length).toBeGreaterThan(50);
  expect([...new Set(read)].filter((name) => !isOption(name) && !OWN_VARIABLES.includes(name))).toEqual([]);
});
