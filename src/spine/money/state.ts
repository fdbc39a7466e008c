/**
 * Every money movement in the journal. Only entries change it (`apply.ts`).
 *
 *   pending ─sending─▶ sending ─outcome─▶ accepted · refused · denied · not-sent · unknown ─resolved─▶ accepted · absent
 */
import type { MoneyBaseline, MoneyIntentEntry, MoneyReceipt } from '../../model/entries/money-entries.ts';
import { dec, decimalText, isDecimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { UsedTransfers } from '../../model/entries/used-before.ts';
import { partOf } from '../../model/part-of.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { MoneyOutcome } from '../../model/result.ts';
import type { MoneyRequest } from '../../model/funds/money-commands.ts';
import { utcDay } from '../../model/time.ts';
import { fingerprintOf } from './content.ts';
import { tradingFlowOf } from './kinds.ts';

export type MoneyOutcomeState =
  | 'pending'
  | 'sending'
  | 'accepted'
  | 'refused'
  | 'denied'
  | 'not-sent'
  | 'unknown'
  /** Outcome was unknown; it is now certain that it did not happen. */
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
  /** Of its outcome; 0 without one. */
  readonly endedAt: number;
  readonly fate: MoneyOutcomeState;
  readonly receipt: MoneyReceipt | null;
  readonly reason: string | null;
}

/** Older closed records are only in the journal. */
const CLOSED_MAX = 5_000;

const NONE: readonly MoneyRecord[] = Object.freeze([]);
/** Reason of a human's movement that happened, until its process has shown that and ended in order. */
const SHOWN_AT_THE_END = 'its process has not ended in order yet';
const unresolvedOutcomes: ReadonlySet<MoneyOutcomeState> = new Set<MoneyOutcomeState>([
  'pending',
  'sending',
  'unknown',
]);
const failedOutcomes: ReadonlySet<MoneyOutcomeState> = new Set<MoneyOutcomeState>([
  'refused',
  'denied',
  'not-sent',
  'absent',
]);

type Mutator = 'takeOver' | 'open' | 'sending' | 'outcome' | 'resolved' | 'stopped' | 'boot' | 'mayHaveLeft';

export type MoneyView = Readonly<Omit<MoneyState, Mutator>>;

