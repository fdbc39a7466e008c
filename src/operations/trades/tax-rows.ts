/** Disposals and funding as rows for a tax return: texts, exact decimals, UTC. Pure. */
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { disposalsOf, type Disposal, type TaxFill } from './fifo.ts';
import type { FundingPaid, SessionTrades } from './session-fills.ts';

const DAY_MS = 86_400_000;

/** Columns of the CSV, in order. Empty text: does not apply or is not known. */
export interface TaxRow {
  readonly date: string;
  readonly session: string;
  readonly strategy: string;
  readonly market: string;
  readonly symbol: string;
  /** `buy` closes a short position; `funding`. */
  readonly side: string;
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly proceeds: string;
  readonly cost: string;
  readonly result: string;
  readonly currency: string;
  readonly acquired: string;
  readonly holdingDays: string;
  readonly lotTradeId: string;
  readonly tradeId: string;
}

export const COLUMNS = [
  'date',
  'session',
  'strategy',
  'market',
  'symbol',
  'side',
  'quantity',
  'price',
  'fee',
  'feeCurrency',
  'proceeds',
  'cost',
  'result',
  'currency',
  'acquired',
  'holdingDays',
  'lotTradeId',
  'tradeId',
] as const satisfies readonly (keyof TaxRow)[];

export interface TaxSum {
  readonly year: number;
  readonly symbol: string;
  readonly currency: string;
  readonly disposals: number;
  readonly proceeds: string;
  readonly cost: string;
  /** Of disposals whose cost is known. */
  readonly result: string;
  readonly funding: string;
  /** Disposals without a known purchase. */
  readonly unknown: number;
}

export interface TaxReport {
  readonly rows: readonly TaxRow[];
  readonly sums: readonly TaxSum[];
  /** Fee currencies that are in no result. */
  readonly otherFees: Readonly<Record<string, string>>;
}

/** `year`: of the disposal, UTC; lots are of all years. */
export function taxReport(sessions: readonly SessionTrades[], year: number | null): TaxReport {
  const isWanted = ({ ts }: { readonly ts: number }): boolean => year === null || yearOf(ts) === year;
  const all = onceEach(sessions);
  const { fills } = all;
  const disposals = disposalsOf(fills).filter(isWanted);
  const fundings = all.fundings.filter(isWanted);
  const rows = [
    ...disposals.map((disposal) => ({ ts: disposal.ts, row: disposalRow(disposal) })),
    ...fundings.map((funding) => ({ ts: funding.ts, row: fundingRow(funding) })),
  ].toSorted((left, right) => left.ts - right.ts);
  const otherFees = new Map<string, Decimal>();
  for (const { fee, feeCurrency, currency, base, market } of fills.filter(isWanted))
    if (feeCurrency !== currency && !(market === 'spot' && feeCurrency === base) && !dec(fee).isZero())
      otherFees.set(feeCurrency, (otherFees.get(feeCurrency) ?? ZERO).plus(dec(fee)));
  return {
    rows: rows.map(({ row }) => row),
    sums: sumsOf(disposals, fundings),
    otherFees: Object.fromEntries([...otherFees].map(([name, fee]) => [name, decimalText(fee)])),
  };
}

/** A restored journal holds the trades of the one before. */
function onceEach(sessions: readonly SessionTrades[]): SessionTrades {
  const fills = new Map<string, TaxFill>();
  const fundings = new Map<string, FundingPaid>();
  for (const session of sessions) {
    for (const fill of session.fills) {
      const { account, market, symbol, strategy, tradeId } = fill;
      const key = JSON.stringify([account, market, symbol, strategy, tradeId]);
      if (!fills.has(key)) fills.set(key, fill);
    }
    for (const funding of session.fundings) {
      const key = JSON.stringify([funding.account, funding.id, funding.strategy]);
      if (!fundings.has(key)) fundings.set(key, funding);
    }
  }
  return { fills: [...fills.values()], fundings: [...fundings.values()] };
}

function disposalRow(disposal: Disposal): TaxRow {
  const { session, strategy, market, symbol, side, quantity, price, currency, tradeId } = disposal;
  const { fee, feeCurrency, proceeds, cost, result, acquiredAt, lotTradeId, ts } = disposal;
  return {
    date: iso(ts),
    session,
    strategy,
    market,
    symbol,
    side,
    quantity: decimalText(quantity),
    price,
    fee: decimalText(fee),
    feeCurrency,
    proceeds: decimalText(proceeds),
    cost: cost === null ? '' : decimalText(cost),
    result: result === null ? '' : decimalText(result),
    currency,
    acquired: acquiredAt === null ? '' : iso(acquiredAt),
    holdingDays: acquiredAt === null ? '' : String(Math.floor((ts - acquiredAt) / DAY_MS)),
    lotTradeId: lotTradeId ?? '',
    tradeId,
  };
}

function fundingRow({ session, strategy, symbol, currency, amount, ts }: FundingPaid): TaxRow {
  const nothing = { quantity: '', price: '', fee: '', feeCurrency: '', proceeds: '', cost: '' };
  const noLot = { acquired: '', holdingDays: '', lotTradeId: '', tradeId: '' };
  const what = { session, strategy, market: 'derivative', symbol, side: 'funding' };
  return { date: iso(ts), ...what, ...nothing, result: amount, currency, ...noLot };
}

function sumsOf(disposals: readonly Disposal[], fundings: readonly FundingPaid[]): readonly TaxSum[] {
  interface Sum {
    readonly year: number;
    readonly symbol: string;
    readonly currency: string;
    disposals: number;
    unknown: number;
    proceeds: Decimal;
    cost: Decimal;
    result: Decimal;
    funding: Decimal;
  }
  const sums = new Map<string, Sum>();
  const sumOf = ({ ts, symbol, currency }: Pick<FundingPaid, 'ts' | 'symbol' | 'currency'>): Sum => {
    const key = `${yearOf(ts)}/${symbol}/${currency}`;
    const zero = { disposals: 0, unknown: 0, proceeds: ZERO, cost: ZERO, result: ZERO, funding: ZERO };
    const sum = sums.get(key) ?? { year: yearOf(ts), symbol, currency, ...zero };
    sums.set(key, sum);
    return sum;
  };
  for (const disposal of disposals) {
    const sum = sumOf(disposal);
    sum.disposals++;
    sum.proceeds = sum.proceeds.plus(disposal.proceeds);
    if (disposal.cost === null || disposal.result === null) sum.unknown++;
    else {
      sum.cost = sum.cost.plus(disposal.cost);
      sum.result = sum.result.plus(disposal.result);
    }
  }
  for (const funding of fundings) {
    const sum = sumOf(funding);
    sum.funding = sum.funding.plus(dec(funding.amount));
  }
  return [...sums.values()]
    .toSorted((left, right) => left.year - right.year || (left.symbol < right.symbol ? -1 : 1))
    .map(({ proceeds, cost, result, funding, ...sum }) => ({
      ...sum,
      proceeds: decimalText(proceeds),
      cost: decimalText(cost),
      result: decimalText(result),
      funding: decimalText(funding),
    }));
}

/** RFC 4180, with a header. A text that a spreadsheet would take for a formula is led by a blank. */
export function* csvLines(rows: readonly TaxRow[]): Generator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for (const row of rows) yield `${COLUMNS.map((name) => csvField(row[name])).join(',')}\n`;
}

function csvField(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) ? ` ${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
