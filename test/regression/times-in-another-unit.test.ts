/**
 * `jsonl` times in seconds or microseconds were imported as 1970 or the year 55,840, and one absurd time stretched the period by ten
 * years, all without a word.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const MS = 1_700_000_000_000;
const YEAR_MS = 365 * 86_400_000;

async function imported(times: readonly object[]) {
  const trade = { symbol: 'A', type: 'trade', price: 1, quantity: 1, side: 'buy' };
  const lines = times.map((time, index) => JSON.stringify({ ...trade, tradeId: `${index}`, ...time }));
  const files = [writeFixture('x.jsonl', lines.join('\n'))];
  return importRecording({ format: 'jsonl', files, symbols: [], out: join(freshDir(), 'out'), now: 0 });
}

it.each([
  [{ ts: MS / 1000 }, 'ts 1700000000 is no Unix time in ms'],
  [{ ts: MS * 1000 }, 'ts 1700000000000000 is no Unix time'],
  [{ ts: MS, recv: MS * 1000 }, 'recv 1700000000000000 is no Unix time'],
  [{ ts: MS, recv: MS / 1000 }, 'recv 1700000000 is no Unix time'],
])('data/import/refuses %j', async (time, why) => {
  await expect(imported([time, time])).rejects.toMatchObject({
    code: 'import_wrong_format',
    message: expect.stringContaining(why),
  });
  const { frames, found } = await imported([{ ts: MS }, time]);
  expect([frames, found.problems.join().includes(why)]).toEqual([1, true]);
});

it('data/import/names-a-leap-of-more-than-a-year', async () => {
  const far = await imported([{ ts: MS }, { ts: MS + 1 }, { ts: MS + 10 * YEAR_MS }]);
  const [from, to] = [new Date(MS + 1).toISOString(), new Date(MS + 10 * YEAR_MS).toISOString()];
  expect(far.manifest.warnings).toContain(`nothing lies between ${from} and ${to}: one of these times may be wrong`);
  const near = await imported([{ ts: MS }, { ts: MS + YEAR_MS }]);
  expect(near.manifest.warnings.join()).not.toContain('nothing lies between');
});
