/**
 * A throw of a strategy's own `warmup`, `symbols` or `interval` ended as an internal error of tidewire, and `config check`
 * said that the file is right; what it answered wrongly was located in tidewire's compiled code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callerOf } from '../../src/strategy/loading/location.ts';
import { errorOf, freshFolder, root, run } from '../e2e/cli.ts';

const head = "import { defineStrategy, defineCandleStrategy, z } from 'tidewire';\n";
const params = "params: z.object({ symbol: z.string().default('BTCUSDT') })";
const candles = `export default defineCandleStrategy({ name: 'mine', ${params}, onCandle() {},\n`;
const streams = `export default defineStrategy({ name: 'mine', ${params}, setup() {},\n`;
const thrower = "() => { throw new RangeError('no level'); }";

const WRONG: readonly (readonly [string, string, string])[] = [
  ['warmup', `${candles} interval: '1m', warmup: ${thrower} });`, 'warmup: RangeError: no level'],
  ['symbols', `${candles} interval: '1m', symbols: ${thrower} });`, 'symbols: RangeError: no level'],
  ['interval', `${candles} interval: ${thrower} });`, 'interval: RangeError: no level'],
  ['intervals', `${candles} intervals: ${thrower} });`, 'intervals: RangeError: no level'],
  ['stream-warmup', `${streams} warmup: ${thrower} });`, 'warmup: RangeError: no level'],
  ['stream-symbols', `${streams} symbols: ${thrower} });`, 'symbols: RangeError: no level'],
  ['no-error', `${streams} symbols: () => { throw { level: 3 }; } });`, 'symbols: threw {"level":3}, which is not an'],
];

function strategyIn(cwd: string, text: string): void {
  writeFileSync(join(cwd, 'mine.ts'), head + text);
  writeFileSync(join(cwd, 'two.yaml'), `strategies: [{ file: ${root}/strategies/dca.ts }, { file: ${cwd}/mine.ts }]\n`);
}

it.each(WRONG)('strategy/definition/%s-that-throws', async (_, text, problem) => {
  const cwd = freshFolder();
  strategyIn(cwd, text);
  const ended = await run(['backtest', 'mine.ts', '--data', join(root, 'data/sample'), '--without-lockbox', '--json'], {
    cwd,
  });
  expect(ended.code, ended.stderr).toBe(1);
  const { code, message } = errorOf(ended);
  expect(code).toBe('strategy_threw');
  expect(message).toContain(`strategy mine: ${problem}`);
  expect(message).toMatch(/at (\S*\/)?mine\.ts:[23]:\d+$/);
});

it('strategy/definition/throw-beside-a-healthy-strategy-on-paper', async () => {
  const cwd = freshFolder();
  strategyIn(cwd, WRONG[0]![1]);
  const ended = await run(['paper', '--config', 'two.yaml', '--for', '1s', '--json'], { cwd });
  expect(errorOf(ended).message).toContain('strategy mine: warmup: RangeError: no level at mine.ts:3');
});

it('strategy/definition/config-check-asks-it', async () => {
  const cwd = freshFolder();
  strategyIn(cwd, WRONG[0]![1]);
  const ended = await run(['config', 'check', '--config', 'two.yaml', '--json'], { cwd }, true);
  expect(ended.code, ended.stderr).toBe(2);
  expect(errorOf(ended).message).toContain('strategy mine: warmup: RangeError: no level at');
});

it.each([
  ["interval: '1m', warmup: () => 'many'", "got 'many'"],
  ["interval: '1m', warmup: -5", 'got -5'],
])('strategy/definition/%s', async (fields, problem) => {
  const cwd = freshFolder();
  strategyIn(cwd, `${candles} ${fields} });`);
  const ended = await run(['config', 'check', '--config', 'two.yaml', '--json'], { cwd }, true);
  expect(errorOf(ended).message).toContain('warmup must be a number of candles, such as 50');
  expect(errorOf(ended).message).toContain(problem);
});

it.each(['src/strategy', 'node_modules/tidewire/dist/strategy'])('strategy/definition/caller-of-%s', (room) => {
  const ext = room.startsWith('src') ? 'ts' : 'js';
  const stack = [
    'Error: stack',
    `    at captureStack (file:///my/${room}/loading/location.${ext}:45:17)`,
    `    at defineStrategy (file:///my/${room}/define.${ext}:12:29)`,
    '    at file:///my/mine.ts?v=2:3:16',
  ].join('\n');
  expect(callerOf(stack)).toEqual({ file: '/my/mine.ts', line: 3, column: 16 });
});
