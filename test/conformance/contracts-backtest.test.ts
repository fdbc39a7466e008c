/**
 * cli.md, `backtest`: the `--json` document, the `--result` file, and every flag, from outside. The equity curve, the
 * counts and the positions are computed again here from the rows that were recorded and the fills that were reported.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  heardOf,
  cancel,
  depth,
  limit,
  marketOrder,
  quote,
  snapshot,
  trade,
  World,
  type Result,
  type Row,
  type Step,
  type Summary,
} from './contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = Date.UTC(2024, 0, 2, 12);
const at = (ms: number, ...actions: object[]): Step => ({ at: T0 + ms, actions });
const steps = (...list: Step[]): string[] => ['--param', `steps=${JSON.stringify(list)}`];

const ROWS: readonly Row[] = [
  snapshot(
    T0,
    [
      ['100', '10'],
      ['99', '10'],
    ],
    [
      ['101', '10'],
      ['102', '10'],
    ],
    { seq: 1 },
  ),
  trade(T0 + 100, '101', '2', 'buy'),
  depth(
    T0 + 200,
    [['100', '12']],
    [
      ['101', '8'],
      ['103', '1'],
    ],
    { seq: 2 },
  ),
  quote(T0 + 300, ['100', '12'], ['101', '7']),
  trade(T0 + 400, '100', '20', 'sell'),
  // Five mids within one second: 102, 99, 104, 98, 101.
  ...[102, 99, 104, 98, 101].map((mid, n) =>
    snapshot(T0 + 2100 + n * 100, [[`${mid - 1}`, '20']], [[`${mid + 1}`, '20']], { seq: 3 + n }),
  ),
  trade(T0 + 5000, '101', '1', 'buy'),
];
const SCRIPT = [
  at(20, marketOrder('buy', '3', 'b1')),
  at(60, limit('buy', '100', '5', 'b2', { tag: 'mine' }), limit('sell', '102', '2', 's1')),
  at(70, limit('buy', '90', '1', 'far')),
  at(150, cancel('s1')),
  at(160, limit('buy', '99.5', '1', 'offtick')),
  at(3000, marketOrder('sell', '4', 's2')),
];

let data: string;
let run: { result: Result; summary: Summary };
beforeAll(async () => {
  data = (await world.record(ROWS)).path;
  run = await world.run('scripted.ts', [data], ...steps(...SCRIPT), '--seed', '7');
});

describe('--json', () => {
  it('has the documented fields and no others', () => {
    expect(Object.keys(run.summary)).toEqual(
      'command strategy runHash seed params period events loadMs wallMs eventsPerSecond orders programs fills stats assumptions warnings files'.split(
        ' ',
      ),
    );
    expect(Object.keys(run.summary.events).toSorted()).toEqual(['depth', 'quotes', 'total', 'trades']);
    expect(Object.keys(run.summary.orders)).toEqual(
      'submitted accepted filled canceled denied rejected expired shrunk'.split(' '),
    );
    expect(run.summary).toMatchObject({
      command: 'backtest',
      strategy: 'scripted',
      seed: 7,
      fills: run.result.fills.length,
    });
    expect(run.summary.files).toEqual({ report: null, result: expect.stringContaining('result-') as unknown });
  });

  it('counts each level row, each trade and each best quote once', () => {
    // Snapshot 4 + update 3 + five snapshots of 2; 3 trades; 1 quote.
    expect(run.summary.events).toEqual({ total: 21, depth: 17, trades: 3, quotes: 1 });
  });

  it('the period is that of the data', () => {
    expect(run.summary.period).toEqual({ from: T0, to: T0 + 5000 });
  });

  it('counts orders by what became of them', () => {
    // b1, b2, s2 filled; s1 cancelled; `far` is beyond the collar of 5 % and `offtick` off the grid.
    expect(run.summary.orders).toEqual({
      submitted: 4,
      accepted: 4,
      filled: 3,
      canceled: 1,
      denied: 2,
      rejected: 0,
      expired: 0,
      shrunk: 0,
    });
  });

  it('stats has the names of metrics.md, numbers or null', () => {
    const names =
      `netPnl returnPct heldDrift external accountPnl fees funding volume turnover cagr volatility sharpe sortino calmar omega maxDrawdownPct
      maxDrawdownDurationMs recoveryMs underwaterPct ulcer var95 cvar95 skew kurtosis tailRatio stability trades winRate
      profitFactor payoff expectancy sqn kelly maxWinStreak maxLossStreak avgHoldingMs mae mfe exposurePct meanLeverage
      maxLeverage makerShare fillRatio orderToTrade avgTimeToFillMs queueAheadAtFill slippageBps markout1s markout5s
      markout30s pnlPerVolumeBps psr dsr minTrackRecordDays pbo minBacktestYears maxTPValue effectiveTrials sharpeCi95`.split(
        /\s+/,
      );
    expect(Object.keys(run.summary.stats).toSorted()).toEqual(names.toSorted());
    for (const value of Object.values(run.summary.stats)) expect(value === null || Number.isFinite(value)).toBe(true);
  });
});

describe('--result', () => {
  it('holds the same plus equity, fills, orders, positions', () => {
    const { fills: _fills, orders: _orders, ...shared } = run.summary;
    expect(run.result).toMatchObject(shared);
    expect(run.result.orders.map(({ ref, state }) => `${ref} ${state}`)).toEqual([
      'b1 filled',
      'b2 filled',
      's1 canceled',
      'far denied',
      'offtick denied',
      's2 filled',
    ]);
  });

  it('fills are in exchange time, decimals are strings, orderRef and tag are those of the strategy, mid is that of the fill', () => {
    const fills = run.result.fills.map((fill) => ({ ...fill, ts: fill.ts - T0 }));
    expect(fills).toMatchObject([
      {
        ts: 45,
        side: 'buy',
        price: '101',
        quantity: '3',
        fee: '0.0015',
        feeCurrency: 'AAA',
        liquidity: 'taker',
        orderRef: 'b1',
        mid: 100.5,
      },
      // 12 others ahead at 100 after the update that came later: joined behind 10; the print of 20 leaves 10 for it.
      {
        ts: 400,
        side: 'buy',
        price: '100',
        quantity: '5',
        fee: '0.001',
        feeCurrency: 'AAA',
        liquidity: 'maker',
        orderRef: 'b2',
        tag: 'mine',
        mid: 100.5,
      },
      {
        ts: 3025,
        side: 'sell',
        price: '100',
        quantity: '4',
        fee: '0.2',
        feeCurrency: 'USDT',
        liquidity: 'taker',
        orderRef: 's2',
        mid: 101,
      },
    ]);
    for (const fill of run.result.fills) {
      for (const key of ['symbol', 'price', 'quantity', 'fee'] as const) expect(typeof fill[key]).toBe('string');
      expect(Number.isFinite(fill.ts)).toBe(true);
    }
  });

  it('queueAheadAtFill is what stood ahead of the maker order when it joined', () => {
    expect(run.result.stats['queueAheadAtFill']).toBe(10);
  });

  it('positions are what is held beyond the start, signed, spot included', () => {
    expect(run.result.positions).toMatchObject([{ symbol: 'AAAUSDT', quantity: '3.9975' }]);
  });

  it('equity starts with [from, E_0], has a point at each fill, and last, lowest and highest of each second, in time order', () => {
    const { equity, fills } = run.result;
    // 100,000 USDT and floor(100,000 / 100.5) = 995 AAA at 100.5.
    expect(equity[0]).toEqual([T0, 100_000 + 995 * 100.5]);
    for (const [index, [ts]] of equity.entries()) expect(ts).toBeGreaterThanOrEqual(equity[Math.max(0, index - 1)]![0]);
    const start = 100_000 + 995 * 100.5;
    // The own trading alone: what the 995 AAA of the start do is in no point.
    const worth = (ts: number, mid: number): number => {
      let cash = start;
      let base = 0;
      for (const fill of fills.filter((each) => each.ts <= ts)) {
        const sign = fill.side === 'buy' ? 1 : -1;
        cash -= sign * Number(fill.price) * Number(fill.quantity);
        base += sign * Number(fill.quantity);
        if (fill.feeCurrency === 'USDT') cash -= Number(fill.fee);
        else base -= Number(fill.fee);
      }
      return cash + base * mid;
    };
    for (const fill of fills) {
      const points = equity.filter(([ts]) => ts === fill.ts).map(([, value]) => value);
      expect(
        points.some((value) => Math.abs(value - worth(fill.ts, fill.mid!)) < 1e-6),
        `fill at ${fill.ts}`,
      ).toBe(true);
    }
    const second = equity.filter(([ts]) => ts >= T0 + 2000 && ts < T0 + 3000);
    const expected = [104, 98, 101].map((mid) => worth(T0 + 2500, mid));
    for (const value of expected) expect(second.some(([, each]) => Math.abs(each - value) < 1e-6)).toBe(true);
    expect(second.at(-1)![1]).toBeCloseTo(worth(T0 + 2500, 101), 6);
    expect(equity.at(-1)![1]).toBeCloseTo(worth(T0 + 5000, 101), 6);
    expect(run.result.stats['netPnl']).toBeCloseTo(worth(T0 + 5000, 101) - start, 6);
    expect(run.result.stats['heldDrift']).toBe(995 * 0.5);
    expect(run.result.stats['accountPnl']).toBeCloseTo(worth(T0 + 5000, 101) - start + 995 * 0.5, 6);
  });

  it('each fill has its point at its own time also when the data has microseconds', async () => {
    const rows = Array.from({ length: 40 }, (_, n) =>
      snapshot(T0 + n * 3.337, [[`${100 + (n % 5)}`, '7']], [[`${106 - (n % 3)}`, '7']], { seq: n + 1 }),
    );
    const orders = [1, 2, 3].map((n) => at(n * 10 + 0.123, marketOrder('buy', `${n}`, `o${n}`)));
    const { path } = await world.record([...rows, trade(T0 + 200.5, '105', '1', 'buy')]);
    const { result } = await world.run('scripted.ts', [path], ...steps(...orders));
    expect(result.fills).toHaveLength(3);
    const times = new Set(result.equity.map(([ts]) => ts));
    for (const { ts } of result.fills) expect([ts, times.has(ts)]).toEqual([ts, true]);
  });

  it('is where `files` says', () => {
    expect(existsSync(run.summary.files.result ?? '')).toBe(true);
  });
});

describe('the run hash', () => {
  const hash = async (strategy: string, path: string, ...flags: string[]): Promise<string> =>
    (await world.run(strategy, [path], ...flags)).result.runHash;

  it('is the same for the same inputs, and so are the bytes of fills', async () => {
    const again = await world.run('scripted.ts', [data], ...steps(...SCRIPT), '--seed', '7');
    expect(again.result.runHash).toBe(run.result.runHash);
    expect(JSON.stringify(again.result.fills)).toBe(JSON.stringify(run.result.fills));
    expect(JSON.stringify(again.result.equity)).toBe(JSON.stringify(run.result.equity));
  });

  it('changes with code, params, data, models and seed, and not with the place of the files', async () => {
    const base = await hash('scripted.ts', data);
    world.write('elsewhere/scripted.ts', world.read('scripted.ts'));
    expect(await hash('elsewhere/scripted.ts', (await world.record(ROWS)).path)).toBe(base);
    world.write('edited/scripted.ts', `${world.read('scripted.ts')}\n// edited\n`);
    const latency = world.write('latency.yaml', 'simulation: { latency: { entryMs: 26 } }\n');
    const others = [
      await hash('edited/scripted.ts', data),
      await hash('scripted.ts', data, '--param', 'watch=top'),
      await hash('scripted.ts', (await world.record([...ROWS, trade(T0 + 6000, '101', '1', 'buy')])).path),
      await hash('scripted.ts', data, '--config', latency),
      await hash('scripted.ts', data, '--seed', '2'),
    ];
    expect(new Set([base, ...others]).size).toBe(6);
  });
});

describe('flags', () => {
  it('--from and --to cut the period, from inclusive, to exclusive; the book is as it stood', async () => {
    const list = steps(at(2410, marketOrder('buy', '1', 'a')));
    const from = new Date(T0 + 2250).toISOString();
    const { result } = await world.run('scripted.ts', [data], ...list, '--from', from, '--to', `${T0 + 2600}`);
    expect(result.period.from).toBe(T0 + 2250);
    expect(result.period.to).toBeLessThanOrEqual(T0 + 2600);
    expect(result.equity[0]![0]).toBe(T0 + 2250);
    expect(result.fills).toMatchObject([{ ts: T0 + 2435, price: '99' }]);
    const all = await world.run('scripted.ts', [data], '--from', `${T0 + 100}`, '--to', `${T0 + 400}`);
    expect(all.summary.events).toMatchObject({ trades: 1, quotes: 1 });
  });

  it('--repeat plays the data N times with times shifted on', async () => {
    const once = await world.run('scripted.ts', [data]);
    const { result, summary } = await world.run('scripted.ts', [data], '--repeat', '3', '--param', 'watch=trades');
    expect(summary.events.total).toBe(3 * once.summary.events.total);
    const prints = result.notes.map((each) => Number(heardOf(each)['ts']));
    expect(prints).toHaveLength(9);
    const shift = prints[3]! - prints[0]!;
    expect(shift).toBeGreaterThan(5000);
    expect(prints.slice(3, 6)).toEqual(prints.slice(0, 3).map((ts) => ts + shift));
    expect(prints.slice(6)).toEqual(prints.slice(0, 3).map((ts) => ts + 2 * shift));
  });

  it('several --data are one market in time order', async () => {
    const other = await world.record([
      snapshot(T0 + 50, [['10', '100']], [['11', '100']], { seq: 1, symbol: 'BBBUSDT' }),
      trade(T0 + 4000, '11', '1', 'buy', { symbol: 'BBBUSDT' }),
    ]);
    const list = steps(at(200, marketOrder('buy', '2', 'b', { symbol: 'BBBUSDT' }), marketOrder('buy', '1', 'a')));
    const { result } = await world.run('scripted.ts', [data, other.path], ...list);
    expect(result.fills.map(({ symbol, price }) => `${symbol} ${price}`).toSorted()).toEqual([
      'AAAUSDT 101',
      'BBBUSDT 11',
    ]);
    expect(result.events.total).toBe(21 + 3);
    expect(result.stats['netPnl']).toBeCloseTo(result.equity.at(-1)![1] - result.equity[0]![1], 6);
  });

  it('--strict: a type error is exit 2, damage is exit 5; without it both are warnings', async () => {
    const typed = world.write(
      'typed.ts',
      world.read('scripted.ts').replace("name: 'scripted'", "name: 'scripted', nmae: 1"),
    );
    const loose = await world.command('backtest', typed, '--data', data);
    expect(loose.exit).toBe(0);
    expect((JSON.parse(loose.out) as Summary).warnings.join()).toContain('typed.ts');
    expect((await world.command('backtest', typed, '--data', data, '--strict')).exit).toBe(2);
    expect(
      (await world.command('backtest', join(world.dir, 'scripted.ts'), '--data', data, '--strict', ...steps())).exit,
    ).toBe(5);
  });

  it('bad usage is exit 2 and says what is wrong', async () => {
    const strategy = join(world.dir, 'scripted.ts');
    for (const [argv, says] of [
      [['--from', 'yesterday'], 'yesterday'],
      [['--seed', 'x'], 'seed'],
      [['--repeat', '0'], 'repeat'],
      [['--param', 'watsh=1'], 'watch'],
      [['--config', 'none.yaml'], 'none.yaml'],
    ] as const) {
      const printed = await world.command('backtest', strategy, '--data', data, ...argv);
      expect([argv[0], printed.exit]).toEqual([argv[0], 2]);
      expect(printed.err).toContain(says);
    }
    const missing = await world.command('backtest', join(world.dir, 'scriptd.ts'), '--data', data);
    expect(missing.exit).toBe(2);
    expect(missing.err).toContain('scripted.ts');
  });

  it('writes the HTML report', async () => {
    const { summary } = await world.run('scripted.ts', [data], '--report', 'out/report.html');
    expect(summary.files.report).toBe(join(world.dir, 'out/report.html'));
    expect(world.read('out/report.html')).toContain(summary.runHash.slice(0, 12));
  });
});

describe('data import --from jsonl and data info', () => {
  it('tick and lot are the largest power of ten that divides every value; marked inferred; derivative when depth carries pu', async () => {
    const rows = [
      snapshot(T0, [['100.5', '0.2']], [['101', '0.030']], { seq: 1 }),
      trade(T0 + 1, '100.5', '1', 'sell'),
    ];
    const { printed } = await world.record(rows);
    const { instruments } = JSON.parse(printed.out) as { instruments: Record<string, unknown>[] };
    expect(instruments).toMatchObject([
      { symbol: 'AAAUSDT', market: 'spot', tickSize: '0.1', lotSize: '0.01', minNotional: '0', inferred: true },
    ]);
    const perpetual = { ...depth(T0 + 5, [['100', '1']], [], {}), U: 2, u: 3, pu: 1 };
    const other = await world.record([snapshot(T0, [['100', '1']], [['101', '1']], { seq: 1 }), perpetual]);
    expect(JSON.parse(other.printed.out)).toMatchObject({ instruments: [{ market: 'derivative' }] });
    const forced = await world.record(rows, '--market', 'derivative');
    expect(JSON.parse(forced.printed.out)).toMatchObject({ instruments: [{ market: 'derivative' }] });
  });

  it('data info answers the documented document', async () => {
    const { out, exit } = await world.command('data', 'info', data);
    expect(exit).toBe(0);
    const info = JSON.parse(out) as Record<string, unknown>;
    for (const key of ['path', 'source', 'from', 'to', 'bytes', 'frames', 'clockShiftMs', 'symbols', 'problems']) {
      expect(Object.keys(info)).toContain(key);
    }
    expect(info).toMatchObject({
      from: T0,
      to: T0 + 5000,
      frames: ROWS.length,
      clockShiftMs: 2,
      symbols: {
        AAAUSDT: {
          snapshots: 6,
          depthMessages: 1,
          levels: 3,
          trades: 3,
          topQuotes: 1,
          candles: 0,
          gaps: 0,
          peakPerSecond: 5,
        },
      },
      problems: [],
    });
  });

  it('data verify answers {ok, frames, lost, problems}', async () => {
    const { out, exit } = await world.command('data', 'verify', data);
    expect([exit, JSON.parse(out)]).toMatchObject([0, { ok: true, frames: ROWS.length, lost: 0, problems: [] }]);
  });
});
