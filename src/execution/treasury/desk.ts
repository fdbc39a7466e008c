/**
 * The only way to the treasury: intent row, `treasury.send`, and in `onDispatch`, synchronously before the bytes leave,
 * the gates and the SENDING row, durable. At most one send per intent; a movement with the content of one that is
 * unresolved is denied, since that one may have happened. Used by the money commands (`session/money.ts`) and by the
 * treasury desk of the executor.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { MoneyBaseline, MoneyReceipt } from '../../model/money-entries.ts';
import type { Clock, Lane } from '../../model/ports.ts';
import type { MoneyOutcome, Reading } from '../../model/result.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets, Treasury } from '../../model/treasury.ts';
import type { JournalWriter } from '../journal-writer.ts';
import { canonicalRequest, fingerprintOf, receiptOf, secretHashOf } from './content.ts';
import type { MoneyEvidence, MoneyVerdict } from './evidence.ts';
import { isFuturesOrder, type MoneyRecord, type MoneyState } from './state.ts';
import { judge, readsOf } from './verdict.ts';

export interface MoneyDeskDeps {
  readonly treasury: Treasury;
  readonly writer: JournalWriter;
  readonly state: () => MoneyState;
  readonly clock: Clock;
  /** The wall clock of the machine, Unix ms, which goes on while the machine sleeps; absent where nothing sleeps. */
  readonly wall?: (() => number) | undefined;
  /** Unique per process start; begins every intent id. */
  readonly bootId: string;
  /** Asked just before the bytes leave. */
  readonly gate: (record: MoneyRecord) => Denied | null;
  /** How long an intent may wait in queues before it is dropped instead of sent. */
  readonly intentTtlMs: number;
  /** Validity of a signed request at the exchange and a margin. */
  readonly fenceMs: number;
  readonly clockSlackMs: number;
  /** How far the venue's lists of orders may lag, and whether it keeps our client order ids. */
  readonly historyLagMs: number;
  readonly clientOrderIds: boolean;
  /** Runs everything inside as one piece: one commit. */
  readonly turn: (work: () => void) => void;
  /** The fate of a movement is known now: by its answer, by readings, by a human. */
  readonly onEnd?: (record: MoneyRecord) => void;
}

export interface Movement<K extends MoneyKind = MoneyKind> {
  readonly request: MoneyRequest & { readonly kind: K };
  readonly secrets?: MoneySecrets;
  /** Empty for a human's command. */
  readonly strategy: string;
  readonly ref?: string;
  readonly lane: Lane;
  /** Also when the same is unresolved; heeded where both together do no more than one. */
  readonly again?: boolean;
  readonly before: MoneyBaseline | null;
}

export interface Resolution {
  readonly record: MoneyRecord;
  readonly verdict: MoneyVerdict;
}

export type Sent =
  | { readonly kind: 'sent'; readonly record: MoneyRecord }
  | { readonly kind: 'denied'; readonly denied: Denied };

type OnOutcome = (outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>) => void;

/** Codes stand in these requests or answers, so what an exchange says about a failure may repeat one. */
const secretive: ReadonlySet<MoneyKind> = new Set<MoneyKind>(['codeCreate', 'codeRedeem']);

/** The part of an outcome that may be written down. */
function journalled(kind: MoneyKind, outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>): MoneyOutcome<MoneyReceipt> {
  if (outcome.kind === 'accepted') return { kind: 'accepted', value: receiptOf(kind, outcome.value) };
  if (!secretive.has(kind)) return outcome;
  if (outcome.kind === 'refused') return { ...outcome, message: 'withheld: it may repeat the code' };
  if (outcome.kind === 'unknown') return { kind: 'unknown', reason: 'withheld: it may repeat the code' };
  return outcome;
}

/** A position is closed once, however often it is asked for: the venue closes no more than there is. */
export function isHarmlessTwice(request: MoneyRequest): boolean {
  return request.kind === 'futuresClose' && request.quantity === undefined;
}

/** Takes an offer back: may be sent whatever else is forbidden. */
export function isRetreat({ kind }: MoneyRequest): boolean {
  return kind === 'deactivateAdvertisement' || kind === 'deleteAdvertisement' || kind === 'cancelTrade';
}

export class MoneyDesk {
  readonly #deps: MoneyDeskDeps;
  readonly #waiting = new Map<string, OnOutcome>();

  constructor(deps: MoneyDeskDeps) {
    this.#deps = deps;
  }

