/** Fills and trades by tag or symbol. A trade has the tag that opened it. */
import { fillQuality, type FillQuality } from '../../statistics/execution.ts';
import type { Trade } from '../../statistics/trades.ts';
import type { FillValue } from '../../statistics/valuation.ts';

export interface TradeGroup {
  readonly name: string;
  readonly fills: number;
  /** Reporting currency. */
  readonly volume: number;
  readonly fees: number;
  readonly makerShare: number | null;
  readonly slippageBps: number | null;
  readonly markout5sBps: number | null;
  readonly trades: number;
  /** Trades with P&L > 0 over trades with P&L ≠ 0. */
  readonly winRate: number | null;
  /** Net of fees. */
  readonly pnl: number;
}

export type GroupKey = 'tag' | 'symbol';

/** A fill with value and quality. */
export interface RatedFill {
  readonly value: FillValue;
  readonly quality: FillQuality;
}

/** Uses the mids in the fills. */
export function ratedFills(values: readonly FillValue[]): readonly RatedFill[] {
  return values.map((value) => ({ value, quality: fillQuality(value, {}, 0) }));
}

class Sums {
  fills = 0;
  volume = 0;
  fees = 0;
  maker = 0;
  readonly slippage = { sum: 0, weight: 0 };
  readonly markout = { sum: 0, weight: 0 };
  trades = 0;
  won = 0;
  lost = 0;
  pnl = 0;

  fill({ value, quality: { slippageBps, markoutsBps } }: RatedFill): void {
    const notional = value.notional.toNumber();
    this.fills++;
    this.volume += notional;
    this.fees += value.fee?.toNumber() ?? 0;
    if (value.fill.liquidity === 'maker') this.maker += notional;
    for (const [mean, bps] of [
      [this.slippage, slippageBps],
      [this.markout, markoutsBps[1] ?? null],
    ] as const) {
      if (bps === null) continue;
      mean.sum += bps * notional;
      mean.weight += notional;
    }
  }

  trade({ pnl }: Trade): void {
    this.trades++;
    this.pnl += pnl;
    if (pnl > 0) this.won++;
    if (pnl < 0) this.lost++;
  }

  named(name: string): TradeGroup {
    const { fills, volume, fees, maker, slippage, markout, trades, won, lost, pnl } = this;
    const part = (value: number, whole: number): number | null => (whole > 0 ? value / whole : null);
    return {
      name,
      fills,
      volume,
      fees,
      makerShare: part(maker, volume),
      slippageBps: part(slippage.sum, slippage.weight),
      markout5sBps: part(markout.sum, markout.weight),
      trades,
      winRate: part(won, won + lost),
      pnl,
    };
  }
}

/** By volume, descending. */
export function tradeGroups(fills: readonly RatedFill[], trades: readonly Trade[], by: GroupKey): TradeGroup[] {
  const groups = new Map<string, Sums>();
  const groupOf = (name: string): Sums => {
    const sums = groups.get(name) ?? new Sums();
    groups.set(name, sums);
    return sums;
  };
  const isOfSeveral = new Set(fills.map(({ value }) => value.fill.strategy)).size > 1;
  const tagName = (tag: string, strategy = tag): string =>
    isOfSeveral && strategy !== tag ? `${strategy} ${tag}` : tag;
  for (const fill of fills) {
    const { symbol, tag, strategy } = fill.value.fill;
    groupOf(by === 'tag' ? tagName(tag, strategy) : symbol).fill(fill);
  }
  for (const trade of trades)
    groupOf(by === 'tag' ? tagName(trade.entryTag, trade.strategy) : trade.symbol).trade(trade);
  return [...groups].map(([name, sums]) => sums.named(name)).toSorted((a, b) => b.volume - a.volume);
}
