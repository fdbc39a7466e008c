/** Found from outside: one recorded mark counted for a day, so that nothing was liquidated and the equity stood, without a word. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;
const SYMBOL = 'AAAUSDTPERP';

const BUYS = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'buys',
  params: z.object({ symbol: z.string().default('${SYMBOL}') }),
  interval: '1m',
  onCandle: (_candle, { params: { symbol } }) => target(symbol, { quantity: '1' }),
});
`;

const INSTRUMENT = {
  symbol: SYMBOL,
  market: 'derivative',
  base: 'AAA',
  quote: 'USDT',
  settle: 'USDT',
  tickSize: '1',
  lotSize: '1',
  minQuantity: '1',
  maxQuantity: '1000000',
  minNotional: '1',
  status: 'trading',
};

it.each([
  [20, [expect.stringMatching(/^AAAUSDTPERP: for 18 min no new mark was recorded/)]],
  [6, []],
])('marks/stale: %d minutes', async (minutes, expected) => {
  const cwd = freshFolder();
  const bars = Array.from({ length: minutes }, (_, at) => {
    const openTime = T0 + at * MINUTE;
    const prices = { open: '100', high: '100', low: '100', close: '100' };
    const ts = openTime + MINUTE;
    return { ts, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '1000' };
  });
  const mark = { ts: T0 + 2 * MINUTE + 1, symbol: SYMBOL, type: 'mark', markPrice: '100', indexPrice: '100' };
  const rows = [...bars, mark].toSorted((one, other) => one.ts - other.ts);
  writeFileSync(join(cwd, 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  writeFileSync(join(cwd, 'instrument.json'), JSON.stringify(INSTRUMENT));
  writeFileSync(join(cwd, 'buys.ts'), BUYS);
  const from = ['--from', 'jsonl', '--instrument', 'instrument.json', '--out', 'data'];
  const imported = await run(['data', 'import', 'rows.jsonl', ...from], { cwd });
  expect(imported.code, imported.stderr).toBe(0);
  const ended = await run(['backtest', 'buys.ts', '--data', 'data', '--json'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const { fills, warnings } = documentOf<{ readonly fills: number; readonly warnings: readonly string[] }>(ended);
  expect(fills).toBe(1);
  expect(warnings.filter((warning) => warning.includes('mark was'))).toEqual(expected);
});
