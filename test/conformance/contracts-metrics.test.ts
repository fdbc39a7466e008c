/**
 * metrics.md, row by row: every number of a run computed again from its result file and the rows that were recorded, by
 * the plainest code that the definitions allow, and compared to 1e-9 of its size.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quote, World, type Fill, type Result, type Row } from './contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T0 = Date.UTC(2024, 2, 1, 7, 30);

/** Numbers that look random and are the same everywhere. */
function* noise(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

/** A best quote every ten minutes for 14 days; the mid in cents. */
function market(): { readonly rows: readonly Row[]; readonly mids: readonly (readonly [number, number])[] } {
  const random = noise(5);
  const rows: Row[] = [];
  const mids: [number, number][] = [];
  let cents = 10_000;
  for (let ts = T0; ts <= T0 + 14 * DAY; ts += 10 * 60_000) {
    cents += Math.round((random.next().value - 0.49) * 120);
    const text = (value: number): string => (value / 100).toFixed(2);
    rows.push(quote(ts, [text(cents - 1), '51'], [text(cents + 1), '51'], { recv: ts + 1 }));
    mids.push([ts, cents / 100]);
  }
  return { rows, mids };
}

function script(): { at: number; actions: object[] }[] {
  const random = noise(9);
  const list: { at: number; actions: object[] }[] = [];
  for (let n = 1; n < 55; n++) {
    const side = random.next().value < 0.5 ? 'buy' : 'sell';
    const quantity = String(1 + Math.floor(random.next().value * 40));
    const order = { kind: 'place', symbol: 'AAAUSDT', side, type: 'market', quantity, ref: `o${n}` };
    list.push({ at: T0 + n * 6 * HOUR + 125_000, actions: [order] });
  }
  return list;
}

// ── the naive implementation ─────────────────────────────────────────────────────────────────────────────────────────

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const std = (values: readonly number[]): number =>
  Math.sqrt(sum(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1));
function quantile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = p * (sorted.length - 1);
  const low = sorted[Math.floor(place)]!;
  return low + (sorted[Math.ceil(place)]! - low) * (place - Math.floor(place));
}
/** Φ by the series for erf: slow and plain. */
function phi(z: number): number {
  let term = z;
  let total = z;
  for (let n = 1; n < 200; n++) {
    term *= (-z * z) / (2 * n);
    total += term / (2 * n + 1);
  }
  return 0.5 + total / Math.sqrt(2 * Math.PI);
}

type Curve = readonly (readonly [number, number])[];
const valueAt = (curve: Curve, ts: number): number => curve.filter(([at]) => at <= ts).at(-1)![1];

function returnsOf(curve: Curve, to: number, sampleMs: number): number[] {
  const samples = [curve[0]![1]];
  for (let ts = Math.floor(curve[0]![0] / sampleMs) * sampleMs + sampleMs; ts < to; ts += sampleMs) {
    samples.push(valueAt(curve, ts));
  }
  samples.push(curve.at(-1)![1]);
  return samples.slice(1).map((value, index) => value / samples[index]! - 1);
}

const feeOf = (fill: Fill): number =>
  fill.feeCurrency === 'USDT' ? Number(fill.fee) : Number(fill.fee) * Number(fill.price);
const signOf = (fill: Fill): number => (fill.side === 'buy' ? 1 : -1);
const notionalOf = (fill: Fill): number => Number(fill.price) * Number(fill.quantity);

/** Whole numbers, so that nothing is left of a lot that is closed. */
const UNITS = 1e9;

/** What a fill changes the position by: on spot a fee in base is no part of it (strategy-api.md). */
function changeOf(fill: Fill): number {
  const inBase = fill.feeCurrency === 'AAA' ? Number(fill.fee) : 0;
  return Math.round((signOf(fill) * Number(fill.quantity) - inBase) * UNITS);
}

