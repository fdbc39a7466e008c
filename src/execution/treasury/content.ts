/**
 * What a movement of money is, as far as the journal may know: canonical request, hash of its secrets, fingerprint by
 * which a repeat is known, accounts that it changes, receipt of its answer. Pure. Used by the desk and by the state.
 */
import { hash } from 'node:crypto';
import type { AccountType, Balance, VenuePosition } from '../../model/account.ts';
import type { MoneyBaseline, MoneyReceipt } from '../../model/money-entries.ts';
import { decimalText, isDecimalText } from '../../model/money.ts';
import type { OrderReport, PositionSide } from '../../model/order.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../model/treasury.ts';
import { canonicalJson } from '../journal/canonical.ts';

const decimalFields: ReadonlySet<string> = new Set(['amount', 'price', 'quantity', 'minLimit', 'maxLimit']);

/** The same with canonical decimals: `10.0` and `10` are one amount. What is no decimal is left for the venue to refuse. */
export function canonicalRequest(request: MoneyRequest): MoneyRequest {
  const copy = { ...request };
  for (const [field, value] of Object.entries(request)) {
    if (decimalFields.has(field) && typeof value === 'string' && isDecimalText(value))
      Reflect.set(copy, field, decimalText(value));
  }
  return Object.freeze(copy);
}

/** Tells equal secrets from others. The one-time 2FA code is no content. Undefined when there is nothing to hash. */
export function secretHashOf({ code, details }: MoneySecrets): string | undefined {
  if (code === undefined && details === undefined) return undefined;
  return hash('sha256', canonicalJson({ code, details }), 'hex').slice(0, 32);
}

/** Equal for two movements that would do the same: what is new in each call (a client order id) is no content. */
export function fingerprintOf(request: MoneyRequest, secretHash: string | undefined): string {
  return hash('sha256', canonicalJson({ request: { ...request, clientOrderId: undefined }, secretHash }), 'hex');
}

interface Touched {
  readonly accounts: readonly AccountType[];
  /** Undefined: any. */
  readonly currency?: string;
}

/** The accounts whose totals the movement would change; none where it only changes a state or locks. */
function touchedBy(request: MoneyRequest): Touched {
  switch (request.kind) {
    case 'transfer':
      return { accounts: [request.from, request.to], currency: request.currency };
    case 'codeCreate':
    case 'withdraw':
    case 'fiatSubmit':
      return { accounts: ['funding'], currency: request.currency };
    case 'codeRedeem':
      return { accounts: ['funding'] };
    case 'overdraftPay':
      return { accounts: ['unified-trading', 'overdraft'] };
    default:
      return { accounts: [] };
  }
}

/** The rows of a whole reading that the movement would change. A row that the account does not have is zero. */
export function baselineOf(request: MoneyRequest, balances: readonly Balance[], at: number): MoneyBaseline {
  const { accounts, currency } = touchedBy(request);
  const totals: Record<string, string> = {};
  if (currency !== undefined) for (const account of accounts) totals[`${account}/${currency}`] = '0';
  for (const row of balances) {
    if (!accounts.includes(row.account) || (currency ?? row.currency) !== row.currency) continue;
    totals[`${row.account}/${row.currency}`] = decimalText(row.total);
  }
  return { at, totals };
}

/** What is held of the perpetual that the order would change. What the account does not hold is zero. */
export function positionBaselineOf(
  { symbol, positionSide = 'both' }: { readonly symbol: string; readonly positionSide?: PositionSide },
  positions: readonly VenuePosition[],
  at: number,
): MoneyBaseline {
  const held = positions.find((position) => position.symbol === symbol && position.positionSide === positionSide);
  return { at, totals: { [positionKey(symbol, positionSide)]: decimalText(held?.quantity ?? '0') } };
}

/** In the totals of a baseline. */
export function positionKey(symbol: string, positionSide: PositionSide): string {
  return `positions/${symbol}/${positionSide}`;
}

type Receipts = { readonly [K in MoneyKind]: (answer: MoneyAnswers[K]) => MoneyReceipt };

const advertisement = ({ advertisementId: id, status }: MoneyAnswers['advertise']): MoneyReceipt => ({ id, status });
const trade = ({ tradeId: id, status }: MoneyAnswers['respond']): MoneyReceipt => ({ id, status });
const application = ({ applicationId: id, status }: MoneyAnswers['fiatConfirm']): MoneyReceipt => ({ id, status });
const withdrawal = ({ transactionId: id, status }: MoneyAnswers['cancelWithdrawal']): MoneyReceipt => ({ id, status });
const order = ({ orderId: id, status }: OrderReport): MoneyReceipt => ({ id, status });
const code = ({ codeId: id, status }: MoneyAnswers['codeRedeem']): MoneyReceipt => ({ id, status });

const receipts: Receipts = {
  transfer: ({ transferId: id }) => ({ id, status: null }),
  codeCreate: code,
  codeRedeem: code,
  withdraw: withdrawal,
  cancelWithdrawal: withdrawal,
  fiatCreate: application,
  fiatSubmit: application,
  fiatConfirm: application,
  fiatDelete: application,
  overdraftPay: () => ({ id: null, status: null }),
  advertise: advertisement,
  editAdvertisement: advertisement,
  activateAdvertisement: advertisement,
  deactivateAdvertisement: advertisement,
  deleteAdvertisement: advertisement,
  respond: trade,
  startTrade: trade,
  payTrade: trade,
  confirmTrade: trade,
  disputeTrade: trade,
  cancelTrade: trade,
  futuresOrder: order,
  futuresClose: order,
};

/** The part of an answer that may be journalled: never the text of a code. */
export function receiptOf<K extends MoneyKind>(kind: K, answer: MoneyAnswers[K]): MoneyReceipt {
  const read: Receipts[K] = receipts[kind];
  return read(answer);
}