  /**
   * Hands the movement to the treasury, or says why not. `done` gets the outcome exactly once, never inside this call;
   * what the answer holds beyond its receipt is told to `done` alone.
   */
  send<K extends MoneyKind>(movement: Movement<K>, done: (outcome: MoneyOutcome<MoneyAnswers[K]>) => void): Sent {
    const { treasury, writer, clock, wall, bootId } = this.#deps;
    const state = this.#deps.state();
    const { secrets = {}, strategy, ref, lane, again, before } = movement;
    const request = canonicalRequest(movement.request);
    const secretHash = secretHashOf(secrets);
    const other = state.blocking(fingerprintOf(request, secretHash));
    if (other !== undefined && !(again === true && isHarmlessTwice(request))) {
      const message = `${request.kind} ${other.intentId} is ${other.fate} and would be doubled`;
      return { kind: 'denied', denied: denied('unresolved_money', message) };
    }
    const intentId = `${bootId}-m${state.count + 1}`;
    const entry = {
      kind: 'money-intent',
      intentId,
      strategy,
      ...(ref === undefined ? {} : { ref }),
      request,
      ...(secretHash === undefined ? {} : { secretHash }),
      before,
    } as const;
    writer.put(entry);
    const record = state.open(entry, clock.now());
    // What the treasury answers is of the kind that it was asked for.
    this.#waiting.set(intentId, done as OnOutcome);
    const sinceWall = wall?.();
    treasury.send({ intentId, lane, request, secrets }, () => this.#release(record, sinceWall));
    return { kind: 'sent', record };
  }

  /** True when the intent was known here. */
  outcome(intentId: string, outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>): boolean {
    const { writer } = this.#deps;
    const state = this.#deps.state();
    const record = state.find(intentId);
    if (record === undefined) return false;
    const told = journalled(record.request.kind, outcome);
    if (!state.outcome(intentId, told)) return false;
    writer.put({ kind: 'money-outcome', intentId, outcome: told });
    const done = this.#waiting.get(intentId);
    this.#waiting.delete(intentId);
    done?.(outcome);
    this.#deps.onEnd?.(record);
    return true;
  }

  /** Looks at the venue for everything that is unknown and writes down what is proved. Rejects never. */
  async resolve(): Promise<readonly Resolution[]> {
    const { clockSlackMs, fenceMs, historyLagMs, clientOrderIds } = this.#deps;
    const unknown = this.#deps
      .state()
      .unresolved()
      .filter(({ fate }) => fate === 'unknown');
    if (unknown.length === 0) return [];
    const evidence = await this.#read(unknown);
    const resolutions: Resolution[] = [];
    this.#deps.turn(() => {
      for (const record of unknown) {
        // Somebody else may have settled it meanwhile; each conclusion claims what it was drawn from.
        if (this.#deps.state().find(record.intentId)?.fate !== 'unknown') continue;
        const claimed = this.#deps.state().claimed(isFuturesOrder(record.request));
        const verdict = judge(record, evidence, { fenceMs, clockSlackMs, historyLagMs, clientOrderIds, claimed });
        if (verdict.kind !== 'open') this.#conclude(record, verdict, 'readings', verdict.why);
        resolutions.push({ record, verdict });
      }
    });
    return resolutions;
  }

  /** A human looked and decides. False when there is no such unknown movement. */
  decide(intentId: string, verdict: 'happened' | 'absent', reason: string): boolean {
    const record = this.#deps.state().find(intentId);
    if (record?.fate !== 'unknown') return false;
    const receipt = { id: null, status: null };
    this.#deps.turn(() => {
      this.#conclude(record, verdict === 'happened' ? { kind: verdict, receipt } : { kind: verdict }, 'human', reason);
    });
    return true;
  }

  /** The session's clock stands still while the machine sleeps, and its wall clock may be set: the longer wait counts. */
  #release(record: MoneyRecord, sinceWall: number | undefined): 'go' | Denied {
    const { writer, clock, wall, gate, intentTtlMs } = this.#deps;
    const { intentId, createdAt, fate, request } = record;
    if (fate !== 'pending')
      return denied('unresolved_money', `${request.kind} ${intentId} has been handed over already`);
    const slept = wall === undefined || sinceWall === undefined ? 0 : wall() - sinceWall;
    const ageMs = Math.max(clock.now() - createdAt, slept);
    if (ageMs > intentTtlMs)
      return denied(
        'expired',
        `${request.kind} ${intentId} waited ${Math.round(ageMs)} ms, longer than ${intentTtlMs} ms`,
      );
    const stopped = gate(record);
    if (stopped !== null) return stopped;
    // What only takes back is told by an alarm when it cannot be journalled; it is never held back.
    if (!writer.commit({ kind: 'money-sending', intentId }) && !isRetreat(request))
      return denied('journal_failed', writer.failure?.message ?? 'the journal cannot be written');
    this.#deps.state().sending(intentId, clock.now());
    return 'go';
  }

  #conclude(
    record: MoneyRecord,
    verdict: { readonly kind: 'happened'; readonly receipt: MoneyReceipt } | { readonly kind: 'absent' },
    by: 'readings' | 'human',
    evidence: string,
  ): void {
    const { intentId } = record;
    const receipt = verdict.kind === 'happened' ? verdict.receipt : { id: null, status: null };
    if (!this.#deps.state().resolved(intentId, verdict.kind, receipt)) return;
    this.#deps.writer.put({ kind: 'money-resolved', intentId, verdict: verdict.kind, receipt, by, evidence });
    this.#deps.onEnd?.(record);
  }

  async #read(records: readonly MoneyRecord[]): Promise<MoneyEvidence> {
    const { query } = this.#deps.treasury;
    const { names, from } = readsOf(records, this.#deps.clockSlackMs);
    const unread: Reading<never> = { kind: 'failed', asOf: this.#deps.clock.now(), reason: 'not asked for' };
    const [balances, positions, codes, advertisements, trades] = await Promise.all([
      names.has('balances') ? query.balances() : unread,
      names.has('positions') ? query.positions() : unread,
      names.has('codes') ? query.codes() : unread,
      names.has('advertisements') ? query.advertisements() : unread,
      names.has('trades') ? query.trades() : unread,
    ]);
    // After the balances and positions: what they show must be explained by the lists, not the other way round.
    const transactions = names.has('transactions') ? await query.transactions(from) : unread;
    const fills = names.has('fills') ? await query.futuresTrades(from) : unread;
    const orders = names.has('orders') ? await query.futuresOrders(from) : unread;
    return { balances, transactions, codes, advertisements, trades, orders, fills, positions };
  }
}
