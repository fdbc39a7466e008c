/**
 * Every movement of money that the journal knows: what was asked, how it ended, what is unresolved. The live desk and
 * the replay of a journal change it through the same methods, so replay(journal) == live state. Pure.
 *
 *   pending ─sending─▶ sending ─outcome─▶ accepted · refused · denied · not-sent · unknown ─resolved─▶ accepted · absent
 */
import type { MoneyBaseline, MoneyIntentEntry, MoneyReceipt } from '../../model/journal.ts';
import { dec, isDecimalText, ZERO, type Decimal } from '../../model/money.ts';
import type { MoneyOutcome } from '../../model/result.ts';
import type { MoneyRequest } from '../../model/treasury.ts';
import { fingerprintOf } from './content.ts';

export type MoneyFate =
  | 'pending'
  | 'sending'
  | 'accepted'
  | 'refused'
  | 'denied'
  | 'not-sent'
  | 'unknown'
  /** Was unknown and is proved not to have happened. */
  | 'absent';

export interface MoneyRecord {
  readonly intentId: string;
  /** Empty for a human's command. */
  readonly strategy: string;
  readonly ref: string | undefined;
  readonly request: MoneyRequest;
  readonly fingerprint: string;
  readonly before: MoneyBaseline | null;
  readonly createdAt: number;
  /** 0 while nothing was sent. */
  readonly sentAt: number;
  readonly fate: MoneyFate;
  readonly receipt: MoneyReceipt | null;
  /** Why it did not end accepted. */
  readonly reason: string | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Closed records that are kept; older ones are in the journal alone. */
const CLOSED_MAX = 5_000;

const unresolvedFates: ReadonlySet<MoneyFate> = new Set<MoneyFate>(['pending', 'sending', 'unknown']);
const failedFates: ReadonlySet<MoneyFate> = new Set<MoneyFate>(['refused', 'denied', 'not-sent', 'absent']);

export function utcDay(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}

export class MoneyState {
  readonly #open = new Map<string, Mutable<MoneyRecord>>();
  readonly #closed = new Map<string, Mutable<MoneyRecord>>();
  readonly #refs = new Set<string>();
  /** `<day>/<strategy>/<currency>` → transfers that happened or may have. */
  readonly #transferred = new Map<string, Decimal>();
  count = 0;

  open(entry: MoneyIntentEntry, ts: number): MoneyRecord {
    const { intentId, strategy, ref, request, secretHash, before } = entry;
    const record: Mutable<MoneyRecord> = {
      intentId,
      strategy,
      ref,
      request,
      fingerprint: fingerprintOf(request, secretHash),
      before,
      createdAt: ts,
      sentAt: 0,
      fate: 'pending',
      receipt: null,
      reason: null,
    };
    this.#open.set(intentId, record);
    if (ref !== undefined) this.useRef(strategy, ref);
    this.#count(record, 1);
    this.count++;
    return record;
  }

  sending(intentId: string, ts: number): void {
    const record = this.#open.get(intentId);
    if (record === undefined || record.fate !== 'pending') return;
    record.fate = 'sending';
    record.sentAt = ts;
  }

  /** False when the intent is not open here. */
  outcome(intentId: string, outcome: MoneyOutcome<MoneyReceipt>): boolean {
    const record = this.#open.get(intentId);
    if (record === undefined) return false;
    record.fate = outcome.kind;
    if (outcome.kind === 'accepted') record.receipt = outcome.value;
    else if (outcome.kind === 'refused') record.reason = `${outcome.code}: ${outcome.message}`;
    else if (outcome.kind === 'denied') record.reason = outcome.denied.message;
    else record.reason = outcome.reason;
    this.#file(record);
    return true;
  }

  resolved(intentId: string, verdict: 'happened' | 'absent', receipt: MoneyReceipt): boolean {
    const record = this.#open.get(intentId);
    if (record === undefined) return false;
    record.fate = verdict === 'happened' ? 'accepted' : 'absent';
    record.receipt = receipt;
    this.#file(record);
    return true;
  }

  /** A process began: what the one before it left without SENDING was never sent, what it left with it is unknown. */
  boot(): void {
    const left = [...this.#open.values()];
    for (const record of left) {
      if (record.fate === 'pending') {
        record.fate = 'not-sent';
        record.reason = 'the process ended before it was sent';
        this.#file(record);
      } else if (record.fate === 'sending') {
        record.fate = 'unknown';
        record.reason = 'the process ended before the answer';
      }
    }
  }

  find(intentId: string): MoneyRecord | undefined {
    return this.#open.get(intentId) ?? this.#closed.get(intentId);
  }

  /** Oldest first: on their way, or unknown. */
  unresolved(): readonly MoneyRecord[] {
    return [...this.#open.values()];
  }

  /** The movement that a repeat of this content would double. */
  blocking(fingerprint: string): MoneyRecord | undefined {
    return this.unresolved().find((record) => record.fingerprint === fingerprint);
  }

  /** Oldest first, open ones last. */
  records(): readonly MoneyRecord[] {
    return [...this.#closed.values(), ...this.#open.values()];
  }

  /** The venue's ids of what is known to be ours already: they explain no other movement. */
  claimed(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const { receipt } of this.#closed.values()) if (typeof receipt?.id === 'string') ids.add(receipt.id);
    return ids;
  }

  hasRef(strategy: string, ref: string): boolean {
    return this.#refs.has(`${strategy}/${ref}`);
  }

  useRef(strategy: string, ref: string): void {
    this.#refs.add(`${strategy}/${ref}`);
  }

  /** Transfers of the UTC day that happened or may have. */
  transferred(strategy: string, currency: string, ts: number): Decimal {
    return this.#transferred.get(`${utcDay(ts)}/${strategy}/${currency}`) ?? ZERO;
  }

  /** What the hash of the state covers. */
  summary(): readonly (readonly string[])[] {
    const rows = this.records().map(({ intentId, fate, receipt }) => [intentId, fate, receipt?.id ?? '']);
    return [...rows, ...[...this.#refs].toSorted().map((ref) => ['ref', ref])];
  }

  #file(record: Mutable<MoneyRecord>): void {
    if (unresolvedFates.has(record.fate)) return;
    if (failedFates.has(record.fate)) this.#count(record, -1);
    this.#open.delete(record.intentId);
    this.#closed.set(record.intentId, record);
    if (this.#closed.size <= CLOSED_MAX) return;
    const oldest = this.#closed.keys().next().value;
    if (oldest !== undefined) this.#closed.delete(oldest);
  }

  #count({ request, strategy, createdAt }: MoneyRecord, sign: 1 | -1): void {
    if (request.kind !== 'transfer' || !isDecimalText(request.amount)) return;
    const key = `${utcDay(createdAt)}/${strategy}/${request.currency}`;
    this.#transferred.set(key, (this.#transferred.get(key) ?? ZERO).plus(dec(request.amount).times(sign)));
  }
}
