/** The market of a recorded session at a moment, against what `why` reads of the same recording. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedBars } from '../../src/bridge/recorded/recorded-bars.ts';
import { recordedBook } from '../../src/bridge/recorded/recorded-book.ts';
import { recordedHeat } from '../../src/bridge/recorded/recorded-heat.ts';
import { recordedThen } from '../../src/operations/why/market-then.ts';
import { readManifest } from '../../src/recording/manifest.ts';

const dir = join(import.meta.dirname, '..', '..', 'data', 'sample');
const [symbol = ''] = readManifest(dir).instruments.map((spec) => spec.symbol);

test('bridge/recorded/bars-and-books-agree-with-why', async () => {
  const bars = await recordedBars(dir, symbol, 1_000, 5_000);
  expect(bars.length).toBeGreaterThan(30);
  for (const [index, [ts, open, high, low, close]] of bars.entries()) {
    expect(Math.max(open, close)).toBeLessThanOrEqual(high);
    expect(Math.min(open, close)).toBeGreaterThanOrEqual(low);
    if (index > 0) expect(ts).toBeGreaterThan(bars[index - 1]?.[0] ?? 0);
  }
  for (const part of [0.1, 0.5, 0.9]) {
    const bar = bars[Math.floor(bars.length * part)];
    if (bar === undefined) throw new Error('no bar');
    const atMs = bar[0] + 999.999;
    const book = await recordedBook(dir, symbol, atMs, 200);
    const { market } = await recordedThen(dir, { symbol, atMs, untilMs: atMs, names: [] });
    expect(book?.bids[0]).toEqual([market?.best?.bid, market?.best?.bidQuantity]);
    expect(book?.asks[0]).toEqual([market?.best?.ask, market?.best?.askQuantity]);
    expect(book?.synced).toBe(true);
    expect((Number(book?.bids[0]?.[0]) + Number(book?.asks[0]?.[0])) / 2).toBeCloseTo(bar[4], 6);
    const prices = (book?.bids ?? []).map(([price]) => Number(price));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  }
});

test('bridge/recorded/limit-keeps-the-newest', async () => {
  const all = await recordedBars(dir, symbol, 5_000, 5_000);
  expect(await recordedBars(dir, symbol, 5_000, 3)).toEqual(all.slice(-3));
});

test('bridge/recorded/what-is-not-recorded-is-nothing', async () => {
  expect(await recordedBook(dir, 'NOSUCH', Date.now(), 10)).toBeNull();
  expect(await recordedBars(join(dir, 'nothing'), symbol, 1_000, 10)).toEqual([]);
  expect(await recordedBook(dir, symbol, 0, 10)).toBeNull();
});

test('bridge/recorded/heat-is-the-book-at-each-step', async () => {
  const columns = await recordedHeat(dir, { symbol, stepMs: 5_000, limit: 20, depth: 30 });
  expect(columns).toHaveLength(20);
  for (const { ts, prices, quantities } of columns) {
    expect(ts % 5_000).toBe(0);
    expect(prices).toHaveLength(quantities.length);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(Math.min(...quantities)).toBeGreaterThan(0);
  }
  const last = columns.at(-1);
  const bars = await recordedBars(dir, symbol, 5_000, 1);
  expect(last?.ts).toBe(bars[0]?.[0]);
  const middle = (last?.prices.length ?? 0) / 2;
  const [bid, ask] = [last?.prices[middle - 1] ?? 0, last?.prices[middle] ?? 0];
  expect((bid + ask) / 2).toBeCloseTo(bars[0]?.[1] ?? 0, 6);
});
