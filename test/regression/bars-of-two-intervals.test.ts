/**
 * With bars of two intervals of a symbol in the data a minute was delivered before the longer candle that closed with it, and where the
 * longer bars stood first in `--data`, their first candle was lost.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CandleEvent } from '../../src/model/market/market-event.ts';
import { CandleAggregator } from '../../src/model/market/candle-aggregator.ts';
import { Instrument } from '../../src/model/market/instrument.ts';
import { writeFileSync } from 'node:fs';
import { callCli } from '../cli/call-cli.ts';
import { BTC, freshDir, writeFixture } from '../recording/fixtures.ts';

const MINUTE = 60_000;
const FROM = Date.parse('2024-01-01T22:14:00Z');

const STRATEGY = `import { defineCandleStrategy, note } from 'tidewire';
export default defineCandleStrategy({
  name: 'seen',
  symbols: () => ['BTCUSDT'],
  intervals: ['1m', '5m', '15m'],
  onCandle: (candle, { interval }) => note(interval + ' ' + new Date(candle.openTime).toISOString().slice(11, 16) + ' ' + candle.volume),
});
`;

/** Bars of a growing volume, \x; `without` these minutes. */
function rowsOf(minutes: number, without: readonly number[] = []): readonly object[] {
  const rows: object[] = [];
  for (let at = 0; at + minutes <= 60; at++) {
    const openTime = FROM + at * MINUTE;
    if (openTime % (minutes * MINUTE) !== 0 || without.includes(at)) continue;
    const volume = Array.from({ length: minutes }, (_, more) => at + more).reduce((sum, each) => sum + each, 0);
    const times = { ts: openTime + minutes * MINUTE, openTime, intervalMs: minutes * MINUTE };
    rows.push({ symbol: 'BTCUSDT', type: 'candle', ...times, open: 100, high: 101, low: 99, close: 100, volume });
  }
  return rows;
}

async function record(rows: readonly object[]): Promise<string> {
  const out = join(freshDir(), 'out');
  const files = [writeFixture('x.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))];
  const instrument = writeFixture('i.json', JSON.stringify(BTC));
  const { code } = await callCli(
    ['data', 'import', '--from', 'jsonl', ...files, '--instrument', instrument, '--out', out],
    freshDir(),
  );
  expect(code).toBe(0);
  return out;
}

/** The candles in the order of their delivery. */
async function seen(...data: readonly string[]): Promise<readonly string[]> {
  const cwd = freshDir();
  writeFileSync(join(cwd, 's.ts'), STRATEGY);
  const result = join(cwd, 'r.json');
  const end = await callCli(['backtest', join(cwd, 's.ts'), '--data', ...data, '--result', result, '--json'], cwd);
  expect(end.code, end.stderr).toBe(0);
  const { notes } = (await import(result, { with: { type: 'json' } })).default as { notes: { text: string }[] };
  return notes.map(({ text }) => text);
}

it('candles/two-intervals/longest-first-each-once-in-every-order', async () => {
  const [one, five] = [await record(rowsOf(1)), await record(rowsOf(5))];
  const both = await record(
    [...rowsOf(1), ...rowsOf(5)].toSorted((a, b) => (a as { ts: number }).ts - (b as { ts: number }).ts),
  );
  const alone = await seen(one);
  expect(alone.slice(0, 10)).toEqual([
    '15m 22:00 0',
    '5m 22:10 0',
    '1m 22:14 0',
    '1m 22:15 1',
    '1m 22:16 2',
    '1m 22:17 3',
    '1m 22:18 4',
    '5m 22:15 15',
    '1m 22:19 5',
    '1m 22:20 6',
  ]);
  for (const data of [[one, five], [five, one], [both]]) expect(await seen(...data)).toEqual(alone);
});

it('candles/two-intervals/a-hole-in-the-minutes-is-no-hole-in-the-longer-bars', async () => {
  const [holed, five] = [await record(rowsOf(1, [8])), await record(rowsOf(5))];
  for (const data of [
    [holed, five],
    [five, holed],
  ]) {
    const longer = (await seen(...data)).filter((text) => text.startsWith('5m'));
    expect(longer.slice(0, 4)).toEqual(['5m 22:10 0', '5m 22:15 15', '5m 22:20 40', '5m 22:25 65']);
  }
});

it('candles/two-intervals/bars-with-other-boundaries-go-alone', () => {
  const opens: number[] = [];
  const take = new CandleAggregator(
    'BTCUSDT',
    5 * MINUTE,
    ({ openTime, closed }) => closed && opens.push(openTime / MINUTE),
  );
  const prices = { open: 1, high: 1, low: 1, close: 1, volume: 1, closed: true, exchangeUs: 0, receiveUs: 0 };
  const bar = (minute: number, minutes: number): CandleEvent => ({
    kind: 'candle',
    instrument: new Instrument(BTC),
    openTime: minute * MINUTE,
    intervalMs: minutes * MINUTE,
    ...prices,
  });
  take.onCandle(bar(2, 5));
  for (let minute = 5; minute < 12; minute++) take.onCandle(bar(minute, 1));
  take.onCandle(bar(7, 5));
  expect(opens).toEqual([2, 7]);
});
