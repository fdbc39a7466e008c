/** One trader on one market: fills, and equity at the end of each minute. What `backtest` does, small enough for thousands of runs. */
import type { FillRecord } from '../../../src/statistics/inputs.ts';
import { MINUTE_MS, START_MS, TICK } from './market.ts';
import { traderOf, type TraderOptions } from './traders.ts';

export const SYMBOL = 'BTCUSDT';
const CAPITAL = 100_000;
/** Units of base for one of the trader. */
const UNIT = 0.1;

export interface Costs {
  /** In ticks a unit: what a taker pays to the mid, and the fees of both. */
  readonly halfSpread: number;
  readonly takerFee: number;
  readonly makerFee: number;
  /** A taker is filled a minute later. */
  readonly isLate: boolean;
}

export interface Outcome {
  readonly fills: readonly FillRecord[];
  /** From the first minute of the part to its end. */
  readonly equity: Float64Array;
  readonly netPnl: number;
  readonly trades: number;
}

/** Over the minutes [from, to) of the market; the trader begins with nothing. */
export function traded(
  mids: Float64Array,
  [from, to]: readonly [number, number],
  options: TraderOptions,
  costs: Costs,
): Outcome {
  const trader = traderOf(options);
  const fills: FillRecord[] = [];
  const equity = new Float64Array(to - from + 1);
  equity[0] = CAPITAL;
  let [cash, position, trades] = [CAPITAL, 0, 0];
  for (let minute = from; minute < to; minute++) {
    const change = trader.next(minute, mids[minute]!);
    if (change !== null) {
      const at = costs.isLate && change.limit === null ? minute + 1 : minute;
      const side = Math.sign(change.by);
      const ticks = change.limit ?? mids[at]! + side * costs.halfSpread;
      const fee = Math.abs(change.by) * UNIT * TICK * (change.limit === null ? costs.takerFee : costs.makerFee);
      if (position * change.by < 0) trades++;
      cash -= change.by * UNIT * ticks * TICK + fee;
      position += change.by;
      fills.push(fillOf(fills.length, at, side, ticks, Math.abs(change.by), fee, change.limit !== null));
    }
    equity[minute - from + 1] = cash + position * UNIT * mids[minute + 1]! * TICK;
  }
  return { fills, equity, netPnl: equity[to - from]! - CAPITAL, trades };
}

function fillOf(
  number: number,
  minute: number,
  side: number,
  ticks: number,
  quantity: number,
  fee: number,
  isMaker: boolean,
): FillRecord {
  return {
    ts: START_MS + minute * MINUTE_MS,
    symbol: SYMBOL,
    side: side > 0 ? 'buy' : 'sell',
    price: String(ticks * TICK),
    quantity: String(quantity * UNIT),
    fee: String(fee),
    feeCurrency: 'USDT',
    liquidity: isMaker ? 'maker' : 'taker',
    orderRef: String(number),
    tag: 'study',
    mid: null,
  };
}
