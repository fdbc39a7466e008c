/** Evidence in poll results, common to all kinds of movements. Pure. */
import type { MoneyKind, MoneyRequest } from '../model/funds/money-commands.ts';
import type { MoneyReceipt } from '../model/entries/money-entries.ts';
import type { TransactionRow } from '../model/funds/money-records.ts';
import { decimalText } from '../model/numbers/money.ts';
import { itemsOf, type Reading } from '../model/result.ts';
import { availableKey } from '../spine/money/content.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import type { Listed, ListName, ReadingName } from './listed.ts';
import { claimKey, couldMake, isInTime, type ArrivalTimes, type ProofTimes } from './traces.ts';

export type MoneyEvidence = { readonly [N in ReadingName]: Reading<Listed[N]> };

export interface ProofRules extends ArrivalTimes, Pick<ProofTimes, 'historyLagMs'> {
  readonly clientOrderIds: boolean;
  /** Keys (`claimKey`) of what other commands made. */
  readonly claimed: ReadonlySet<string>;
  /** Other commands that may have happened. */
  readonly rivals: readonly MoneyRecord[];
}

export type MoneyVerdict =
  | { readonly kind: 'happened'; readonly receipt: MoneyReceipt; readonly why: string }
  | { readonly kind: 'absent'; readonly why: string }
  /** `seen`: what it may have made. */
  | { readonly kind: 'open'; readonly why: string; readonly seen?: true };

export interface Case<K extends MoneyKind = MoneyKind> {
  readonly record: MoneyRecord;
  readonly request: MoneyRequest<K>;
  readonly evidence: MoneyEvidence;
  readonly rules: ProofRules;
}

export function open(why: string): MoneyVerdict {
  return { kind: 'open', why };
}

/** Something is listed that it may have made. */
export function mayBe(why: string): MoneyVerdict {
  return { kind: 'open', why, seen: true };
}

export function absent(why: string): MoneyVerdict {
  return { kind: 'absent', why };
}

export function found(id: string, status: string | null, what: string): MoneyVerdict {
  return { kind: 'happened', receipt: { id, status }, why: `${what} ${id} shows it` };
}

/**
 * No single answer that says nothing happened is believed. Null when the poll result may show an absence: what was taken
 * at the last moment, which is the answer of what was refused, would be shown by then.
 */
export function doubtOf<T>(of: Case, name: string, reading: Reading<T>): MoneyVerdict | null {
  if (reading.kind !== 'complete') return open(`${name} could not be read completely: ${reading.reason}`);
  const { record, rules } = of;
  const lastMs = isRefused(of) ? record.endedAt : record.sentAt + rules.fenceMs;
  const waitMs = lastMs + rules.historyLagMs - reading.asOf;
  if (waitMs < 0 || isOfCode(of)) return null;
  const may = isRefused(of) ? 'may not show yet what it did' : 'may take the request, or not show it yet';
  return open(`the exchange ${may}, for another ${Math.ceil(waitMs / 1000)} s`);
}

/** A mistyped second factor is the usual refusal, and waits for no lag. A refusal's reason begins with its code. */
function isOfCode({ record: { fate, reason } }: Case): boolean {
  return fate === 'refused' && reason !== null && reason.startsWith('two_factor_invalid:');
}

/** Its absence needs no more than lists that do not show it. */
export function isRefused({ record }: Case): boolean {
  return record.fate === 'refused';
}

/** No other own movement is known to be it. */
export function isFree({ rules }: Case, list: ListName | 'orders', id: string): boolean {
  return !rules.claimed.has(claimKey(list, id));
}

export function isCandidate(of: Case, list: ListName | 'orders', id: string, createdAt: number | null): boolean {
  return isFree(of, list, id) && isInTime(of.record, createdAt, of.rules);
}

/** Another command that may have made these rows. Null: they are more than all such commands. */
export function rivalOf<N extends ListName>({ rules }: Case, list: N, rows: readonly Listed[N][]): MoneyRecord | null {
  const rivals = rules.rivals.filter((each) => rows.some((row) => couldMake(each, list, row, rules)));
  return rivals.length < rows.length ? null : (rivals[0] ?? null);
}

export interface TotalsVerdict {
  readonly kind: 'quiet' | 'moved' | 'doubt';
  readonly why: string;
}

/** By key of a baseline. */
function amountsOf({ evidence: { balances } }: Case): ReadonlyMap<string, string> {
  return new Map(
    itemsOf(balances).flatMap(({ account, currency, total, available }) => [
      [`${account}/${currency}`, decimalText(total)] as const,
      [availableKey(account, currency), decimalText(available)] as const,
    ]),
  );
}

/** `key` of a baseline: it is as before, and none of the later `rows` moved it. That of a transfer does not show where it went. */
export function isUntouched(of: Case, key: string, rows: readonly TransactionRow[]): boolean {
  const before = of.record.before?.totals[key];
  if (before === undefined || (amountsOf(of).get(key) ?? '0') !== before) return false;
  return rows.every((row) => !key.startsWith(`${row.account}/`) && row.type !== 'transfer');
}

/**
 * Either total can show that a movement between own accounts (`one`) did not happen. Others (`all`) need all totals.
 */
export function totalsSince(of: Case, needed: 'one' | 'all'): TotalsVerdict {
  const { balances } = of.evidence;
  const { before } = of.record;
  if (before === null) return { kind: 'doubt', why: 'the balances before are not known' };
  const now = amountsOf(of);
  const totals = Object.entries(before.totals);
  const moved = totals.filter(([key, total]) => (now.get(key) ?? '0') !== total);
  const [first] = moved;
  const isMoved = first !== undefined && (needed === 'all' || moved.length === totals.length);
  if (balances.kind === 'complete' && isMoved)
    return { kind: 'moved', why: `${first[0]} was ${first[1]} and is ${now.get(first[0]) ?? '0'}` };
  const doubt = doubtOf(of, 'the balances', balances);
  return doubt === null ? { kind: 'quiet', why: '' } : { kind: 'doubt', why: doubt.why };
}
