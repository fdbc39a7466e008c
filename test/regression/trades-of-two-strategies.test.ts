/**
 * Positions are each strategy's own. Trades of a run with two strategies in one symbol were matched across them: what one had
 * bought the other sold, and the report said of a maker and a crosser what neither had done. What was open at the end did not
 * say whose it was, with prices of sixty digits in `status --json`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readResult, type ResultDocument } from '../../src/session/result/result.ts';
import { symbolsOf } from '../../src/research/report/instruments.ts';
import { matchTrades } from '../../src/statistics/trades.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';
import { documentOf, freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

/** In and out at market, each second. */
const FLIP = `import { defineStrategy, target, z } from 'tidewire';
import { map, throttleTime } from 'rxjs';
export default defineStrategy({
  name: 'flip',
  params: z.object({}),
  setup: ({ market }) => market.top('BTCUSDT').pipe(throttleTime(1000), map((_, turn) => target('BTCUSDT', { quantity: turn % 2 ? '0' : '0.0013' }))),
});
`;

function twoStrategies(cwd: string): string {
  writeFileSync(join(cwd, 'flip.ts'), FLIP);
  const maker = `  - { file: ${strategyFile('spread-maker')}, tag: maker, params: { halfSpreadBps: 1 } }`;
  writeFileSync(join(cwd, 'two.yaml'), ['strategies:', maker, '  - { file: flip.ts, tag: flip }', ''].join('\n'));
  return 'two.yaml';
}

/** What the fills of one strategy make by themselves. */
function tradesOf(result: ResultDocument, strategy: string): { readonly count: number; readonly pnl: number } {
  const own = result.fills.filter((fill) => fill.strategy === strategy);
  expect(own.length).toBeGreaterThan(4);
  const trades = matchTrades(valuesOf(own, symbolsOf(result)));
  return { count: trades.length, pnl: trades.reduce((sum, { pnl }) => sum + pnl, 0) };
}

it('statistics/trades/are-matched-within-each-strategy', async () => {
  const cwd = freshFolder();
  const data = ['--data', join(root, 'data', 'sample'), '--to', '2026-11-21T04:44:17Z'];
  const files = ['--result', 'result.json', '--report', 'report.html'];
  const ended = await run(['backtest', '--config', twoStrategies(cwd), ...data, ...files], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const result = readResult(readFileSync(join(cwd, 'result.json'), 'utf8'), 'result.json');
  const maker = tradesOf(result, 'maker');
  const flip = tradesOf(result, 'flip');
  expect(result.stats['trades']).toBe(maker.count + flip.count);
  expect(result.stats['expectancy']).toBeCloseTo((maker.pnl + flip.pnl) / (maker.count + flip.count), 9);

  expect(result.positions.map(({ strategy }) => strategy)).toEqual(['maker', 'flip']);
  const shown = [...ended.stdout.matchAll(/holds +\S+ BTCUSDT of (\w+) at \d+(?:\.(\d+))?$/gm)];
  expect(shown.map(([, strategy]) => strategy)).toEqual(['maker', 'flip']);
  for (const [, , places = ''] of shown) expect(places.length).toBeLessThanOrEqual(4);
  const page = readFileSync(join(cwd, 'report.html'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(page).toMatch(/Open at the end.*?<td>maker<\/td>.*?<td>flip<\/td>/);
});

it('cli/status/entry-prices-can-be-read', async () => {
  const cwd = freshFolder();
  const paper = await run(['paper', '--config', twoStrategies(cwd), '--for', '4s', '--json'], { cwd });
  expect(paper.code, paper.stderr).toBe(0);
  const { sessions } = documentOf<{
    readonly sessions: readonly { readonly positions: readonly { readonly entryPrice: string | null }[] }[];
  }>(await run(['status', '--json'], { cwd }));
  const prices = sessions.flatMap(({ positions }) => positions.flatMap(({ entryPrice }) => entryPrice ?? []));
  expect(prices.length).toBeGreaterThan(0);
  for (const price of prices) expect(price).toMatch(/^\d+(\.\d{1,10})?$/);
});
