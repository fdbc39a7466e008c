/** Sums of money over the run, added as decimals. */
import { type Decimal, ZERO } from '../model/numbers/money.ts';
import type { AccountNumbers, CashEvent } from './inputs.ts';
import { finite, ratio } from './numbers/moments.ts';
import { YEAR_MS } from './returns.ts';
import type { Series } from './series.ts';
import type { FillValue } from './valuation.ts';

export interface Totals {
  readonly netPnl: number | null;
  readonly returnPct: number | null;
  readonly heldDrift: number | null;
  readonly external: number | null;
  readonly accountPnl: number | null;
  /** Null when a fee is in a currency of unknown worth. */
  readonly fees: number | null;
  readonly funding: number;
  readonly volume: number;
  readonly turnover: number | null;
  readonly pnlPerVolumeBps: number | null;
}

export interface TotalsInput {
  readonly equity: Series;
  readonly to: number;
  readonly values: readonly FillValue[];
  readonly account: AccountNumbers | null;
  readonly funding: readonly CashEvent[];
}

export function totalsOf({ equity, to, values, account, funding }: TotalsInput): Totals {
  const start = equity.value[0]!;
  const netPnl = account?.netPnl ?? null;
  const volume = values.reduce((sum, value) => sum.plus(value.notional), ZERO).toNumber();
  return {
    netPnl,
    returnPct: netPnl !== null && start > 0 ? finite((netPnl / start) * 100) : null,
    heldDrift: account?.heldDrift ?? null,
    external: account?.external ?? null,
    accountPnl: account?.accountPnl ?? null,
    fees: sumFees(values),
    funding: sumAmounts(funding).toNumber(),
    volume,
    turnover: ratio(volume, meanOverTime(equity, to)),
    pnlPerVolumeBps: netPnl === null || volume === 0 ? null : finite((netPnl / volume) * 10_000),
  };
}

function sumAmounts(events: readonly CashEvent[]): Decimal {
  return events.reduce((sum, event) => sum.plus(event.amount), ZERO);
}

function sumFees(values: readonly FillValue[]): number | null {
  let sum = ZERO;
  for (const { fee } of values) {
    if (fee === null) return null;
    sum = sum.plus(fee);
  }
  return sum.toNumber();
}

/** Time-weighted mean; the last value when no time passed. */
export function meanOverTime(series: Series, to: number): number {
  let sum = 0;
  for (let i = 0; i < series.length; i++) {
    const until = i + 1 < series.length ? series.ts[i + 1]! : to;
    sum += series.value[i]! * Math.max(0, until - series.ts[i]!);
  }
  const span = to - series.ts[0]!;
  return span > 0 ? sum / span : series.value[series.length - 1]!;
}

/** (E_T/E_0)^(1/years) − 1, years of 365 days; null when the curve does not start above zero. */
export function cagrOf(index: Series, from: number, to: number): number | null {
  const start = index.value[0]!;
  const end = index.value[index.length - 1]!;
  const years = (to - from) / YEAR_MS;
  if (!(start > 0) || end < 0 || !(years > 0)) return null;
  return finite((end / start) ** (1 / years) - 1);
}