export class MoneyState {
  private readonly opened = new Map<string, Mutable<MoneyRecord>>();
  private readonly closed = new Map<string, Mutable<MoneyRecord>>();
  /** `<strategy>/<ref>` of transfers that happened or may have: a ref moves money once. */
  private readonly refs = new Set<string>();
  private readonly advertisements = new Map<string, string>();
  private readonly advertisers = new Map<string, string>();
  /** Currency → Σ transfers into the trading account. */
  private readonly tradingEffects = new Map<string, Decimal>();
  /** `<UTC day>/<strategy>/<currency>` → Σ transfers that happened or may have. */
  private readonly transfers = new Map<string, Decimal>();
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
      endedAt: 0,
      fate: 'pending',
      receipt: null,
      reason: null,
    };
    this.opened.set(intentId, record);
    this.#keepRef(record);
    this.#count(record, 1);
    this.count++;
    return record;
  }

  sending(intentId: string, ts: number): void {
    const record = this.opened.get(intentId);
    if (record === undefined || record.fate !== 'pending') return;
    record.fate = 'sending';
    record.sentAt = ts;
  }

  /** `doubted`: a refusal that stays unresolved. */
  outcome(intentId: string, outcome: MoneyOutcome<MoneyReceipt>, ts: number, doubted: boolean): void {
    const record = this.opened.get(intentId);
    if (record === undefined) return;
    record.endedAt = ts;
    record.fate = outcome.kind;
    if (outcome.kind === 'accepted') {
      record.receipt = outcome.value;
      if (record.strategy === '') record.reason = SHOWN_AT_THE_END;
    } else if (outcome.kind === 'refused') record.reason = `${outcome.code}: ${outcome.message}`;
    else if (outcome.kind === 'denied') record.reason = outcome.denied.message;
    else record.reason = outcome.reason;
    if (!doubted) this.#file(record);
  }

  /** A refusal may have been false. */
  resolved(intentId: string, verdict: 'happened' | 'absent', receipt: MoneyReceipt): void {
    const record = this.opened.get(intentId) ?? this.#refused(intentId);
    if (record === undefined) return;
    if (verdict === 'happened') record.fate = 'accepted';
    else if (record.fate !== 'refused') record.fate = 'absent';
    record.receipt = receipt;
    this.#file(record);
  }

  /** The process has ended in order. */
  stopped(): void {
    this.#shown(null);
  }

  /** After the end of a process, pending records were not sent and sending ones have an unknown outcome. */
  boot(): void {
    this.#shown('the process ended before it was shown');
    const left = [...this.opened.values()];
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

  /** After a restore: the row that said it was sent may be lost. */
  mayHaveLeft(ts: number): void {
    for (const record of this.opened.values()) {
      if (record.fate !== 'pending') continue;
      this.sending(record.intentId, ts);
      record.fate = 'unknown';
      record.reason = 'the backup ends before its outcome: it may have been sent';
    }
  }

  findOpen(intentId: string): MoneyRecord | undefined {
    return this.opened.get(intentId);
  }

  find(intentId: string): MoneyRecord | undefined {
    return this.opened.get(intentId) ?? this.closed.get(intentId);
  }

  /** Oldest first. */
  unresolved(): readonly MoneyRecord[] {
    return this.opened.size === 0 ? NONE : [...this.opened.values()];
  }

  /** Of unknown outcome, or of a refusal that is not confirmed. */
  inDoubt(): readonly MoneyRecord[] {
    return this.unresolved().filter(({ fate }) => fate === 'unknown' || fate === 'refused');
  }

  /** The unresolved movement that the same content would repeat. */
  blocking(fingerprint: string): MoneyRecord | undefined {
    return this.unresolved().find((record) => record.fingerprint === fingerprint);
  }

  /** Oldest first, open ones last. */
  records(): readonly MoneyRecord[] {
    return [...this.closed.values(), ...this.opened.values()];
  }

  hasRef(strategy: string, ref: string): boolean {
    return this.refs.has(`${strategy}/${ref}`);
  }

  /** The movement that a human ordered with this ref and that happened or may have. */
  movedByHand(ref: string): MoneyRecord | undefined {
    return this.records().findLast(
      (each) => each.strategy === '' && each.ref === ref && !failedOutcomes.has(each.fate),
    );
  }

  isBusy(strategy: string, ref: string): boolean {
    return this.unresolved().some((record) => record.strategy === strategy && record.ref === ref);
  }

  advertisementOf(strategy: string, ref: string): string | undefined {
    return this.advertisements.get(`${strategy}/${ref}`);
  }

  advertiserOf(advertisementId: string): string | undefined {
    return this.advertisers.get(advertisementId);
  }

  *advertisementsOf(strategy: string): Iterable<readonly [ref: string, advertisementId: string]> {
    const prefix = `${strategy}/`;
    for (const [key, id] of this.advertisements) if (key.startsWith(prefix)) yield [key.slice(prefix.length), id];
  }

  tradingEffect(currency: string): Decimal {
    return this.tradingEffects.get(currency) ?? ZERO;
  }

  /** True when no transfer of the trading account is unresolved. */
  get isTradingStill(): boolean {
    return this.unresolved().every(({ request }) => tradingFlowOf(request) === null);
  }

  /** Σ of the UTC day of `ts` (Unix ms) that happened or may have. */
  transferred(strategy: string, currency: string, ts: number): Decimal {
    return this.transfers.get(`${utcDay(ts)}/${strategy}/${currency}`) ?? ZERO;
  }

  /** For the next session, with the sums of the UTC day of `ts` (Unix ms). */
  used(strategy: string, ts: number): UsedTransfers {
    const day = utcDay(ts);
    const sums = partOf(this.transfers, `${day}/${strategy}/`).map(([currency, sum]) => [currency, decimalText(sum)]);
    const refs = partOf(new Map([...this.refs].map((key) => [key, key])), `${strategy}/`).map(([ref]) => ref);
    return { refs, day, sums: Object.fromEntries(sums) };
  }

  /** Of earlier sessions. */
  takeOver(strategy: string, { refs, day, sums }: UsedTransfers): void {
    for (const ref of refs) this.refs.add(`${strategy}/${ref}`);
    for (const [currency, sum] of Object.entries(sums)) this.transfers.set(`${day}/${strategy}/${currency}`, dec(sum));
  }

  summary(): readonly (readonly string[])[] {
    const rows = this.records().map(({ intentId, fate, receipt }) => [intentId, fate, receipt?.id ?? '']);
    return [...rows, ...[...this.refs].toSorted().map((ref) => ['ref', ref])];
  }

  #file(record: Mutable<MoneyRecord>): void {
    if (unresolvedOutcomes.has(record.fate)) return;
    if (failedOutcomes.has(record.fate)) this.#forget(record);
    else this.#happened(record);
    this.opened.delete(record.intentId);
    this.closed.set(record.intentId, record);
    if (this.closed.size <= CLOSED_MAX) return;
    const oldest = this.closed.keys().next().value;
    if (oldest !== undefined) this.closed.delete(oldest);
  }

  #shown(reason: string | null): void {
    for (const record of this.closed.values()) if (record.reason === SHOWN_AT_THE_END) record.reason = reason;
  }

  #refused(intentId: string): Mutable<MoneyRecord> | undefined {
    const record = this.closed.get(intentId);
    if (record?.fate !== 'refused') return undefined;
    this.#count(record, 1);
    this.#keepRef(record);
    return record;
  }

  #keepRef({ strategy, ref, request }: MoneyRecord): void {
    if (ref !== undefined && request.kind === 'transfer') this.refs.add(`${strategy}/${ref}`);
  }

  #forget(record: MoneyRecord): void {
    this.#count(record, -1);
    const { request, strategy, ref } = record;
    // An advertisement may have the same ref.
    if (ref !== undefined && request.kind === 'transfer') this.refs.delete(`${strategy}/${ref}`);
  }

  #happened({ request, strategy, ref, receipt }: MoneyRecord): void {
    if (request.kind === 'advertise' && ref !== undefined && typeof receipt?.id === 'string') {
      this.advertisements.set(`${strategy}/${ref}`, receipt.id);
      this.advertisers.set(receipt.id, strategy);
    }
    const flow = tradingFlowOf(request);
    if (flow === null) return;
    this.tradingEffects.set(flow.currency, this.tradingEffect(flow.currency).plus(flow.amount));
  }

  #count({ request, strategy, createdAt }: MoneyRecord, sign: 1 | -1): void {
    if (request.kind !== 'transfer' || !isDecimalText(request.amount)) return;
    const key = `${utcDay(createdAt)}/${strategy}/${request.currency}`;
    this.transfers.set(key, (this.transfers.get(key) ?? ZERO).plus(dec(request.amount).times(sign)));
  }
}
