/** A variable of the configuration that a command does not need may be missing where it is called. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/session/config/load.ts';
import { callCli } from './call-cli.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-unset-'));
  const signals = "signals: { trend: { secret: '${TREND_SECRET}' } }";
  writeFileSync(join(folder, 'signals.yaml'), `journal: { dir: data/here }\n${signals}\n`);
  writeFileSync(join(folder, 'journal.yaml'), "journal: { dir: '${WHERE}' }\n");
  writeFileSync(join(folder, 'misspelt.yaml'), `${signals}\nriks: {}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CALLS = [
  ['status'],
  ['pause'],
  ['resume'],
  ['cancel', 'ref'],
  ['cancel-all'],
  ['programs'],
  ['limits', 'show', 'S'],
  ['journal', 'export', 'S'],
  ['journal', 'trades'],
  ['why', 'ref'],
  ['why-not', 'BTCUSDT@2026-01-01T00:00:00Z'],
  ['drift', 'S'],
  ['replay', 'S'],
  ['plan'],
  ['reconcile'],
] as const;

it.each(CALLS.map((argv) => ({ argv })))('$argv needs no secret of a signal', async ({ argv }) => {
  const { stdout, stderr } = await callCli([...argv, '--config', 'signals.yaml'], folder);
  expect(stdout + stderr).not.toMatch(/config_variable|TREND_SECRET|bad_option|unknown option/);
});

it('a variable that is needed is named, in a command and where all is loaded', async () => {
  const { code, stderr } = await callCli(['status', '--config', 'journal.yaml'], folder);
  expect(code).toBe(2);
  expect(stderr).toContain('reads ${WHERE}, which is not set');
  expect(() => loadConfig({ file: join(folder, 'signals.yaml'), environment: {} })).toThrow(/TREND_SECRET/);
});

it('without some parts the others are checked as ever', () => {
  const file = join(folder, 'misspelt.yaml');
  expect(() => loadConfig({ file, environment: {}, without: ['signals'] })).toThrow(/unknown key riks/);
  const environment = { TIDEWIRE_RISK_MAX_OPEN_ORDER: '3' };
  expect(() => loadConfig({ file: null, environment, without: ['signals'] })).toThrow(/did you mean/);
});
