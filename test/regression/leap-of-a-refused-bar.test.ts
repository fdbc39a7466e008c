/** A bar that `data import` refuses still counted in the order of times: a leap to it, and lines that go back after it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

async function warnings(odd: string, at: number): Promise<string> {
  const rows = Array.from({ length: 20 }, (_, index) => `${1_700_000_040_000 + index * 60_000},100,101,99,100,5`);
  rows[at] = odd;
  const files = [writeFixture('x.csv', ['timestamp,open,high,low,close,volume', ...rows].join('\n'))];
  const asked = { symbols: ['A'], intervalMs: 60_000, out: join(freshDir(), 'out'), now: 0 };
  const { manifest } = await importRecording({ format: 'candles-csv', files, ...asked });
  return manifest.warnings.join('\n');
}

it('data/import/names-no-leap-to-a-refused-bar', async () => {
  // Its high is below its low.
  expect(await warnings('4070908800000,100,99,101,100,5', 7)).not.toContain('nothing lies between');
});

it('data/import/names-the-leap-to-a-bar-that-it-takes', async () => {
  expect(await warnings('4070908800000,100,101,99,100,5', 19)).toContain('nothing lies between');
});
