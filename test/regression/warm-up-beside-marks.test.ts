/** The warm-up of a strategy of streams was short of candles where the recording held marks or funding from before its first candle. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const MINUTE = 60_000;
const FROM = Date.parse('2024-01-01T00:00:00Z');
const NAMED = { symbol: 'BTCUSDTPERP', market: 'derivative', base: 'BTC', quote: 'USDT', settle: 'USDT' };
const INSTRUMENT = { ...NAMED, tickSize: '0.01', lotSize: '0.001', fundingIntervalHours: 8 };

/** Says its history at the first candle. */
const STRATEGY = `import { defineStrategy, note } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'past',
  warmup: () => [{ symbol: 'BTCUSDTPERP', interval: '1m', candles: 5 }],
  setup: ({ market }) => {
    const past = market.history('BTCUSDTPERP', '1m', 5);
    return market.candles('BTCUSDTPERP', '1m').pipe(take(1), map((first) => note('past', { past, first })));
  },
});
`;

const BARS = Array.from({ length: 20 }, (_, at) => {
  const openTime = FROM + at * MINUTE;
  const prices = { open: 100, high: 101, low: 99, close: 100, volume: 1 };
  return { ts: openTime + MINUTE, type: 'candle', openTime, intervalMs: MINUTE, ...prices };
});
const mark = (ts: number): object => ({ ts, type: 'mark', markPrice: 100, indexPrice: 100 });
const funding = { ts: FROM - 2.5 * MINUTE, type: 'funding', rate: '0.0001', nextFundingTime: FROM + 480 * MINUTE };

it.each([
  ['bars alone', []],
  ['marks of the opens', BARS.map(({ openTime }) => mark(openTime))],
  ['funding before', [funding]],
])('warm-up/without-from/whole-beside %s', async (_, beside) => {
  const cwd = freshDir();
  const rows = [...beside, ...BARS].toSorted((a, b) => (a as { ts: number }).ts - (b as { ts: number }).ts);
  const lines = rows.map((row) => JSON.stringify({ ...row, symbol: 'BTCUSDTPERP' }));
  const input = [writeFixture('x.jsonl', lines.join('\n')), '--out', 'recording'];
  const instrument = ['--instrument', writeFixture('i.json', JSON.stringify(INSTRUMENT))];
  const imported = await callCli(['data', 'import', '--from', 'jsonl', ...input, ...instrument], cwd);
  expect(imported.code, imported.stderr).toBe(0);
  writeFileSync(join(cwd, 's.ts'), STRATEGY);
  const options = ['--data', 'recording', '--result', 'r.json', '--json'];
  const end = await callCli(['backtest', join(cwd, 's.ts'), ...options], cwd);
  expect(end.code, end.stderr).toBe(0);
  const { notes, warnings } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as {
    readonly notes: readonly [{ readonly data: { readonly past: readonly Bar[]; readonly first: Bar } }];
    readonly warnings: readonly string[];
  };
  const [{ data }] = notes;
  const minuteOf = ({ openTime }: Bar): number => (openTime - FROM) / MINUTE;
  expect([data.past.map(minuteOf), minuteOf(data.first)]).toEqual([[0, 1, 2, 3, 4], 5]);
  expect(warnings.filter((text) => text.includes('history'))).toEqual([]);
});

interface Bar {
  readonly openTime: number;
}
