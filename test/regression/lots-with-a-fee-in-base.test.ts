/**
 * On spot the fee of a purchase is taken from what is bought, and a sale sells what is left. The lots of the trade
 * statistics kept the whole quantity: each round trip left a lot of the fee that nobody held, later sales closed ever
 * older lots, and the trades of a flat strategy did not add up to its net P&L.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { symbolsOf } from '../../src/research/report/instruments.ts';
import { readResult } from '../../src/session/result/result.ts';
import { matchTrades } from '../../src/statistics/trades.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';
import { freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

it('statistics/trades/of-a-flat-strategy-add-up-to-its-net-pnl', async () => {
  const cwd = freshFolder();
  const data = ['--data', join(root, 'data', 'sample-bars'), '--to', '2026-09-05T01:30:00Z'];
  const ended = await run(['backtest', strategyFile('ema-cross'), ...data, '--result', 'result.json'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const result = readResult(readFileSync(join(cwd, 'result.json'), 'utf8'), 'result.json');
  const { fills, stats, positions, chart } = result;
  expect(fills.filter(({ side, feeCurrency }) => side === 'buy' && feeCurrency === 'BTC').length).toBeGreaterThan(50);

  // What is below a lot stays: it is worth what its price is at the end.
  const [dust] = positions;
  const [line] = chart?.prices ?? [];
  if (dust === undefined || line?.kind !== 'line') throw new Error('no position or no price at the end');
  expect(Number(dust.quantity)).toBeLessThan(0.00001);
  const price = String(line.points.at(-1)?.[1]);
  const last = { ...fills.at(-1)!, side: 'sell' as const, quantity: dust.quantity, price, fee: '0' };
  const symbols = symbolsOf(result);
  const pnlOf = (of: typeof fills): number => matchTrades(valuesOf(of, symbols)).reduce((sum, { pnl }) => sum + pnl, 0);
  expect(pnlOf([...fills, last])).toBeCloseTo(stats['netPnl'] as number, 8);
  expect((stats['trades'] as number) * (stats['expectancy'] as number)).toBeCloseTo(pnlOf(fills), 9);

  // But for dust each purchase is closed by the sale that follows it.
  for (const { entryTs, exitTs, quantity } of matchTrades(valuesOf(fills, symbols)))
    if (quantity > 0.00001) expect(fills.find(({ side, ts }) => side === 'sell' && ts > entryTs)?.ts).toBe(exitTs);
});
