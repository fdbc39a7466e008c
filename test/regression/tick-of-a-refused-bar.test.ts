/** A bar that `data import` refuses still counted in the tick that is inferred from the data, and in the warning that it is coarse. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

it('data/import/infers-no-tick-from-a-refused-bar', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => {
    const price = (100 + index / 100).toFixed(2);
    return `${1_700_000_040_000 + index * 60_000},${price},${price},${price},${price},5`;
  });
  rows[7] = '1700000460000,100.07,100.07,-1,100.071,5';
  rows[9] = '1700000580000,100.09,100.09,1.0001';
  const files = [writeFixture('x.csv', ['timestamp,open,high,low,close,volume', ...rows].join('\n'))];
  const asked = { symbols: ['A'], intervalMs: 60_000, out: join(freshDir(), 'out'), now: 0 };
  const { manifest } = await importRecording({ format: 'candles-csv', files, ...asked });
  expect(manifest.instruments[0]?.tickSize).toBe('0.01');
  expect(manifest.warnings.join()).not.toContain('basis points');
});
