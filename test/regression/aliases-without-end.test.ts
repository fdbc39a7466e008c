/** YAML aliases that multiply or hold themselves are refused by name, with exit code 2, in every file that is YAML. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorOf, freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

const row = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(', ')}]\n`;
const BOMB =
  row('a', 'x') + ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, at) => row(name, `*${'abcdefgh'[at]!}`)).join('');
const FILES = { bomb: BOMB, 'holds itself': 'risk: &r\n  again: *r\n', huge: `# ${'x'.repeat(2_000_000)}\n` };

it.each(Object.entries(FILES))('config/yaml/%s-is-a-typed-error', async (_, text) => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), text);
  const config = await run(['config', 'check', '--config', 'c.yaml', '--json'], { cwd });
  expect([config.code, errorOf(config).code]).toEqual([2, 'config_syntax']);
  const sample = join(root, 'data', 'sample');
  const args = [
    'sweep',
    strategyFile('spread-maker'),
    '--data',
    sample,
    '--space',
    'c.yaml',
    '--trials',
    '1',
    '--json',
  ];
  const sweep = await run(args, { cwd });
  expect([sweep.code, errorOf(sweep).code]).toEqual([2, 'sweep_space']);
});

it('config/yaml/an-ordinary-alias-counts', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), 'simulation:\n  fees: &f { maker: 0.001, taker: 0.002 }\n');
  expect((await run(['config', 'check', '--config', 'c.yaml'], { cwd })).code).toBe(0);
});
