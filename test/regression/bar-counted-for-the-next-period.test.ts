/** Returns by hour and by month and the P&L by period of a report counted each bar for the period after the one that it closed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pnlBars } from '../../src/research/report/pnl-bars.ts';
import type { ResultDocument } from '../../src/session/result/result.ts';
import { sampleAtBoundaries, simpleReturns } from '../../src/statistics/returns.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { callCli } from '../cli/call-cli.ts';
import { BTC, freshDir, writeFixture } from '../recording/fixtures.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.parse('2024-01-01T00:00:00Z');

interface Reported {
  readonly result: ResultDocument;
  /** As the page shows them, row by row, 0 for an empty cell; the last is the row's sum. */
  readonly rows: readonly (readonly number[])[];
}

/** Bought at the first close and held, on bars whose price changes with every one. */
async function report(intervalMs: number, bars: number): Promise<Reported> {
  const lines = Array.from({ length: bars }, (_, at) => {
    const price = (index: number): number => 1000 + 20 * ((index * 7) % 11);
    const [open, close] = [price(at), price(at + 1)];
    const openTime = FROM + at * intervalMs;
    const prices = { open, close, high: Math.max(open, close), low: Math.min(open, close), volume: 100 };
    return JSON.stringify({ ts: openTime, symbol: 'BTCUSDT', type: 'candle', openTime, intervalMs, ...prices });
  });
  const cwd = freshDir();
  const instrument = writeFixture('i.json', JSON.stringify(BTC));
  const input = [writeFixture('x.jsonl', lines.join('\n')), '--instrument', instrument, '--out', 'bars'];
  expect(await callCli(['data', 'import', '--from', 'jsonl', ...input], cwd)).toMatchObject({ code: 0 });
  writeFileSync(
    join(cwd, 's.ts'),
    `import { defineCandleStrategy, target } from 'tidewire';
export default defineCandleStrategy({
  name: 'held',
  symbols: () => ['BTCUSDT'],
  interval: '${intervalMs / HOUR}h',
  onCandle: () => target('BTCUSDT', { quantity: '10' }),
});
`,
  );
  const options = ['--start', '20000USDT', '--report', 'r.html', '--result', 'r.json', '--json'];
  const end = await callCli(['backtest', join(cwd, 's.ts'), '--data', 'bars', ...options], cwd);
  expect(end.code, end.stderr).toBe(0);
  const [heat = ''] = /<table class="heat.*?<\/table>/s.exec(readFileSync(join(cwd, 'r.html'), 'utf8')) ?? [];
  const rows = heat
    .split('<tr>')
    .slice(2)
    .map((row) => [...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, text]) => Number(text!.trim().replace('−', '-'))));
  return { result: JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as ResultDocument, rows };
}

/** Percent, as the statistics sample them. */
function returns({ equity, period }: ResultDocument, periodMs: number): number[] {
  const samples = sampleAtBoundaries(seriesOf(equity), period.from, period.to, periodMs);
  return [...simpleReturns(samples)!].map((value) => value * 100);
}

it('report/returns-by-hour/those-of-the-statistics', async () => {
  const { result, rows } = await report(HOUR, 60);
  const hours = returns(result, HOUR);
  expect(hours.filter((value) => value !== 0).length).toBeGreaterThan(40);
  const first = new Date(result.period.from).getUTCHours();
  const cells = rows.flatMap((row) => row.slice(0, -1)).slice(first, first + hours.length);
  expect(cells).toEqual(hours.map((value) => expect.closeTo(value, 1)));
  expect(rows.map((row) => row.at(-1))).toEqual(returns(result, DAY).map((value) => expect.closeTo(value, 1)));
  const { period, starts, pnl } = pnlBars(result.equity, result.period.from, result.period.to);
  expect(period).toBe('hour');
  const made = hours.map((_, hour) => pnl[starts.indexOf(starts[0]! + hour * HOUR)] ?? 0);
  const samples = sampleAtBoundaries(seriesOf(result.equity), result.period.from, result.period.to, HOUR);
  expect(made).toEqual(hours.map((_, hour) => expect.closeTo(samples[hour + 1]! - samples[hour]!, 4)));
});

it('report/returns-by-month/a-month-ends-with-its-last-bar', async () => {
  const { result, rows } = await report(DAY, 60);
  const days = returns(result, DAY);
  const january = Math.ceil((Date.UTC(2024, 1, 1) - result.period.from) / DAY);
  const over = (some: readonly number[]): number => (some.reduce((sum, value) => sum * (1 + value / 100), 1) - 1) * 100;
  expect(rows.map((row) => row.filter((value) => value !== 0))).toEqual([
    [over(days.slice(0, january)), over(days.slice(january)), over(days)].map((value) => expect.closeTo(value, 1)),
  ]);
});
