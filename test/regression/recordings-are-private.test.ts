/** A recording, with the orders and balances in it, is readable by its owner alone: folder, segments, manifest, tape. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

it('recording/files/are-for-their-owner', { timeout: 60_000 }, async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const env = exchange.keys;
  const ended = await run(['record', '--symbols', 'BTCUSDT', '--for', '2s', '--out', 'rec', '--config', config], {
    cwd,
    env,
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect((await run(['data', 'compile', 'rec'], { cwd })).code).toBe(0);
  const files = readdirSync(join(cwd, 'rec'));
  expect(files).toEqual(expect.arrayContaining(['compiled.tape', 'frames-000001.twf', 'recording.json']));
  expect([modeOf(join(cwd, 'rec')), ...files.map((file) => modeOf(join(cwd, 'rec', file)))]).toEqual([
    '700',
    ...files.map(() => '600'),
  ]);
});
