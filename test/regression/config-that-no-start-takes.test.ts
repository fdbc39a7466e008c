/** `config check` said ok of values that no start takes, and an error of a variable named the file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, type CommandOptions, type Ended } from '../e2e/cli.ts';

const OPEN = 'exchange: { baseUrl: "http://example.com", gatewayUrl: "http://127.0.0.1:1", wsUrl: sandbox }\n';

function check(yaml: string, env: CommandOptions['env'] = {}): Promise<Ended> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), yaml);
  return run(['config', 'check', 'c.yaml', '--json'], { cwd, env });
}

it('config/check/refuses-a-short-token-of-the-dashboard', async () => {
  const inFile = await check('risk: {}\ndashboard: { token: short }\n');
  expect(inFile.code).toBe(2);
  expect(errorOf(inFile).message).toMatch(/c\.yaml:2: dashboard\.token has 5 characters, 32 are needed$/);
  const inVariable = await check('risk: {}\n', { TIDEWIRE_DASHBOARD_TOKEN: 'abc' });
  expect(errorOf(inVariable).message).toBe('TIDEWIRE_DASHBOARD_TOKEN: dashboard.token has 3 characters, 32 are needed');
  expect((await check(`dashboard: { token: ${'t'.repeat(32)} }\n`)).code).toBe(0);
});

it('config/check/warns-of-an-address-that-live-refuses', async () => {
  const ended = await check(OPEN);
  expect(ended.code).toBe(0);
  const warning = 'no live session starts with exchange addresses like http://example.com: it is not encrypted';
  expect(documentOf(ended)).toMatchObject({ ok: true, warnings: [warning] });
});

it('config/errors/of-a-variable-name-the-variable', async () => {
  const yaml = 'journal: { dir: data/sessions }\n';
  const ended = await check(yaml, { TIDEWIRE_JOURNAL_DURABILITY: 'zzz' });
  expect(errorOf(ended)).toMatchObject({
    message: expect.stringMatching(/^TIDEWIRE_JOURNAL_DURABILITY: journal\.durability is "zzz": expected/),
    details: { problems: [{ path: 'journal.durability', line: null }] },
  });
  const listed = await check(yaml, { TIDEWIRE_STRATEGIES: '[{"file":"none.ts"}]' });
  expect(errorOf(listed).message).toMatch(/^TIDEWIRE_STRATEGIES: strategies\.0\.file: "none\.ts": /);
  const inFile = await check('journal: { durability: zzz }\n');
  expect(errorOf(inFile).message).toMatch(/c\.yaml:1: journal\.durability is "zzz": expected/);
});
