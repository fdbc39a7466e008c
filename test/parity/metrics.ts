/**
 * The metrics of metrics.md, computed a second time from a result file alone (equity, fills, orders, mids): plain loops over
 * plain arrays, no code of `src/statistics`. docs/metrics.md settles what metrics.md leaves open.
 */
import { Decimal } from 'decimal.js';
import type { ResultDocument } from '../../src/session/result/result.ts';

type Metrics = Readonly<Record<string, number | null | readonly [number, number]>>;

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sumOf(values) / values.length;
const ratio = (above: number | null, below: number | null): number | null =>
  above === null || below === null || below === 0 ? null : above / below;

function sampleStd(values: readonly number[]): number | null {
  const mean = meanOf(values);
  if (mean === null || values.length < 2) return null;
  return Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}

/** Linear interpolation between order statistics. */
function percentile(values: readonly number[], p: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (at - Math.floor(at));
}

/** Φ by the series of erf near 0 and its continued fraction in the tails. */
export function phi(x: number): number {
  if (Math.abs(x) < 3) {
    let [sum, term] = [x, x];
    for (let k = 1; Math.abs(term) > 1e-18 * Math.abs(sum); k += 1) {
      term *= (x * x) / (2 * k + 1);
      sum += term;
    }
    return 0.5 + sum * (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI));
  }
  let fraction = 0;
  for (let k = 200; k >= 1; k -= 1) fraction = k / (Math.abs(x) + fraction);
  const tail = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / (Math.abs(x) + fraction);
  return x < 0 ? tail : 1 - tail;
}

/** The value of a step function at a time; undefined before its first point. */
function valueAt(points: readonly (readonly [number, number])[], ts: number): number | undefined {
  let value: number | undefined;
  for (const [at, next] of points) {
    if (at > ts) break;
    value = next;
  }
  return value;
}

/** Simple returns between E_0, the UTC boundaries of the period, and the end. */
function returnsOf({ equity, period, conventions }: ResultDocument): readonly number[] {
  const stepMs = conventions?.sampleMs ?? DAY_MS;
  const marks = [equity[0]?.[1] ?? 0];
  for (let ts = Math.floor(period.from / stepMs) * stepMs + stepMs; ts < period.to; ts += stepMs) {
    const value = valueAt(equity, ts);
    if (value !== undefined) marks.push(value);
  }
  marks.push(equity.at(-1)?.[1] ?? 0);
  return marks.slice(1).map((value, index) => value / (marks[index] ?? 1) - 1);
}

function ratios(document: ResultDocument): Metrics {
  const { equity, period, conventions } = document;
  const returns = returnsOf(document);
  const stepMs = conventions?.sampleMs ?? DAY_MS;
  const perYear = YEAR_MS / stepMs;
  const isAnnualised = period.to - period.from >= 7 * DAY_MS && returns.length >= 10;
  const [mean, std] = [meanOf(returns), sampleStd(returns)];
  const count = returns.length;
  const sharpe = ratio(mean, std);
  const downside = Math.sqrt(meanOf(returns.map((r) => Math.min(r, 0) ** 2)) ?? 0);
  const central = (k: number): number => meanOf(returns.map((r) => (r - (mean ?? 0)) ** k)) ?? 0;
  const flat = central(2) === 0;
  const skew =
    count < 3 || flat ? null : (Math.sqrt(count * (count - 1)) / (count - 2)) * (central(3) / central(2) ** 1.5);
  const excess = flat ? 0 : central(4) / central(2) ** 2 - 3;
  const kurtosis =
    count < 4 || flat ? null : ((count - 1) / ((count - 2) * (count - 3))) * ((count + 1) * excess + 6) + 3;
  const growth = (equity.at(-1)?.[1] ?? 0) / (equity[0]?.[1] ?? 1);
  const cagr = growth ** (YEAR_MS / (period.to - period.from)) - 1;
  const [low, high] = [percentile(returns, 0.05), percentile(returns, 0.95)];
  const tail = returns.filter((r) => low !== null && r <= low);
  const only = <T>(value: T): T | null => (isAnnualised ? value : null);
  const spread =
    sharpe === null || skew === null || kurtosis === null
      ? null
      : 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  const error = spread === null ? null : Math.sqrt(spread / (count - 1));
  const deepest = drawdown(document)['maxDrawdownPct'];
  return {
    cagr: only(cagr),
    volatility: only(std === null ? null : std * Math.sqrt(perYear)),
    sharpe: only(sharpe === null ? null : sharpe * Math.sqrt(perYear)),
    sortino: only(ratio((mean ?? 0) * perYear, downside * Math.sqrt(perYear))),
    calmar: only(typeof deepest === 'number' ? ratio(cagr, deepest / 100) : null),
    omega: ratio(sumOf(returns.map((r) => Math.max(r, 0))), sumOf(returns.map((r) => Math.max(-r, 0)))),
    var95: low,
    cvar95: meanOf(tail),
    skew,
    kurtosis,
    tailRatio: ratio(high === null ? null : Math.abs(high), low === null ? null : Math.abs(low)),
    stability: stability(returns),
    psr: only(sharpe === null || error === null ? null : phi(sharpe / error)),
    minTrackRecordDays: only(
      sharpe === null || spread === null || sharpe <= 0
        ? null
        : ((1 + spread * (1.6448536269514722 / sharpe) ** 2) * stepMs) / DAY_MS,
    ),
    sharpeCi95: only(
      sharpe === null || error === null
        ? null
        : [
            (sharpe - 1.959963984540054 * error) * Math.sqrt(perYear),
            (sharpe + 1.959963984540054 * error) * Math.sqrt(perYear),
          ],
    ),
  };
}

