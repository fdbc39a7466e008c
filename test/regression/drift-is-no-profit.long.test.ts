/**
 * The account of a backtest holds base worth 100,000, and its drift was sold as profit: a strategy that lost 2,455.78 while
 * the price rose had a net P&L of +103,687 and a Sharpe ratio of 10.7, one that never traded a net P&L of 785.51, and a
 * search preferred to do nothing. Every figure is computed here again from the fills and the mids alone.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { quote, World, type Fill, type Result, type Row } from '../conformance/contracts-world.ts';
import { freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const T0 = Date.UTC(2024, 2, 1);

/** A best quote every hour for 12 days: the mid rises by 1 each hour from 1,000, with a spread of 4. */
const hours = Array.from({ length: 12 * 24 + 1 }, (_, hour) => [T0 + hour * 60 * MINUTE, 1000 + hour] as const);
const rows: readonly Row[] = hours.map(([ts, mid]) =>
  quote(ts, [String(mid - 2), '501'], [String(mid + 2), '499'], { recv: ts + 1 }),
);

const order = (side: 'buy' | 'sell', ref: string, quantity: string) => ({
  kind: 'place',
  symbol: 'AAAUSDT',
  side,
  type: 'market',
  quantity,
  ref,
});

/** Each day some are bought and sold a minute later: the spread and the fees are lost, whatever the market does. */
const losing = Array.from({ length: 11 }, (_, day) => {
  const at = T0 + day * DAY + 90 * MINUTE;
  const quantity = String(3 + (day % 4));
  return [
    { at, actions: [order('buy', `b${day}`, quantity)] },
    { at: at + MINUTE, actions: [order('sell', `s${day}`, quantity)] },
  ];
}).flat();

/** What was made until then. */
function madeUntil(fills: readonly Fill[], ts: number, mids: readonly (readonly [number, number])[]): number {
  const mid = mids.filter(([at]) => at <= ts).at(-1)![1];
  let made = 0;
  for (const fill of fills) {
    if (fill.ts > ts) continue;
    const sign = fill.side === 'buy' ? 1 : -1;
    made += sign * Number(fill.quantity) * (mid - Number(fill.price));
    made -= Number(fill.fee) * (fill.feeCurrency === 'USDT' ? 1 : mid);
  }
  return made;
}

/** Net P&L, daily Sharpe ratio and the deepest drawdown, from fills and mids alone. */
function recomputed({ fills, period }: Result, capital: number, mids: readonly (readonly [number, number])[]) {
  const equity = (ts: number): number => capital + madeUntil(fills, ts, mids);
  const days = Array.from({ length: 11 }, (_, day) => T0 + (day + 1) * DAY);
  const samples = [capital, ...days.filter((ts) => ts < period.to).map(equity), equity(period.to)];
  const returns = samples.slice(1).map((value, index) => value / samples[index]! - 1);
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1);
  const times = [...mids.map(([ts]) => ts), ...fills.map(({ ts }) => ts)].toSorted((a, b) => a - b);
  let peak = capital;
  let deepest = 0;
  for (const ts of times) {
    peak = Math.max(peak, equity(ts));
    deepest = Math.max(deepest, 1 - equity(ts) / peak);
  }
  return {
    netPnl: equity(period.to) - capital,
    sharpe: (mean / Math.sqrt(variance)) * Math.sqrt(365),
    maxDrawdownPct: deepest * 100,
  };
}

function expectNear(actual: number | null | undefined, expected: number): void {
  expect(actual).toEqual(expect.any(Number));
  expect(Math.abs(actual! - expected)).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
}

const real = join(root, '../shared/data/binance-frames/spot-btcusdt-20240808.gz');
if (!existsSync(real))
  process.stderr.write(
    'test/regression/drift-is-no-profit.long.test.ts: ../shared/data is not here, data/sample alone is used\n',
  );
const sources: readonly { readonly name: string; readonly file: string | null }[] = [
  { name: 'data/sample', file: null },
  ...(existsSync(real) ? [{ name: 'real frames', file: real }] : []),
];

