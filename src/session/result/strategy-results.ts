/**
 * The result of each strategy of a backtest with several strategies: its own fills on its share of the capital. Its
 * curve uses the same kept mids and final prices as the total, so the parts add up.
 */
import type { OrderCounters } from '../../spine/orders/order-counters.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { computeStats } from '../../statistics/compute.ts';
import type { FillRecord, SymbolRecord } from '../../statistics/inputs.ts';
import type { Series } from '../../statistics/series.ts';
import { Amounts } from '../recorder/amounts.ts';
import { OwnEquity } from '../recorder/equity.ts';
import { Prices } from '../recorder/prices.ts';
import type { StrategyResult } from './result.ts';
import type { RunRecorder } from '../recorder/run-recorder.ts';
import type { Payment } from '../recorder/strategy-funding.ts';

/** A strategy that ran. */
export interface RunStrategy {
  readonly tag: string;
  readonly name: string;
  /** Of the capital; null: it may use all of it. */
  readonly share: number | null;
  readonly counters: Readonly<OrderCounters>;
}

export interface StrategiesInput {
  readonly strategies: readonly RunStrategy[];
  readonly period: { readonly from: number; readonly to: number };
  readonly sampleMs: number | undefined;
  readonly fills: readonly FillRecord[];
  readonly symbols: Readonly<Record<string, SymbolRecord>>;
  readonly recorder: RunRecorder;
  readonly instruments: Instruments;
}

export function strategyResults(input: StrategiesInput): readonly StrategyResult[] {
  const { recorder } = input;
  const start = recorder.equity.series().value[0] ?? 0;
  return input.strategies.map((strategy) => resultOf(strategy, start * (strategy.share ?? 1), input));
}

function resultOf(
  { tag, name, share, counters }: RunStrategy,
  capital: number,
  input: StrategiesInput,
): StrategyResult {
  const { period, sampleMs, symbols, recorder } = input;
  const { from, to } = period;
  const fills = input.fills.filter(({ strategy }) => strategy === tag);
  const payments = recorder.paymentsOf(tag);
  const own = equityOf({ capital, fills, payments }, input);
  const netPnl = own.figures(new Amounts())?.netPnl.toNumber() ?? null;
  const account = netPnl === null ? null : { netPnl, heldDrift: 0, external: 0, accountPnl: netPnl };
  const sample = sampleMs === undefined ? {} : { sampleMs };
  const { stats } = computeStats({
    from,
    to,
    ...sample,
    equity: own.series(),
    fills,
    account,
    funding: recorder.valued(payments),
    orders: counters,
    symbols,
    mids: recorder.midSeries(),
  });
  return { strategy: tag, name, share, capital, fills: fills.length, orders: { ...counters }, stats };
}

interface OwnPart {
  /** Reporting currency. */
  readonly capital: number;
  /** By exchange time. */
  readonly fills: readonly FillRecord[];
  readonly payments: readonly Payment[];
}

/** A list that is read once, in order of its times. */
interface Steps {
  readonly length: number;
  readonly ts: (index: number) => number;
  readonly step: (index: number) => void;
  next: number;
}

function equityOf(part: OwnPart, { period: { from, to }, recorder, instruments }: StrategiesInput): OwnEquity {
  const { fills, payments } = part;
  const prices = new Prices(instruments, recorder.prices.reporting);
  const own = new OwnEquity(prices);
  const capital = new Amounts();
  capital.add(prices.reporting, part.capital);
  own.hold(capital);
  own.begin(from);
  const symbols = pricedBy(fills, instruments, prices);
  const mids = recorder.midSeries();
  const trade = (fill: FillRecord): void => {
    const instrument = instruments.find(fill.symbol);
    if (instrument !== undefined) own.trade(instrument, fill);
  };
  // What filled inside a bar has the time of its close, and precedes it.
  const inside = recorder.isOnBars ? fills.filter(({ liquidity }) => liquidity === 'maker') : [];
  const lists: Steps[] = [
    stepsOf(inside, (fill, index) => {
      const isSpot = instruments.find(fill.symbol)?.market === 'spot';
      if (isSpot) own.price(fill.ts, fill.symbol, Number(fill.price));
      trade(fill);
      if (isSpot && inside[index + 1]?.ts !== fill.ts) own.point(Math.max(from, fill.ts));
    }),
  ];
  // At one time prices come before other fills, so that these count at the mid that they made.
  for (const symbol of symbols) if (mids[symbol] !== undefined) lists.push(midSteps(own, symbol, mids[symbol]));
  lists.push(
    stepsOf(fills, (fill) => {
      if (!recorder.isOnBars || fill.liquidity === 'taker') trade(fill);
      own.point(Math.max(from, fill.ts));
    }),
  );
  lists.push(
    stepsOf(payments, ({ ts, currency, amount }) => {
      own.earn(currency, amount);
      own.point(Math.max(from, ts));
    }),
  );
  // Bars of several symbols of the session close together.
  const isTogether = recorder.isOnBars && Object.keys(mids).length > 1;
  let atMs = Number.NaN;
  for (let list = earliest(lists, to); list !== undefined; list = earliest(lists, to)) {
    const ts = list.ts(list.next);
    if (isTogether && ts !== atMs) own.together(false);
    own.together(isTogether);
    atMs = ts;
    list.step(list.next++);
  }
  own.together(false);
  for (const symbol of symbols) {
    const last = recorder.price(symbol);
    if (last !== undefined) own.price(to, symbol, last);
  }
  own.point(to);
  return own;
}

/** Whose prices value what the fills move. */
function pricedBy(fills: readonly FillRecord[], instruments: Instruments, prices: Prices): ReadonlySet<string> {
  const symbols = new Set<string>();
  for (const { symbol, feeCurrency } of fills) {
    const instrument = instruments.find(symbol);
    if (instrument === undefined) continue;
    const { market, base, quote, settle } = instrument;
    if (market === 'derivative') symbols.add(symbol);
    for (const currency of market === 'spot' ? [base, quote, feeCurrency] : [settle, feeCurrency]) {
      const bridge = prices.bridge(currency);
      if (bridge !== null) symbols.add(bridge.instrument.symbol);
    }
  }
  return symbols;
}

function stepsOf<Row extends { readonly ts: number }>(
  rows: readonly Row[],
  step: (row: Row, index: number) => void,
): Steps {
  return { length: rows.length, ts: (index) => rows[index]!.ts, step: (index) => step(rows[index]!, index), next: 0 };
}

function midSteps(own: OwnEquity, symbol: string, { length, ts, value }: Series): Steps {
  return {
    length,
    ts: (index) => ts[index]!,
    step: (index) => own.price(ts[index]!, symbol, value[index]!),
    next: 0,
  };
}

/** Undefined when none is left to `to`. */
function earliest(lists: readonly Steps[], to: number): Steps | undefined {
  let first: Steps | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const list of lists) {
    const ts = list.next < list.length ? list.ts(list.next) : Number.POSITIVE_INFINITY;
    if (ts <= to && ts < least) [first, least] = [list, ts];
  }
  return first;
}
