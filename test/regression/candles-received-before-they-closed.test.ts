/**
 * Candles of a `jsonl` import that a recorder with a slow clock had dated before their close were delivered before their close, without a
 * word: a strategy knew the whole bar while it ran.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const OPEN = 1_700_000_040_000;
const MINUTE = 60_000;

/** How long after its close each bar of a minute is delivered, ms, where its recorder stamps it so. */
async function imported(recvOf: (openTime: number) => number, closed = true) {
  const bars = Array.from({ length: 5 }, (_, index) => {
    const openTime = OPEN + index * MINUTE;
    const prices = { open: '100', high: '101', low: '99', close: '100.5', volume: '3' };
    const times = { ts: openTime + MINUTE, recv: recvOf(openTime), openTime, intervalMs: MINUTE };
    return { symbol: 'ABCUSDT', type: 'candle', ...times, ...prices, closed };
  });
  const text = bars.map((line) => JSON.stringify(line)).join('\n');
  const out = join(freshDir(), 'out');
  const files = [writeFixture('x.jsonl', text)];
  const { found } = await importRecording({ format: 'jsonl', files, symbols: [], out, now: 0 });
  const tape = await openTape([out]);
  const late: number[] = [];
  for (const cursor = tape.cursor('receive'); cursor.nextUs !== Infinity;) {
    const event = cursor.next();
    if (event.kind === 'candle') late.push(event.receiveUs / 1000 - event.openTime - event.intervalMs);
  }
  tape.close();
  return { found, late };
}

it('data/import/clock-repair-counts-candles-by-their-close', async () => {
  const { found, late } = await imported((openTime) => openTime + MINUTE - 1272);
  expect(late).toEqual([1, 1, 1, 1, 1]);
  expect(found.clockShiftMs).toBe(-1272);
  expect(found.warnings.join()).toContain('all receive times are shifted by +1273.0 ms (T2)');
});

it('data/import/candles-received-at-their-open-are-delivered-after-their-close', async () => {
  const { found, late } = await imported((openTime) => openTime + 5);
  expect(Math.min(...late)).toBe(1);
  expect(found.warnings.join()).toContain('shifted by +59996.0 ms');
});

it('data/import/a-good-clock-and-forming-candles-are-left', async () => {
  const good = await imported((openTime) => openTime + MINUTE + 7);
  expect([good.late, good.found.clockShiftMs, good.found.warnings.join().includes('T2')]).toEqual([
    [7, 7, 7, 7, 7],
    7,
    false,
  ]);
  const forming = await imported((openTime) => openTime + 5, false);
  expect(forming.found.clockShiftMs).toBe(null);
});
