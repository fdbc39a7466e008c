/**
 * Found by a quant: `data import --strict` ended with 0 where a line was well formed and its value was none (a price below 0), which
 * `data verify` named right after; and lines out of order took the time of what stood above them, by up to a minute, without a word.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { remarks } from '../../src/recording/info.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

function lines(price: (index: number) => string, ts: (index: number) => number): string {
  return Array.from({ length: 200 }, (_, index) =>
    JSON.stringify({
      ts: ts(index),
      symbol: 'A',
      type: 'trade',
      tradeId: `${index}`,
      price: price(index),
      quantity: '1',
      side: 'buy',
    }),
  ).join('\n');
}

function imported(text: string, strict: boolean) {
  const out = join(freshDir(), 'out');
  const request = {
    format: 'jsonl',
    files: [writeFixture('x.jsonl', text)],
    symbols: [],
    out,
    now: 0,
    strict,
  } as const;
  return { out, done: importRecording(request) };
}

it('data/import/strict-refuses-values-that-no-reader-takes', async () => {
  const text = lines(
    (index) => (index === 7 ? '-5' : '10'),
    (index) => 1_700_000_000_000 + index,
  );
  const { out, done } = imported(text, true);
  await expect(done).rejects.toMatchObject({ code: 'recording_damaged', exit: 5 });
  expect(existsSync(out)).toBe(false);
  const { frames, found } = await imported(text, false).done;
  expect(frames).toBe(200);
  expect(remarks(found)[0]).toMatch(/^lost: 1 frames cannot be decoded, first: trade price -5 is no positive multiple/);
  expect(
    (
      await imported(
        lines(
          () => '10',
          (index) => 1_700_000_000_000 + index,
        ),
        true,
      ).done
    ).frames,
  ).toBe(200);
});

it('data/import/says-how-far-lines-are-moved', async () => {
  const swapped = (index: number): number => (index === 100 ? 50 : index === 50 ? 100 : index);
  const { manifest } = await imported(
    lines(
      () => '10',
      (index) => 1_700_000_000_000 + swapped(index) * 100,
    ),
    false,
  ).done;
  expect(manifest.warnings.join()).toMatch(/41 messages lie up to 5\.0 s before .* sort the lines by time/);
  const ordered = await imported(
    lines(
      () => '10',
      (index) => 1_700_000_000_000 + index * 100,
    ),
    false,
  ).done;
  expect(ordered.manifest.warnings.join()).not.toContain('sort the lines');
});
