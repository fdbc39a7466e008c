/** `config check` refuses of the strategies what a start would refuse, with the place in the file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { callCli } from './call-cli.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tidewire-check-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const maker = resolve('strategies/spread-maker.ts');

interface Answer {
  readonly ok?: boolean;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details: { readonly problems: unknown };
  };
}

async function check(strategies: readonly string[]): Promise<readonly [number, Answer]> {
  const file = join(cwd, 'c.yaml');
  writeFileSync(file, `strategies:\n${strategies.map((entry) => `  - ${entry}\n`).join('')}`);
  const { code, stdout } = await callCli(['config', 'check', file, '--json'], cwd);
  return [code, JSON.parse(stdout) as Answer];
}

it('config-check/strategies: two of one file with tags of their own are fine', async () => {
  const entries = [`{ file: ${maker} }`, `{ file: ${maker}, tag: other, params: { quantity: "0.002" } }`];
  expect(await check(entries)).toMatchObject([0, { ok: true }]);
});

it.each([
  ['a file that is not there', [`{ file: ./nowhere.ts }`], 2, 'strategies.0.file', 'there is no strategy file'],
  ['the same tag twice', [`{ file: ${maker} }`, `{ file: ${maker} }`], 3, 'strategies.1.file', 'tag spread-maker'],
  [
    'a parameter that there is not',
    [`{ file: ${maker}, params: { quantitty: "1" } }`],
    2,
    'strategies.0.params',
    'did you mean quantity?',
  ],
] as const)('config-check/strategies: %s', async (_name, entries, line, path, says) => {
  const message = expect.stringContaining(says);
  const details = { problems: [{ path, line, message }] };
  expect(await check(entries)).toMatchObject([2, { error: { code: 'config_invalid', message, details } }]);
});