/** FIFO pairs of lots. */
function pairsOf(fills: readonly Fill[]): {
  pnl: number;
  entry: number;
  exit: number;
  quantity: number;
  sign: number;
  entryPrice: number;
  exitPrice: number;
}[] {
  const lots: { fill: Fill; left: number }[] = [];
  const pairs = [];
  for (const fill of fills) {
    let left = Math.abs(changeOf(fill));
    while (left > 0 && lots.length > 0 && signOf(lots[0]!.fill) !== signOf(fill)) {
      const lot = lots[0]!;
      const units = Math.min(left, lot.left);
      const quantity = units / UNITS;
      const part = (each: Fill): number => (feeOf(each) * units) / Math.abs(changeOf(each));
      const gross = signOf(lot.fill) * quantity * (Number(fill.price) - Number(lot.fill.price));
      pairs.push({
        pnl: gross - part(lot.fill) - part(fill),
        entry: lot.fill.ts,
        exit: fill.ts,
        quantity,
        sign: signOf(lot.fill),
        entryPrice: Number(lot.fill.price),
        exitPrice: Number(fill.price),
      });
      lot.left -= units;
      left -= units;
      if (lot.left === 0) lots.shift();
    }
    if (left > 0) lots.push({ fill, left });
  }
  return pairs;
}

function runs(pnls: readonly number[], wins: boolean): number {
  const text = pnls
    .filter((pnl) => pnl !== 0)
    .map((pnl) => (pnl > 0 === wins ? 'x' : ' '))
    .join('');
  return Math.max(...text.split(' ').map((run) => run.length));
}

