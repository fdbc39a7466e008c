/** What a user meets in the first hour is named for what it is, with what to do about it. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

const maker = strategyFile('spread-maker');
const sample = join(root, 'data', 'sample');

function strategy(cwd: string, name: string, onCandle: string): string {
  const file = join(cwd, `${name}.ts`);
  const params = "params: z.object({ symbol: z.string().default('BTCUSDT') })";
  writeFileSync(
    file,
    `import { defineCandleStrategy, place, z } from 'tidewire';\nexport default defineCandleStrategy({\n  name: '${name}', ${params}, interval: '1s', setup: () => ({}),\n  onCandle(candle, { market }) {\n    ${onCandle}\n  },\n});\n`,
  );
  return file;
}

it('messages/symbol/the-one-that-the-data-has-is-suggested', async () => {
  const cwd = freshFolder();
  const ended = await run(['backtest', maker, '--data', sample, '--param', 'symbol=BTCUSD'], { cwd });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('--param symbol=BTCUSDT');
  expect(ended.stderr).not.toContain('--param symbol=BTCUSD\n');
});

it('messages/flags/a-misspelt-one-is-named-beside-the-missing-one', async () => {
  const cwd = freshFolder();
  const ended = await run(['backtest', maker, '--dat', sample, '--json'], { cwd });
  expect([ended.code, errorOf(ended).message]).toEqual([2, expect.stringContaining('Did you mean --data?')]);
  expect(ended.stderr).toContain("unknown option '--dat' (Did you mean --data?)");
});

it.skipIf(process.getuid?.() === 0)('messages/files/a-folder-of-others-is-no-full-disk', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'shut'), { mode: 0o500 });
  const ended = await run(['backtest', maker, '--data', sample, '--result', 'shut/r.json', '--json'], { cwd });
  chmodSync(join(cwd, 'shut'), 0o700);
  expect([ended.code, errorOf(ended).code]).toEqual([1, 'not_writable']);
});

it('messages/files/a-file-in-the-way-is-no-full-disk', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'file'), '');
  const ended = await run(['backtest', maker, '--data', sample, '--result', 'file/r.json', '--json'], { cwd });
  expect([ended.code, errorOf(ended).code]).toEqual([1, 'not_writable']);
});

it('messages/denials/a-negative-quantity-is-not-above-zero', async () => {
  const cwd = freshFolder();
  const file = strategy(
    cwd,
    'negative',
    "return place({ symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '-1' });",
  );
  const ended = await run(['backtest', file, '--data', sample, '--json'], { cwd });
  const { warnings } = documentOf<{ readonly warnings: readonly string[] }>(ended);
  expect(warnings.join('\n')).toMatch(/not_positive.*quantity -1 is not above zero/);
});

it('messages/types/the-type-error-comes-before-the-failure-that-follows-from-it', async () => {
  const cwd = freshFolder();
  const file = strategy(cwd, 'typo', "return market.instrumnt('BTCUSDT');");
  const ended = await run(['backtest', file, '--data', sample, '--json'], { cwd });
  expect(ended.code).toBe(1);
  const { warnings } = documentOf<{ readonly warnings: readonly string[] }>(ended);
  for (const text of [ended.stderr, warnings.join('\n')]) {
    expect(text.indexOf("'instrumnt' does not exist")).toBeGreaterThanOrEqual(0);
    expect(text.indexOf("'instrumnt' does not exist")).toBeLessThan(text.indexOf('market.instrumnt is not a function'));
  }
});

it('messages/record/the-embedded-sandbox-is-not-logged-in-to-with-keys-of-another', async () => {
  const cwd = freshFolder();
  const env = { TIDEWIRE_API_KEY: 'a'.repeat(64), TIDEWIRE_API_SECRET: 'b'.repeat(64) };
  const ended = await run(['record', '--symbols', 'BTCUSDT', '--for', '2s', '--out', 'rec', '--json'], { cwd, env });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).not.toContain('login');
});

it('messages/p2p/the-denial-names-the-configuration', async () => {
  const cwd = freshFolder();
  const ended = await run(['paper', strategyFile('p2p-maker'), '--for', '10s'], { cwd });
  expect(ended.stdout).toContain('--config config/p2p.yaml');
});