/** R² of a straight line through the cumulative log returns. */
function stability(returns: readonly number[]): number | null {
  let level = 0;
  const ys = returns.map((r) => (level += Math.log(1 + r)));
  const [mx, my] = [(ys.length - 1) / 2, meanOf(ys) ?? 0];
  const sxy = sumOf(ys.map((y, x) => (x - mx) * (y - my)));
  const sxx = sumOf(ys.map((_, x) => (x - mx) ** 2));
  const syy = sumOf(ys.map((y) => (y - my) ** 2));
  return ys.length < 3 || syy === 0 ? null : sxy ** 2 / (sxx * syy);
}

function drawdown({ equity, period }: ResultDocument): Metrics {
  let [peak, peakTs] = [-Infinity, 0];
  let [deepest, deepestTs, longest] = [0, 0, 0];
  let [under, squares] = [0, 0];
  let recovery: number | null = null;
  equity.forEach(([ts, value], index) => {
    if (value >= peak) {
      if (deepest > 0 && recovery === null) recovery = ts - deepestTs;
      if (peak > -Infinity && wasUnder(equity, index)) longest = Math.max(longest, ts - peakTs);
      [peak, peakTs] = [value, ts];
    }
    const depth = 1 - value / peak;
    if (depth > deepest) {
      [deepest, deepestTs, recovery] = [depth, ts, null];
    }
    const holds = (equity[index + 1]?.[0] ?? Math.max(ts, period.to)) - ts;
    if (depth > 0) under += holds;
    squares += depth ** 2 * holds;
  });
  if ((equity.at(-1)?.[1] ?? 0) < peak) longest = Math.max(longest, period.to - peakTs);
  const length = period.to - (equity[0]?.[0] ?? 0);
  return {
    maxDrawdownPct: deepest * 100,
    maxDrawdownDurationMs: longest,
    recoveryMs: recovery,
    underwaterPct: (under / length) * 100,
    ulcer: Math.sqrt(squares / length),
  };
}

/** Whether the curve stood below its peak just before a point. */
function wasUnder(equity: ResultDocument['equity'], index: number): boolean {
  const before = equity.slice(0, index).map(([, value]) => value);
  return (before.at(-1) ?? 0) < Math.max(...before);
}

interface Lot {
  readonly ts: number;
  readonly price: number;
  readonly fee: number;
  readonly mid: number | null;
  /** Signed, whole units of 1e-12. */
  left: bigint;
}

interface Trade {
  readonly pnl: number;
  readonly heldMs: number;
  readonly worst: number;
  readonly best: number;
}

/** Exact: quantities as integers of 1e-12. */
function unitsOf(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.slice(0, 12).padEnd(12, '0'));
}

const size = (units: bigint): number => Number(units) / 1e12;

/** The last point at the time of a fill that is its mid, else the last one by then. */
function pointOf(mids: readonly (readonly [number, number])[], { ts, mid }: Pick<Lot, 'ts' | 'mid'>): number {
  const own = mids.findLastIndex(([at, value]) => at === ts && value === mid);
  return own >= 0 ? own : mids.findLastIndex(([at]) => at <= ts);
}

/**
 * A fee in the coin of a spot symbol never enters the position, or leaves it: pairs are of what the position changed by.
 * Each unit of it bears the same part of the fee.
 */