function expectedOf(result: Result, mids: Curve, sampleMs: number): Record<string, number> {
  const { equity, fills, period } = result;
  const [, start] = equity[0]!;
  const end = equity.at(-1)![1];
  const spans = equity.map(([ts, value], index) => ({ value, ts, ms: (equity[index + 1]?.[0] ?? period.to) - ts }));
  const whole = period.to - period.from;
  const volume = sum(fills.map(notionalOf));
  const returns = returnsOf(equity, period.to, sampleMs);
  const years = 365 * (DAY / sampleMs);
  const sharpe = mean(returns) / std(returns);
  let peak = -Infinity;
  const drawdowns = spans.map((span) => {
    peak = Math.max(peak, span.value);
    return { ...span, dd: 1 - span.value / peak, peak };
  });
  const deepest = drawdowns.reduce((worst, each) => (each.dd > worst.dd ? each : worst));
  let longest = 0;
  let since = equity[0]![0];
  for (const { ts, value, dd } of drawdowns) {
    if (dd > 0) longest = Math.max(longest, ts - since);
    else {
      longest = Math.max(
        longest,
        drawdowns.some((each) => each.dd > 0 && each.ts > since && each.ts < ts) ? ts - since : 0,
      );
      since = ts;
    }
    void value;
  }
  if (drawdowns.at(-1)!.dd > 0) longest = Math.max(longest, period.to - since);
  const recovered = drawdowns.find((each) => each.ts > deepest.ts && each.value >= deepest.peak);
  const pairs = pairsOf(fills);
  const pnls = pairs.map(({ pnl }) => pnl);
  const wins = pnls.filter((pnl) => pnl > 0);
  const losses = pnls.filter((pnl) => pnl < 0);
  const winRate = wins.length / (wins.length + losses.length);
  const payoff = mean(wins) / -mean(losses);
  const n = returns.length;
  const moment = (k: number): number => mean(returns.map((r) => (r - mean(returns)) ** k));
  const g1 = moment(3) / moment(2) ** 1.5;
  const g2 = moment(4) / moment(2) ** 2 - 3;
  const skew = (g1 * Math.sqrt(n * (n - 1))) / (n - 2);
  const kurtosis = ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * g2 + 6) + 3;
  const p5 = quantile(returns, 0.05);
  const logs: number[] = [];
  for (const r of returns) logs.push((logs.at(-1) ?? 0) + Math.log(1 + r));
  const xs = logs.map((_, index) => index);
  const covariance = sum(xs.map((x, index) => (x - mean(xs)) * (logs[index]! - mean(logs))));
  const r2 = covariance ** 2 / (sum(xs.map((x) => (x - mean(xs)) ** 2)) * sum(logs.map((y) => (y - mean(logs)) ** 2)));
  const spread = 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  const cagr = (end / start) ** (1 / (whole / (365 * DAY))) - 1;
  const positions = fills.map((_, index) => ({
    ts: fills[index]!.ts,
    size: Math.abs(sum(fills.slice(0, index + 1).map(changeOf)) / UNITS),
  }));
  const lot = Number((result['instruments'] as { lotSize: string }[])[0]!.lotSize);
  const sizeAt = (ts: number): number => {
    const size = positions.filter((each) => each.ts <= ts).at(-1)?.size ?? 0;
    return size < lot ? 0 : size;
  };
  const levels = spans.map(({ ts, value, ms }) => ({ ms, level: (sizeAt(ts) * valueAt(mids, ts)) / value }));
  const markout = (ms: number): number => {
    const known = fills.filter((fill) => fill.ts + ms <= period.to);
    const moves = known.map(
      (fill) => notionalOf(fill) * signOf(fill) * ((valueAt(mids, fill.ts + ms) - fill.mid!) / fill.mid!) * 1e4,
    );
    return sum(moves) / sum(known.map(notionalOf));
  };
  const excursion = (worst: boolean): number =>
    mean(
      pairs.map(({ entry, exit, quantity, sign, entryPrice, exitPrice }) => {
        const path = mids.filter(([ts]) => ts > entry && ts <= exit).map(([, mid]) => mid);
        const results = [valueAt(mids, entry), ...path, exitPrice].map(
          (price) => sign * quantity * (price - entryPrice),
        );
        return worst ? Math.max(0, -Math.min(...results)) : Math.max(0, ...results);
      }),
    );
  return {
    netPnl: end - start,
    returnPct: ((end - start) / start) * 100,
    fees: sum(fills.map(feeOf)),
    funding: 0,
    volume,
    turnover: volume / (sum(spans.map(({ value, ms }) => value * ms)) / whole),
    pnlPerVolumeBps: ((end - start) / volume) * 1e4,
    cagr,
    volatility: std(returns) * Math.sqrt(years),
    sharpe: sharpe * Math.sqrt(years),
    sortino: (mean(returns) * years) / (Math.sqrt(mean(returns.map((r) => Math.min(r, 0) ** 2))) * Math.sqrt(years)),
    calmar: cagr / deepest.dd,
    omega: sum(returns.map((r) => Math.max(r, 0))) / sum(returns.map((r) => Math.max(-r, 0))),
    maxDrawdownPct: deepest.dd * 100,
    maxDrawdownDurationMs: longest,
    ...(recovered === undefined ? {} : { recoveryMs: recovered.ts - deepest.ts }),
    underwaterPct: (sum(drawdowns.filter(({ dd }) => dd > 0).map(({ ms }) => ms)) / whole) * 100,
    ulcer: Math.sqrt(sum(drawdowns.map(({ dd, ms }) => dd * dd * ms)) / whole),
    var95: p5,
    cvar95: mean(returns.filter((r) => r <= p5)),
    skew,
    kurtosis,
    tailRatio: Math.abs(quantile(returns, 0.95)) / Math.abs(p5),
    stability: r2,
    trades: pairs.length,
    winRate,
    profitFactor: sum(wins) / -sum(losses),
    payoff,
    expectancy: mean(pnls),
    sqn: (Math.sqrt(pnls.length) * mean(pnls)) / std(pnls),
    kelly: winRate - (1 - winRate) / payoff,
    maxWinStreak: runs(pnls, true),
    maxLossStreak: runs(pnls, false),
    avgHoldingMs: mean(pairs.map(({ entry, exit }) => exit - entry)),
    mae: excursion(true),
    mfe: excursion(false),
    exposurePct:
      (sum(fills.map((fill, index) => (sizeAt(fill.ts) > 0 ? (fills[index + 1]?.ts ?? period.to) - fill.ts : 0))) /
        whole) *
      100,
    meanLeverage: sum(levels.map(({ level, ms }) => level * ms)) / whole,
    maxLeverage: Math.max(...levels.map(({ level }) => level)),
    makerShare: sum(fills.filter(({ liquidity }) => liquidity === 'maker').map(notionalOf)) / volume,
    fillRatio: 1,
    orderToTrade: new Set(fills.map(({ orderRef }) => orderRef)).size / fills.length,
    avgTimeToFillMs: 25,
    slippageBps:
      sum(fills.map((fill) => notionalOf(fill) * signOf(fill) * ((Number(fill.price) - fill.mid!) / fill.mid!) * 1e4)) /
      volume,
    markout1s: markout(1000),
    markout5s: markout(5000),
    markout30s: markout(30_000),
    psr: phi(sharpe / Math.sqrt(spread / (n - 1))),
    ...(sharpe > 0 ? { minTrackRecordDays: ((1 + spread * (1.6448536269514722 / sharpe) ** 2) * sampleMs) / DAY } : {}),
  };
}

