/**
 * Two imports into one folder at once wrote over each other: one ended with 0 and a recording that had lost most of a good file, the other
 * as a bug of tidewire.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const TRADES = Array.from({ length: 2000 }, (_, index) =>
  JSON.stringify({
    ts: 1_700_000_000_000 + index,
    symbol: 'A',
    type: 'trade',
    tradeId: `${index}`,
    price: 1,
    quantity: 1,
    side: 'buy',
  }),
).join('\n');

function started(out: string) {
  return importRecording({ format: 'jsonl', files: [writeFixture('x.jsonl', TRADES)], symbols: [], out, now: 0 });
}

it('data/import/refuses-a-second-one-into-the-same-folder', async () => {
  const out = join(freshDir(), 'deep', 'out');
  const first = started(out);
  await expect(started(out)).rejects.toMatchObject({ code: 'recording_busy', exit: 3 });
  const { frames, found } = await first;
  expect([frames, found.problems]).toEqual([2000, []]);
  expect(readdirSync(dirname(out))).toEqual(['out']);
  expect((await started(out)).frames).toBe(2000);
});

it('data/import/refuses-beside-another-process-that-runs-and-goes-on-after-a-dead-one', async () => {
  const out = join(freshDir(), 'out');
  writeFileSync(`${out}.importing`, `${process.ppid}\n`);
  await expect(started(out)).rejects.toMatchObject({ code: 'recording_busy' });
  expect(existsSync(out)).toBe(false);
  const { pid } = spawnSync('true');
  for (const left of [`${pid}\n`, `${process.pid}\n`]) {
    writeFileSync(`${out}.importing`, left);
    expect((await started(out)).frames).toBe(2000);
  }
});