describe('figures/drift', () => {
  it.each([
    ['the default account', [], 100_000 + 100_000, 100],
    ['an account of --start', ['--start', '100000USDT,0.5AAA'], 100_000 + 0.5 * 1000, 0.5],
  ])('a loss in a rising market is a loss in every figure, with %s', async (_, flags, capital, held) => {
    const { path } = await world.record(rows);
    const { result } = await world.run('scripted.ts', [path], '--param', `steps=${JSON.stringify(losing)}`, ...flags);
    const { stats } = result;
    expect(result.fills.length).toBeGreaterThan(20);
    expect(result.equity[0]).toEqual([T0, capital]);
    const expected = recomputed(result, capital, hours);
    expect(expected.netPnl).toBeLessThan(-100);
    for (const [name, value] of Object.entries(expected)) expectNear(stats[name], value);
    for (const name of ['returnPct', 'cagr', 'sharpe', 'sortino', 'calmar', 'pnlPerVolumeBps'])
      expect([name, stats[name]! < 0]).toEqual([name, true]);
    expect(stats['psr']).toBeLessThan(0.01);
    expect(stats['dsr']).toBeLessThan(0.01);
    expect(stats['heldDrift']).toBe(held * (hours.at(-1)![1] - 1000));
    expect(stats['external']).toBe(0);
    expectNear(stats['accountPnl'], stats['netPnl']! + stats['heldDrift']!);
    expectNear(result.equity.at(-1)![1] - capital, expected.netPnl);
  });

  it.each(sources)('net P&L and returns of a maker on $name follow from fills and mids', async ({ name, file }) => {
    const data = file === null ? join(root, name) : join(world.dir, 'real');
    if (file !== null) {
      const from = ['import', '--from', 'binance-collector', file, '--symbol', 'BTCUSDT', '--out', data];
      expect((await world.command('data', ...from)).exit).toBe(0);
    }
    const flags = ['--sample', '10s', '--start', '100000USDT,1BTC'];
    const { result } = await world.run(strategyFile('spread-maker'), [data], ...flags);
    expect(result.fills.length).toBeGreaterThan(100);
    const chart = result['chart'] as { prices: { points: (readonly [number, number])[] }[] };
    const mids = chart.prices[0]!.points;
    // The file has the last mid of each second; the first of all is in the capital.
    const capital = result.equity[0]![1];
    const { from, to } = result.period;
    expectNear(result.stats['netPnl'], madeUntil(result.fills, to, mids));
    expectNear(result.stats['heldDrift'], mids.at(-1)![1] - (capital - 100_000));
    const times = [from];
    for (let ts = Math.floor(from / 10_000) * 10_000 + 10_000; ts < to; ts += 10_000) times.push(ts);
    times.push(to);
    const samples = times.map((ts) => (ts === from ? capital : capital + madeUntil(result.fills, ts, mids)));
    const returns = samples.slice(1).map((value, index) => value / samples[index]! - 1);
    const gains = returns.reduce((sum, r) => sum + Math.max(r, 0), 0);
    const losses = returns.reduce((sum, r) => sum + Math.max(-r, 0), 0);
    expect(returns.length).toBeGreaterThan(25);
    expect(Math.abs(result.stats['omega']! - gains / losses)).toBeLessThan(1e-6);
  });

  it('a strategy that does not trade has no profit and no ratio, and says so', async () => {
    const sample = join(root, 'data/sample');
    const cwd = freshFolder();
    const { stdout: out, code } = await run(['backtest', strategyFile('ema-cross'), '--data', sample], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('did not trade');
    expect(out).not.toMatch(/sharpe|max drawdown/);
    const { result } = await world.run(strategyFile('ema-cross'), [sample]);
    const { netPnl, heldDrift, accountPnl, maxDrawdownPct, returnPct } = result.stats;
    expect({ netPnl, returnPct, maxDrawdownPct }).toEqual({ netPnl: 0, returnPct: 0, maxDrawdownPct: 0 });
    expect(Math.abs(heldDrift!)).toBeGreaterThan(100);
    expect(accountPnl).toBe(heldDrift);
    const ratios =
      'sharpe sortino calmar omega cagr volatility psr dsr var95 skew kurtosis stability turnover winRate profitFactor kelly';
    for (const name of ratios.split(' ')) expect([name, result.stats[name]]).toEqual([name, null]);
    expect(new Set(result.equity.map(([, value]) => value)).size).toBe(1);
  });

  it('a search never prefers doing nothing, even to a loss', async () => {
    const dir = freshFolder();
    const { path } = await world.record(rows);
    writeFileSync(
      join(dir, 'idle.ts'),
      `import { defineStrategy, z, type Action } from 'tidewire';
import { from, map, mergeMap, timer } from 'rxjs';
export default defineStrategy({
  name: 'idle-or-losing',
  params: z.object({ trades: z.boolean().default(false), steps: z.string().default('[]') }),
  setup({ params, clock }) {
    const steps = params.trades ? (JSON.parse(params.steps) as { at: number; actions: Action[] }[]) : [];
    return from(steps).pipe(mergeMap(({ at, actions }) => timer(at - clock.now()).pipe(map(() => actions))));
  },
});`,
    );
    writeFileSync(join(dir, 'space.yaml'), 'parameters: { trades: { of: [false, true] } }\n');
    const argv = ['sweep', join(dir, 'idle.ts'), '--data', path, '--space', join(dir, 'space.yaml')];
    const steps = ['--param', `steps=${JSON.stringify(losing)}`, '--result', join(dir, 'sweep.json')];
    const { code } = await run([...argv, ...steps, '--method', 'grid', '--workers', '1', '--json'], { cwd: dir });
    expect(code).toBe(0);
    interface Trial {
      readonly params: { readonly trades: boolean };
      readonly metrics: Record<string, number | null>;
    }
    const found = JSON.parse(readFileSync(join(dir, 'sweep.json'), 'utf8')) as { best: Trial; trials: Trial[] };
    expect(found.trials).toHaveLength(2);
    expect(found.best.params.trades).toBe(true);
    expect(found.best.metrics['netPnl']).toBeLessThan(-100);
  });

  it('after an error no figure is a headline', async () => {
    const dir = freshFolder();
    const { path } = await world.record(rows);
    const strategy = join(dir, 'fails.ts');
    writeFileSync(
      strategy,
      `import { defineStrategy, z, type Action } from 'tidewire';
import { concat, map, throwError, timer } from 'rxjs';
const buy: Action = { kind: 'place', symbol: 'AAAUSDT', side: 'buy', type: 'market', quantity: '3', ref: 'b' };
export default defineStrategy({
  name: 'fails',
  params: z.object({}),
  setup: () => concat(timer(60_000).pipe(map(() => [buy])), timer(3_600_000).pipe(map(() => { throw new Error('a bug of mine'); })), throwError(() => new Error('never'))),
});`,
    );
    const report = join(dir, 'report.html');
    const { stdout: out, code } = await run(['backtest', strategy, '--data', path, '--report', report], { cwd: dir });
    expect(code).toBe(1);
    expect(out).toMatch(/failed +fails: .*a bug of mine/);
    expect(out).not.toMatch(/net P&L|sharpe|max drawdown/);
    const page = readFileSync(report, 'utf8');
    expect(page.includes('a bug of mine')).toBe(true);
    expect(page.includes('aria-label="Key figures"')).toBe(false);
  });
});