describe('metrics.md', () => {
  const { rows, mids } = market();
  let daily: Result;
  let hourly: Result;
  beforeAll(async () => {
    const { path } = await world.record(rows);
    const steps = `steps=${JSON.stringify(script())}`;
    daily = (await world.run('scripted.ts', [path], '--param', steps)).result;
    hourly = (await world.run('scripted.ts', [path], '--param', steps, '--sample', '6h')).result;
  });

  it.each(['daily', 'every six hours'])('every number follows from equity and fills, sampled %s', (name) => {
    const [result, sampleMs] = name === 'daily' ? [daily, DAY] : [hourly, 6 * HOUR];
    expect(result.fills.length).toBeGreaterThan(40);
    const expected = expectedOf(result, mids, sampleMs);
    const wrong = Object.entries(expected).filter(([key, value]) => {
      const ours = result.stats[key];
      return typeof ours !== 'number' || !(Math.abs(ours - value) <= 1e-9 * Math.max(1, Math.abs(value)));
    });
    expect(wrong.map(([key, value]) => `${key}: expected ${value}, got ${result.stats[key]}`)).toEqual([]);
  });

  it('sharpeCi95 comes from the variance of the Sharpe ratio, annualised', () => {
    const returns = returnsOf(daily.equity, daily.period.to, DAY);
    const sharpe = mean(returns) / std(returns);
    const { skew, kurtosis } = daily.stats as { skew: number; kurtosis: number };
    const half =
      1.959963984540054 * Math.sqrt((1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2) / (returns.length - 1));
    const [low, high] = daily.stats['sharpeCi95'] as unknown as [number, number];
    expect(low).toBeCloseTo((sharpe - half) * Math.sqrt(365), 9);
    expect(high).toBeCloseTo((sharpe + half) * Math.sqrt(365), 9);
  });

  it('nothing is annualised under 7 days or under 10 samples: null, and a warning says why', async () => {
    for (const [days, flags] of [
      [6, ['--sample', '1h']],
      [8, []],
    ] as const) {
      const { path } = await world.record(rows.filter(({ ts }) => Number(ts) <= T0 + days * DAY));
      const steps = `steps=${JSON.stringify(script().filter((step) => step.at < T0 + days * DAY))}`;
      const { result } = await world.run('scripted.ts', [path], '--param', steps, ...flags);
      for (const name of ['cagr', 'volatility', 'sharpe', 'sortino', 'calmar', 'sharpeCi95']) {
        expect([name, result.stats[name]]).toEqual([name, null]);
      }
      expect(result.warnings.join('\n')).toContain('annualised');
      expect(result.stats['netPnl']).not.toBeNull();
      expect(result.stats['omega']).not.toBeNull();
      // Percentiles are not annualised: they are there.
      expect(result.stats['var95']).toBeCloseTo(
        quantile(returnsOf(result.equity, result.period.to, days === 6 ? HOUR : DAY), 0.05),
        12,
      );
    }
  });

  it('no trades: no Infinity and no NaN, null', async () => {
    const { path } = await world.record(rows.slice(0, 20));
    const { result } = await world.run('scripted.ts', [path]);
    for (const [name, value] of Object.entries(result.stats))
      expect([name, value === null || Number.isFinite(value)]).toEqual([name, true]);
    expect(result.stats).toMatchObject({ trades: 0, winRate: null, profitFactor: null, volume: 0, fees: 0 });
    // The holdings of the start drift beside, and are in no other figure.
    expect(result.stats).toMatchObject({ netPnl: 0, returnPct: 0, maxDrawdownPct: 0, ulcer: 0, sharpe: null });
    expect(result.stats['heldDrift']).not.toBe(0);
    expect(result.stats['accountPnl']).toBe(result.stats['heldDrift']);
    expect(result.equity.every(([, value]) => value === result.equity[0]![1])).toBe(true);
  });
});
