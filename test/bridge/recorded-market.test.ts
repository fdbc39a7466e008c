/** The market of a recorded session at a moment, against what `why` and a reading from the start tell of the same recording. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MarketTrail } from '../../src/bridge/recorded/market-trail.ts';
import { RecordedMarkets } from '../../src/bridge/recorded/recorded-markets.ts';
import { recordedThen } from '../../src/operations/why/market-then.ts';
import { readManifest } from '../../src/recording/frames/manifest.ts';
import { listSegments } from '../../src/recording/frames/segments.ts';

const dir = join(import.meta.dirname, '..', '..', 'data', 'sample');
const [symbol = ''] = readManifest(dir).instruments.map((spec) => spec.symbol);

test('bridge/recorded/bars-and-books-agree-with-why', async () => {
  const markets = new RecordedMarkets();
  const bars = await markets.bars(dir, symbol, 1_000, 5_000);
  expect(bars.length).toBeGreaterThan(30);
  for (const [index, [ts, open, high, low, close]] of bars.entries()) {
    expect(Math.max(open, close)).toBeLessThanOrEqual(high);
    expect(Math.min(open, close)).toBeGreaterThanOrEqual(low);
    if (index > 0) expect(ts).toBeGreaterThan(bars[index - 1]?.[0] ?? 0);
  }
  for (const part of [0.9, 0.1, 0.5]) {
    const bar = bars[Math.floor(bars.length * part)];
    if (bar === undefined) throw new Error('no bar');
    const atMs = bar[0] + 999.999;
    const book = await markets.book(dir, symbol, atMs, 200);
    const { market } = await recordedThen(dir, { symbol, atMs, untilMs: atMs, names: [] });
    expect(book?.bids[0]).toEqual([market?.best?.bid, market?.best?.bidQuantity]);
    expect(book?.asks[0]).toEqual([market?.best?.ask, market?.best?.askQuantity]);
    expect(book?.synced).toBe(true);
    expect((Number(book?.bids[0]?.[0]) + Number(book?.asks[0]?.[0])) / 2).toBeCloseTo(bar[4], 6);
    const prices = (book?.bids ?? []).map(([price]) => Number(price));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    // Another one, which has read nothing before, says the same.
    expect(await new RecordedMarkets().book(dir, symbol, atMs, 200)).toEqual(book);
  }
});

test('bridge/recorded/a-moment-is-reached-from-the-nearest-kept-book', async () => {
  const [read, plain] = [MarketTrail.open(dir, symbol)!, MarketTrail.open(dir, symbol)!];
  await read.readTo(Number.POSITIVE_INFINITY);
  const changes = { read: 0, plain: 0 };
  for (const back of [500, 30_000, 90_000]) {
    const atMs = read.lastMs - back;
    const [near, far] = [
      await read.walk(atMs, atMs, () => changes.read++),
      await plain.walk(atMs, atMs, () => changes.plain++),
    ];
    expect([near.isUsable, near.changedMs]).toEqual([far.isUsable, far.changedMs]);
    const levels = (walker: typeof near): unknown => ({
      ...walker.known()!.book,
      levels: { ...walker.known()!.book.levels },
    });
    expect(levels(near)).toEqual(levels(far));
  }
  expect(changes.read).toBeLessThan(changes.plain / 4);
});

test('bridge/recorded/a-recording-that-grows-is-read-on', async () => {
  const growing = mkdtempSync(join(tmpdir(), 'tidewire-growing-'));
  try {
    const [segment = ''] = listSegments(dir);
    copyFileSync(join(dir, 'recording.json'), join(growing, 'recording.json'));
    const whole = readFileSync(join(dir, segment));
    const markets = new RecordedMarkets();
    const ask = (from: RecordedMarkets) => [
      from.bars(growing, symbol, 5_000, 2_000),
      from.heat(growing, symbol, 1_000, 400, 100),
      from.heat(growing, symbol, 7_000, 20, 10),
    ];
    const lengths: number[] = [];
    // Cut within blocks, as by a writer at work.
    for (const part of [0.2, 0.55, 1]) {
      writeFileSync(join(growing, segment), whole.subarray(0, Math.floor(whole.length * part)));
      const [grown, anew] = [await Promise.all(ask(markets)), await Promise.all(ask(new RecordedMarkets()))];
      expect(grown).toEqual(anew);
      lengths.push(grown[0]!.length);
    }
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(lengths[0]).toBeLessThan(lengths[2]!);
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
});

test('bridge/recorded/a heat asked for later is that of one who heard all', async () => {
  const [early, late] = [new RecordedMarkets(), new RecordedMarkets()];
  const first = await early.heat(dir, symbol, 2_000, 400, 40);
  await late.bars(dir, symbol, 1_000, 10);
  expect(await late.heat(dir, symbol, 2_000, 400, 40)).toEqual(first);
  expect(first.length).toBeGreaterThan(50);
});

test('bridge/recorded/limit-keeps-the-newest', async () => {
  const markets = new RecordedMarkets();
  const all = await markets.bars(dir, symbol, 5_000, 5_000);
  expect(await markets.bars(dir, symbol, 5_000, 3)).toEqual(all.slice(-3));
  const minutes = await markets.bars(dir, symbol, 60_000, 10);
  expect(Math.max(...minutes.map(([, , high]) => high))).toBe(Math.max(...all.map(([, , high]) => high)));
});

test('bridge/recorded/what-is-not-recorded-is-nothing', async () => {
  const markets = new RecordedMarkets();
  expect(await markets.book(dir, 'NOSUCH', Date.now(), 10)).toBeNull();
  expect(await markets.bars(join(dir, 'nothing'), symbol, 1_000, 10)).toEqual([]);
  expect(await markets.book(dir, symbol, 0, 10)).toBeNull();
});

test('bridge/recorded/heat-is-the-book-at-each-step', async () => {
  const markets = new RecordedMarkets();
  const columns = await markets.heat(dir, symbol, 5_000, 20, 30);
  expect(columns).toHaveLength(20);
  for (const { ts, prices, quantities } of columns) {
    expect(ts % 5_000).toBe(0);
    expect(prices).toHaveLength(quantities.length);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(Math.min(...quantities)).toBeGreaterThan(0);
  }
  const last = columns.at(-1);
  const bars = await markets.bars(dir, symbol, 5_000, 1);
  expect(last?.ts).toBe(bars[0]?.[0]);
  const middle = (last?.prices.length ?? 0) / 2;
  const [bid, ask] = [last?.prices[middle - 1] ?? 0, last?.prices[middle] ?? 0];
  expect((bid + ask) / 2).toBeCloseTo(bars[0]?.[1] ?? 0, 6);
});
