/** `data import --from jsonl` ignored `--interval` and a field `interval`: bars of four hours became minutes, known hours before their close. */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { BTC, freshDir, writeFixture } from '../recording/fixtures.ts';

const HOUR = 3_600_000;
const FROM = Date.parse('2024-01-01T00:00:00Z');
const instrument = (): string => writeFixture('i.json', JSON.stringify(BTC));

function bar(at: number, more: object): string {
  const openTime = FROM + at * 4 * HOUR;
  const prices = { open: 100, high: 101, low: 99, close: 100, volume: 1 };
  return JSON.stringify({ ts: openTime, symbol: 'BTCUSDT', type: 'candle', openTime, ...prices, ...more });
}

function importLines(cwd: string, lines: readonly string[], flags: readonly string[]): ReturnType<typeof callCli> {
  const file = writeFixture('x.jsonl', lines.join('\n'));
  const args = ['--from', 'jsonl', file, '--instrument', instrument(), '--out', 'bars', ...flags, '--json'];
  return callCli(['data', 'import', ...args], cwd);
}

it.each([
  [{}, ['--interval', '4h']],
  [{ interval: '4h' }, []],
  [{ intervalMs: 4 * HOUR }, []],
  [{ interval: '4h', intervalMs: 4 * HOUR }, ['--interval', '240m']],
])('import/jsonl/interval-of-candles %j %j', async (more, flags) => {
  const cwd = freshDir();
  const lines = [0, 1, 2].map((at) => bar(at, more));
  expect(await importLines(cwd, lines, flags)).toMatchObject({ code: 0 });
  const out = join(cwd, 'out.jsonl');
  expect(await callCli(['data', 'export', 'bars', '--format', 'jsonl', '--out', out], cwd)).toMatchObject({ code: 0 });
  const exported = readFileSync(out, 'utf8').trim().split('\n');
  expect(exported.map((line) => JSON.parse(line) as object)).toMatchObject(
    [0, 1, 2].map((at) => ({
      openTime: FROM + at * 4 * HOUR,
      intervalMs: 4 * HOUR,
      ts: FROM + (at + 1) * 4 * HOUR,
    })),
  );
});

it.each([
  [{ interval: '4h' }, ['--interval', '1h']],
  [{ interval: '4h', intervalMs: 60_000 }, []],
  [{ interval: '4 hours' }, []],
])('import/jsonl/one-interval-or-none %j %j', async (more, flags) => {
  const { code, stdout } = await importLines(freshDir(), [bar(0, more), bar(1, more)], flags);
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'import_wrong_format' } }]);
  expect(stdout).toContain('not one interval');
  // `--from` is right.
  expect(stdout).not.toMatch(/"Check --from/);
});

it.each([
  ['jsonl', ['--timestamp', 'close']],
  ['jsonl', ['--volume', 'quote']],
  ['binance-vision', ['--interval', '4h', '--symbol', 'BTCUSDT']],
])('import/options-of-bars/refused-where-ignored %s %j', async (from, flags) => {
  const cwd = freshDir();
  const file = writeFixture('x.jsonl', bar(0, {}));
  const end = await callCli(['data', 'import', '--from', from, file, '--out', 'bars', ...flags, '--json'], cwd);
  expect([end.code, JSON.parse(end.stdout)]).toMatchObject([2, { error: { code: 'import_bad_option' } }]);
});
