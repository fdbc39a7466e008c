/** Execution quality; means over fills are weighted by notional (docs/metrics.md). */
import type { FillRecord } from './inputs.ts';
import { ratio } from './numbers/moments.ts';
import { valueAt, type Series } from './series.ts';
import type { FillValue } from './valuation.ts';

export interface Execution {
  readonly makerShare: number | null;
  /** Own orders with a fill / accepted orders. */
  readonly fillRatio: number | null;
  readonly orderToTrade: number | null;
  /** Sending to first fill, mean over filled orders. */
  readonly avgTimeToFillMs: number | null;
  /** Maker fills: mean quantity ahead at joining, base units; null with several symbols. */
  readonly queueAheadAtFill: number | null;
  /** Positive: worse than the mid at the decision. */
  readonly slippageBps: number | null;
  /** Positive: the mid moved in the fill's favour. */
  readonly markout1s: number | null;
  readonly markout5s: number | null;
  readonly markout30s: number | null;
}

const MARKOUTS_MS = [1000, 5000, 30_000] as const;

export interface ExecutionInput {
  readonly values: readonly FillValue[];
  readonly orders: { readonly submitted: number; readonly accepted: number };
  readonly mids: Readonly<Record<string, Series>>;
  /** End of the run; later markouts are unknown. */
  readonly to: number;
}

/** Null when nothing was added. */
class WeightedMean {
  #sum = 0;
  #weight = 0;

  add(value: number, weight: number): void {
    this.#sum += value * weight;
    this.#weight += weight;
  }

  get value(): number | null {
    return ratio(this.#sum, this.#weight);
  }
}

export function executionOf({ values, orders, mids, to }: ExecutionInput): Execution {
  const maker = new WeightedMean();
  const slippage = new WeightedMean();
  const markouts = MARKOUTS_MS.map(() => new WeightedMean());
  for (const value of values) {
    const weight = value.notional.toNumber();
    const { slippageBps, markoutsBps } = fillQuality(value, mids, to);
    maker.add(value.fill.liquidity === 'maker' ? 1 : 0, weight);
    if (slippageBps !== null) slippage.add(slippageBps, weight);
    for (const [index, mean] of markouts.entries()) {
      const markout = markoutsBps[index] ?? null;
      if (markout !== null) mean.add(markout, weight);
    }
  }
  const [markout1s, markout5s, markout30s] = markouts.map((mean) => mean.value);
  const firstFills = firstFillDelays(values);
  return {
    makerShare: maker.value,
    fillRatio: ratio(firstFills.orders, orders.accepted),
    orderToTrade: ratio(orders.submitted, values.length),
    avgTimeToFillMs: firstFills.meanMs,
    queueAheadAtFill: queueAhead(values),
    slippageBps: slippage.value,
    markout1s: markout1s ?? null,
    markout5s: markout5s ?? null,
    markout30s: markout30s ?? null,
  };
}

/** One fill against mids before and after, bps, signed as the means; null where a mid is unknown. */
export interface FillQuality {
  readonly slippageBps: number | null;
  /** After 1 s, 5 s and 30 s. */
  readonly markoutsBps: readonly (number | null)[];
}

export function fillQuality(
  { fill, direction, price }: FillValue,
  mids: Readonly<Record<string, Series>>,
  to: number,
): FillQuality {
  const { arrivalMid = null, mid } = fill;
  return {
    slippageBps: arrivalMid === null ? null : moveBps(arrivalMid, price.toNumber(), direction),
    markoutsBps: MARKOUTS_MS.map((_, index) => {
      const after = midAfter(fill, index, mids, to);
      return mid === null || after === null ? null : moveBps(mid, after, direction);
    }),
  };
}

function moveBps(from: number, to: number, direction: 1 | -1): number {
  return ((direction * (to - from)) / from) * 10_000;
}

/** Null where points are too far apart for the horizon, as with candles. */
function midAfter(fill: FillRecord, index: number, mids: Readonly<Record<string, Series>>, to: number): number | null {
  if (fill.midAfter !== undefined) return fill.midAfter[index] ?? null;
  const path = mids[fill.symbol];
  const horizon = MARKOUTS_MS[index]!;
  if (path === undefined || fill.ts + horizon > to || meanGapMs(path) > 2 * horizon) return null;
  return valueAt(path, fill.ts + horizon);
}

function meanGapMs(path: Series): number {
  if (path.length < 2) return Number.POSITIVE_INFINITY;
  return (path.ts[path.length - 1]! - path.ts[0]!) / (path.length - 1);
}

/** Own orders only; a liquidation was never sent. */
function firstFillDelays(values: readonly FillValue[]): { orders: number; meanMs: number | null } {
  const seen = new Set<string>();
  const delay = new WeightedMean();
  for (const { fill } of values) {
    const order = `${fill.strategy ?? fill.tag}/${fill.orderRef}`;
    if (fill.orderTs === undefined || seen.has(order)) continue;
    seen.add(order);
    delay.add(Math.max(0, fill.ts - fill.orderTs), 1);
  }
  return { orders: seen.size, meanMs: delay.value };
}

function queueAhead(values: readonly FillValue[]): number | null {
  const symbols = new Set(values.map(({ fill }) => fill.symbol));
  if (symbols.size !== 1) return null;
  const ahead = new WeightedMean();
  for (const { fill, notional } of values) {
    if (fill.liquidity === 'maker' && fill.queueAhead !== undefined) ahead.add(fill.queueAhead, notional.toNumber());
  }
  return ahead.value;
}
