/** What the journal may keep of a money command. */
import { hash } from 'node:crypto';
import type { AccountType, Balance, VenuePosition } from '../../model/trading/account.ts';
import type { MoneyBaseline, MoneyReceipt } from '../../model/entries/money-entries.ts';
import { decimalText, isDecimalText } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../model/funds/money-commands.ts';
import type { MoneyOutcome } from '../../model/result.ts';
import { canonicalJson } from '../../model/text/canonical.ts';
import { accountsOf, factsOf } from './kinds.ts';

const WITHHELD = 'withheld: it may repeat the code';

const decimalFields: ReadonlySet<string> = new Set(['amount', 'price', 'quantity', 'minLimit', 'maxLimit']);

/** `10.0` becomes `10`. Text that is no decimal stays, for the venue to refuse. */
export function canonicalRequest(request: MoneyRequest): MoneyRequest {
  const copy = { ...request };
  for (const [field, value] of Object.entries(request)) {
    if (decimalFields.has(field) && typeof value === 'string' && isDecimalText(value))
      Reflect.set(copy, field, decimalText(value));
  }
  return Object.freeze(copy);
}

/** The one-time 2FA code is not hashed. Undefined when there is nothing to hash. */
export function secretHashOf({ code, details }: MoneySecrets): string | undefined {
  if (code === undefined && details === undefined) return undefined;
  return hash('sha256', canonicalJson({ code, details }), 'hex').slice(0, 32);
}

/** Equal for movements with the same effect, so the client order id is left out. */
export function fingerprintOf(request: MoneyRequest, secretHash: string | undefined): string {
  return hash('sha256', canonicalJson({ request: { ...request, clientOrderId: undefined }, secretHash }), 'hex');
}

/** Rows of a complete snapshot that the movement would change. A missing row is zero. */
export function baselineOf(request: MoneyRequest, balances: readonly Balance[], at: number): MoneyBaseline {
  const accounts = accountsOf(request);
  const currency = 'currency' in request ? request.currency : undefined;
  const { locks = false } = factsOf(request.kind);
  const totals: Record<string, string> = {};
  if (currency !== undefined)
    for (const account of accounts) {
      totals[`${account}/${currency}`] = '0';
      if (locks) totals[availableKey(account, currency)] = '0';
    }
  for (const row of balances) {
    if (!accounts.includes(row.account) || (currency ?? row.currency) !== row.currency) continue;
    totals[`${row.account}/${row.currency}`] = decimalText(row.total);
    if (locks) totals[availableKey(row.account, row.currency)] = decimalText(row.available);
  }
  return { at, totals };
}

/** Beside the totals: what is not locked. */
export function availableKey(account: AccountType, currency: string): string {
  return `available ${account}/${currency}`;
}

export function positionBaselineOf(
  { symbol, positionSide = 'both' }: { readonly symbol: string; readonly positionSide?: PositionSide },
  positions: readonly VenuePosition[],
  at: number,
): MoneyBaseline {
  const held = positions.find((position) => position.symbol === symbol && position.positionSide === positionSide);
  return { at, totals: { [positionKey(symbol, positionSide)]: decimalText(held?.quantity ?? '0') } };
}

export function positionKey(symbol: string, positionSide: PositionSide): string {
  return `positions/${symbol}/${positionSide}`;
}

/** Without the text of a code. */
export function receiptOf<K extends MoneyKind>(kind: K, answer: MoneyAnswers[K]): MoneyReceipt {
  const { id: field } = factsOf(kind);
  const id: unknown = field === null ? null : answer[field];
  const receipt = { id: textOrNull(id), status: textOrNull('status' in answer ? answer.status : null) };
  if (kind !== 'codeRedeem') return receipt;
  const { currency, amount } = answer as MoneyAnswers['codeRedeem'];
  return { ...receipt, moved: { currency, amount } };
}

export function journalledOutcome(
  kind: MoneyKind,
  outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>,
): MoneyOutcome<MoneyReceipt> {
  if (outcome.kind === 'accepted') return { kind: 'accepted', value: receiptOf(kind, outcome.value) };
  if (factsOf(kind).isSecret !== true) return outcome;
  if (outcome.kind === 'refused') return { ...outcome, message: WITHHELD };
  if (outcome.kind === 'unknown') return { kind: 'unknown', reason: WITHHELD };
  return outcome;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