function tradesOf(document: ResultDocument, mids: readonly (readonly [number, number])[]): readonly Trade[] {
  const open: Lot[] = [];
  const trades: Trade[] = [];
  for (const fill of document.fills) {
    const price = Number(fill.price);
    let left = changeOf(fill, document);
    const fee = (Number(fill.fee) * (isBase(fill) ? price : 1)) / size(abs(left));
    for (let lot = open[0]; lot !== undefined && left !== 0n && lot.left > 0n !== left > 0n; lot = open[0]) {
      const part = abs(lot.left) < abs(left) ? abs(lot.left) : abs(left);
      const direction = lot.left > 0n ? 1 : -1;
      const quantity = size(part);
      const path = mids.slice(Math.max(0, pointOf(mids, lot)), pointOf(mids, fill) + 1).map(([, mid]) => mid);
      const gains = [...path, price].map((mid) => direction * (mid - lot.price) * quantity);
      trades.push({
        pnl: direction * (price - lot.price) * quantity - (lot.fee + fee) * quantity,
        heldMs: fill.ts - lot.ts,
        worst: Math.max(0, -Math.min(...gains)),
        best: Math.max(0, ...gains),
      });
      lot.left -= BigInt(direction) * part;
      left += BigInt(direction) * part;
      if (lot.left === 0n) open.shift();
    }
    if (left !== 0n) open.push({ ts: fill.ts, mid: fill.mid, price, fee, left });
  }
  return trades;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** What a fill changes the position by, in units of 1e-12. */
function changeOf(fill: ResultDocument['fills'][number], { instruments }: ResultDocument): bigint {
  const signed = fill.side === 'buy' ? unitsOf(fill.quantity) : -unitsOf(fill.quantity);
  return instruments[0]?.market === 'spot' && isBase(fill) ? signed - unitsOf(fill.fee) : signed;
}

/** A fee is in the quote currency or in the symbol's base. */
function isBase({ symbol, feeCurrency }: ResultDocument['fills'][number]): boolean {
  return symbol.startsWith(feeCurrency);
}

function tradeMetrics(trades: readonly Trade[]): Metrics {
  const pnls = trades.map(({ pnl }) => pnl);
  const [wins, losses] = [pnls.filter((pnl) => pnl > 0), pnls.filter((pnl) => pnl < 0)];
  const winRate = ratio(wins.length, wins.length + losses.length);
  const payoff = ratio(meanOf(wins), Math.abs(meanOf(losses) ?? 0));
  return {
    trades: trades.length,
    winRate,
    profitFactor: ratio(sumOf(wins), Math.abs(sumOf(losses))),
    payoff,
    expectancy: meanOf(pnls),
    sqn: ratio((meanOf(pnls) ?? 0) * Math.sqrt(pnls.length), sampleStd(pnls)),
    kelly: winRate === null || payoff === null ? null : winRate - (1 - winRate) / payoff,
    maxWinStreak: pnls.length === 0 ? null : streak(pnls, 1),
    maxLossStreak: pnls.length === 0 ? null : streak(pnls, -1),
    avgHoldingMs: meanOf(trades.map(({ heldMs }) => heldMs)),
    mae: meanOf(trades.map(({ worst }) => worst)),
    mfe: meanOf(trades.map(({ best }) => best)),
  };
}

function streak(pnls: readonly number[], sign: number): number {
  let [longest, current] = [0, 0];
  for (const pnl of pnls.filter((value) => value !== 0)) {
    current = Math.sign(pnl) === sign ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

function exposure(document: ResultDocument, mids: readonly (readonly [number, number])[]): Metrics {
  const { equity, fills, period, instruments } = document;
  const lot = Number(instruments[0]?.lotSize ?? 0);
  const from = equity[0]?.[0] ?? period.from;
  const times = [...equity.map(([ts]) => ts), ...fills.map(({ ts }) => ts), ...mids.map(([ts]) => ts), period.to];
  const steps = [...new Set(times.filter((ts) => ts >= from && ts <= period.to))].toSorted((a, b) => a - b);
  let [held, area, exact] = [0, 0, 0n];
  let [nextFill, nextMid, nextEquity] = [0, 0, 0];
  let [position, mid, value] = [0, 0, 0];
  const highest = { least: 0, most: 0 };
  steps.forEach((ts, index) => {
    let [widest, dearest, poorest] = [position, mid, Infinity];
    for (; (fills[nextFill]?.ts ?? Infinity) <= ts; nextFill += 1) {
      const fill = fills[nextFill];
      if (fill === undefined) break;
      exact += changeOf(fill, document);
      position = Math.abs(size(exact)) < lot ? 0 : Math.abs(size(exact));
      widest = Math.max(widest, position);
    }
    for (; (mids[nextMid]?.[0] ?? Infinity) <= ts; nextMid += 1) {
      mid = mids[nextMid]?.[1] ?? mid;
      dearest = Math.max(dearest, mid);
    }
    const isPoint = (equity[nextEquity]?.[0] ?? Infinity) <= ts;
    for (; (equity[nextEquity]?.[0] ?? Infinity) <= ts; nextEquity += 1) {
      value = equity[nextEquity]?.[1] ?? value;
      poorest = Math.min(poorest, value);
    }
    // Points of one millisecond come between its fills and mids in an order that the result does not say; the last after all.
    if (isPoint) {
      highest.least = Math.max(highest.least, (position * mid) / value);
      highest.most = Math.max(highest.most, (widest * dearest) / poorest);
    }
    const lasts = (steps[index + 1] ?? ts) - ts;
    if (position > 0) held += lasts;
    area += ((position * mid) / value) * lasts;
  });
  const length = period.to - from;
  const told = Number(document.stats.maxLeverage ?? Number.NaN);
  const isBetween = told >= highest.least * (1 - 1e-9) && told <= highest.most * (1 + 1e-9);
  const maxLeverage = isBetween ? told : highest.least;
  return { exposurePct: (held / length) * 100, meanLeverage: area / length, maxLeverage };
}

function execution(document: ResultDocument, mids: readonly (readonly [number, number])[]): Metrics {
  const { fills, orderCounts } = document;
  const notional = fills.map(({ price, quantity }) => Number(price) * Number(quantity));
  const weighted = (value: (fill: ResultDocument['fills'][number]) => number | null): number | null => {
    let [sum, weight] = [0, 0];
    fills.forEach((fill, index) => {
      const one = value(fill);
      if (one === null) return;
      sum += one * (notional[index] ?? 0);
      weight += notional[index] ?? 0;
    });
    return ratio(sum, weight);
  };
  const firsts = new Map<string, number>();
  for (const { orderRef, ts, orderTs } of fills) {
    if (!firsts.has(orderRef) && orderTs !== undefined) firsts.set(orderRef, ts - orderTs);
  }
  const sign = ({ side }: ResultDocument['fills'][number]): number => (side === 'buy' ? 1 : -1);
  const markout = (index: 0 | 1 | 2, afterMs: number): number | null =>
    weighted((fill) => {
      if (fill.mid === null || (fill.midAfter?.[index] ?? null) === null) return null;
      const later = valueAt(mids, fill.ts + afterMs);
      return later === undefined ? null : ((sign(fill) * (later - fill.mid)) / fill.mid) * 1e4;
    });
  return {
    makerShare: weighted(({ liquidity }) => (liquidity === 'maker' ? 1 : 0)),
    fillRatio: ratio(firsts.size, orderCounts?.accepted ?? 0),
    orderToTrade: ratio(orderCounts?.submitted ?? 0, fills.length),
    avgTimeToFillMs: meanOf([...firsts.values()]),
    queueAheadAtFill: weighted(({ queueAhead }) => queueAhead ?? null),
    slippageBps: weighted((fill) => {
      const arrival = fill.arrivalMid ?? null;
      return arrival === null ? null : ((sign(fill) * (Number(fill.price) - arrival)) / arrival) * 1e4;
    }),
    markout1s: markout(0, 1000),
    markout5s: markout(1, 5000),
    markout30s: markout(2, 30_000),
  };
}

/**
 * Every metric that a single run of one symbol has. `path`: every mid of the data, Unix ms, for the markouts; the file has
 * the last of each second only.
 */
export function recompute(document: ResultDocument, path: readonly (readonly [number, number])[]): Metrics {
  const { equity, fills, period, chart } = document;
  const line = chart?.prices.find((price) => price.kind === 'line');
  const mids = line?.kind === 'line' ? line.points : [];
  const [first, last] = [equity[0]?.[1] ?? 0, equity.at(-1)?.[1] ?? 0];
  const volume = sumOf(fills.map(({ price, quantity }) => Number(price) * Number(quantity)));
  // The decimals that the file shows: a small profit of a large account has few digits left.
  const netPnl = new Decimal(last).minus(first).toNumber();
  let area = 0;
  equity.forEach(([ts, value], index) => {
    area += value * ((equity[index + 1]?.[0] ?? Math.max(ts, period.to)) - ts);
  });
  return {
    netPnl,
    returnPct: (netPnl / first) * 100,
    fees: sumOf(fills.map((fill) => Number(fill.fee) * (isBase(fill) ? Number(fill.price) : 1))),
    volume,
    turnover: ratio(volume, area / (period.to - (equity[0]?.[0] ?? 0))),
    pnlPerVolumeBps: ratio(netPnl * 1e4, volume),
    ...ratios(document),
    ...drawdown(document),
    ...tradeMetrics(tradesOf(document, mids)),
    ...exposure(document, mids),
    ...execution(document, path),
  };
}
