/** A user's folder with tidewire linked as its dependency: a scenario runs under `node --test` alone. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-user-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'tidewire'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function testOf(position: number): string {
  return `import { test } from 'node:test';
import { scenario } from 'tidewire/testing';
import { defineCandleStrategy, target, z } from 'tidewire';
const strategy = defineCandleStrategy({
  name: 'holder',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  interval: '1m',
  onCandle: (candle, { params }) => target(params.symbol, { quantity: '1' }),
});
test('holds', async () => {
  await scenario({ strategy }).candles([100, 101]).expect({ fills: [{ side: 'buy', quantity: ${position} }] });
});
`;
}

function runs(position: number): ReturnType<typeof spawnSync> {
  writeFileSync(join(folder, 'holder.test.ts'), testOf(position));
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  return spawnSync(process.execPath, ['--test', 'holder.test.ts'], { cwd: folder, env, encoding: 'utf8' });
}

it('runners/node-test/a-scenario-passes', () => {
  const { status, stdout } = runs(1);
  expect(status, String(stdout)).toBe(0);
});

it('runners/node-test/a-scenario-that-fails-says-what-came', () => {
  const { status, stdout } = runs(2);
  expect(status).toBe(1);
  expect(stdout).toContain('fills[0].quantity: expected 2, came');
});
