/**
 * What a command leaves in the lists of the exchange, one row a kind, and which own command a listed row is of. Pure.
 *
 * Each own command that happened explains one row: that of its id, else the oldest that has its terms and is in time. The
 * id of an answer need be no id of the list, as that of a transfer or of a code that was redeemed.
 */
import type { MoneyReceipt } from '../model/entries/money-entries.ts';
import type { MoneyKind, MoneyRequest } from '../model/funds/money-commands.ts';
import type { Advertisement } from '../model/funds/p2p.ts';
import { dec } from '../model/numbers/money.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { sameMethods } from './p2p-book.ts';
import { idOf, type Listed, type ListName } from './listed.ts';

/** Undefined: any. */
export interface Movement {
  readonly type: string;
  readonly currency?: string;
  readonly amount?: string;
  /** Debited. Of transfers alone. */
  readonly from?: string;
}

type Fits<N extends ListName, K extends MoneyKind> = (row: Listed[N], request: MoneyRequest<K>) => boolean;

interface Traces<K extends MoneyKind> {
  /** `receipt`: of the answer, where one came. */
  readonly transactions?: (request: MoneyRequest<K>, receipt: MoneyReceipt | null) => Movement;
  readonly codes?: Fits<'codes', K>;
  readonly advertisements?: Fits<'advertisements', K>;
  readonly trades?: Fits<'trades', K>;
}

export function same(a: string, b: string): boolean {
  return dec(a).eq(dec(b));
}

export function sameTerms(row: Advertisement, { price, minLimit, maxLimit }: Partial<Advertisement>): boolean {
  const isAs = (asked: string | undefined, reported: string): boolean => asked === undefined || same(asked, reported);
  return isAs(price, row.price) && isAs(minLimit, row.minLimit) && isAs(maxLimit, row.maxLimit);
}

const application: Traces<'fiatCreate' | 'fiatSubmit'> = {
  transactions: ({ type, currency, amount }) => ({ type, currency, amount }),
};

const table: { readonly [K in MoneyKind]?: Traces<K> } = {
  transfer: { transactions: ({ currency, amount, from }) => ({ type: 'transfer', currency, amount, from }) },
  codeCreate: {
    // A list need not show comments.
    codes: (row, { currency, amount, recipient = null, comment }) =>
      row.currency === currency &&
      same(row.amount, amount) &&
      row.recipient === recipient &&
      (row.comment === null || row.comment === comment),
    transactions: ({ currency, amount }) => ({ type: 'code_create', currency, amount }),
  },
  codeRedeem: { transactions: (_request, receipt) => ({ type: 'code_redeem', ...receipt?.moved }) },
  withdraw: { transactions: ({ currency, amount }) => ({ type: 'withdrawal', currency, amount }) },
  fiatCreate: application,
  fiatSubmit: application,
  overdraftPay: { transactions: ({ amount }) => ({ type: 'overdraft_repayment', amount }) },
  advertise: {
    // Trades may have reduced its amount.
    advertisements: (row, request) =>
      row.market.marketId === request.marketId &&
      row.side === request.side &&
      sameTerms(row, request) &&
      dec(row.availableAmount).lte(request.amount) &&
      sameMethods(request.paymentMethodIds, row) &&
      ((row.comment ?? '') === '' || row.comment === request.comment),
  },
  respond: {
    trades: (row, { advertisementId, amount, paymentMethodId }) =>
      row.advertisementId === advertisementId &&
      row.paymentMethodId === paymentMethodId &&
      // From the taker's view. Base is what he receives, or what he sends.
      [row.volume, row.amount].some((shown) => same(shown, amount)),
  },
};

function tracesOf(kind: MoneyKind): Traces<MoneyKind> {
  return (table as { readonly [K in MoneyKind]?: Traces<MoneyKind> })[kind] ?? {};
}

/** Null: it leaves no transaction. */
export function movementOf({ request, receipt }: Pick<MoneyRecord, 'request' | 'receipt'>): Movement | null {
  return tracesOf(request.kind).transactions?.(request, receipt) ?? null;
}

/** The row has the terms of the command. */
export function fits<N extends ListName>(list: N, row: Listed[N], record: MoneyRecord): boolean {
  if (list !== 'transactions') {
    const ofList = tracesOf(record.request.kind)[list] as Fits<N, MoneyKind> | undefined;
    return ofList?.(row, record.request) === true;
  }
  const shown = row as Listed['transactions'];
  const terms = movementOf(record);
  if (terms === null || shown.type !== terms.type) return false;
  const { currency = shown.currency, amount = shown.amount, from = shown.account } = terms;
  return shown.currency === currency && same(shown.amount, amount) && shown.account === from;
}

export interface ArrivalTimes {
  /** Allowance for clock skew: so far the exchange may date what it does before its sending, too. */
  readonly fenceMarginMs: number;
  /** Longest time after its signing at which a request may be accepted. */
  readonly fenceMs: number;
}

export interface ProofTimes extends Pick<ArrivalTimes, 'fenceMarginMs'> {
  readonly signatureWindowMs: number;
  readonly historyLagMs: number;
}

export function arrivalTimes({ signatureWindowMs, fenceMarginMs }: ProofTimes): ArrivalTimes {
  return { fenceMs: signatureWindowMs + fenceMarginMs, fenceMarginMs };
}

/** The exchange may have made then what was sent. `createdAt`: null where the row has no time. */
export function isInTime({ sentAt }: MoneyRecord, createdAt: number | null, times: ArrivalTimes): boolean {
  return createdAt === null || (createdAt >= sentAt - times.fenceMarginMs && createdAt <= sentAt + times.fenceMs);
}

export function couldMake<N extends ListName>(
  record: MoneyRecord,
  list: N,
  row: Listed[N],
  times: ArrivalTimes,
): boolean {
  return isInTime(record, row.createdAt, times) && fits(list, row, record);
}

/** Lists may use the same ids. */
export function claimKey(list: ListName | 'orders', id: string): string {
  return `${list}/${id}`;
}

/** Keys of the rows that own commands explain which happened. */
export function claimsIn<N extends ListName>(
  list: N,
  rows: readonly Listed[N][],
  records: readonly MoneyRecord[],
  times: ArrivalTimes,
): readonly string[] {
  const happened = records.filter(
    ({ fate, request }) => fate === 'accepted' && tracesOf(request.kind)[list] !== undefined,
  );
  if (happened.length === 0) return [];
  const free = new Map(rows.toSorted(byTime).map((row) => [idOf(list, row), row]));
  const claims: string[] = [];
  const claim = (id: string): void => {
    free.delete(id);
    claims.push(claimKey(list, id));
  };
  const nameless = happened.filter((record) => {
    const id = record.receipt?.id ?? '';
    const row = free.get(id);
    if (row === undefined || !isOfType(list, row, record)) return true;
    claim(id);
    return false;
  });
  for (const record of nameless.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const own = [...free].find(([, row]) => couldMake(record, list, row, times));
    if (own !== undefined) claim(own[0]);
  }
  return claims;
}

/** A code or a transfer may have the id of another transaction. */
function isOfType<N extends ListName>(list: N, row: Listed[N], record: MoneyRecord): boolean {
  return list !== 'transactions' || (row as Listed['transactions']).type === movementOf(record)?.type;
}

/** Oldest first. */
export function byTime(a: { readonly createdAt: number | null }, b: { readonly createdAt: number | null }): number {
  return (a.createdAt ?? 0) - (b.createdAt ?? 0);
}
