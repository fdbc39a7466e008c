/**
 * The chain of a movement of money from a journal: each attempt of its ref with decision, intent, sending, outcome and
 * resolution, and the denials of the ref. By the restart's replay. Pure.
 */
import type { JournalRow } from '../../model/entries/journal.ts';
import type { MoneyIntentEntry } from '../../model/entries/money-entries.ts';
import type { MoneyRequest } from '../../model/funds/money-commands.ts';
import type { MoneyOutcomeState, MoneyRecord } from '../../spine/money/state.ts';
import { Replay } from '../../spine/replay.ts';
import { entryText } from './entry-text.ts';
import type { Step } from './order-chain.ts';

export type MovementStepKind =
  | 'decision'
  | 'intent'
  | 'sending'
  | 'answer'
  | 'resolved'
  | 'denial'
  | 'alarm'
  | 'process';

export type MovementStep = Omit<Step, 'kind'> & { readonly kind: MovementStepKind };

export interface MovementChain {
  /** Of the newest attempt, as all that follows. */
  readonly intentId: string;
  /** Empty: a human's command. */
  readonly strategy: string;
  readonly ref: string | null;
  readonly request: MoneyRequest;
  readonly state: MoneyOutcomeState;
  readonly receiptId: string | null;
  /** Of a state other than accepted. */
  readonly reason: string | null;
  /** Unix ms of the first and the last step. */
  readonly decidedAt: number;
  readonly lastAt: number;
  readonly steps: readonly MovementStep[];
}

/** Actions of strategies that move money without an order. */
export const moneyActions: ReadonlySet<unknown> = new Set(['transfer', 'advertise', 'p2pTrade']);

/** Undefined without an intent of these. `intentIds`: of one ref, oldest first. */
export function movementChain(rows: Iterable<JournalRow>, intentIds: readonly string[]): MovementChain | undefined {
  const reader = new MovementReader(intentIds);
  for (const row of rows) reader.row(row);
  return reader.chain();
}

class MovementReader {
  readonly #intentIds: ReadonlySet<string>;
  readonly #replay = new Replay();
  /** The newest decision by strategy and ref. */
  readonly #decided = new Map<string, JournalRow>();
  readonly #kept: { readonly kind: MovementStepKind; readonly row: JournalRow }[] = [];
  #intent: MoneyIntentEntry | undefined;
  #record: MoneyRecord | undefined;

  constructor(intentIds: readonly string[]) {
    this.#intentIds = new Set(intentIds);
  }

  row(row: JournalRow): void {
    const { entry } = row;
    if (entry.kind === 'decision') this.#decision(row, entry.strategy, entry.action);
    else if (entry.kind === 'money-intent' && this.#intentIds.has(entry.intentId)) this.#begin(row, entry);
    else if (this.#intent !== undefined) this.#follow(row, this.#intent);
    this.#replay.row(row);
    const { money } = this.#replay.state;
    if (this.#intent !== undefined) this.#record = money.find(this.#intent.intentId) ?? this.#record;
  }

  chain(): MovementChain | undefined {
    const [intent, record] = [this.#intent, this.#record];
    if (intent === undefined || record === undefined) return undefined;
    const steps = this.#kept.map(({ kind, row }, index) => ({
      kind,
      seq: row.seq,
      ts: row.ts,
      afterMs: row.ts - (this.#kept[index - 1]?.row.ts ?? row.ts),
      text: entryText(row.entry),
      row,
    }));
    return {
      intentId: intent.intentId,
      strategy: intent.strategy,
      ref: intent.ref ?? null,
      request: intent.request,
      state: record.fate,
      receiptId: record.receipt?.id ?? null,
      reason: record.fate === 'accepted' ? null : record.reason,
      decidedAt: steps[0]?.ts ?? record.createdAt,
      lastAt: steps.at(-1)?.ts ?? record.createdAt,
      steps,
    };
  }

  #decision(row: JournalRow, strategy: string, action: unknown): void {
    if (action === null || typeof action !== 'object' || !moneyActions.has(Reflect.get(action, 'kind'))) return;
    const ref: unknown = Reflect.get(action, 'ref');
    this.#decided.set(keyOf(strategy, typeof ref === 'string' ? ref : undefined), row);
  }

  #begin(row: JournalRow, entry: MoneyIntentEntry): void {
    const key = keyOf(entry.strategy, entry.ref);
    const decision = this.#decided.get(key);
    if (decision !== undefined) this.#keep('decision', decision);
    this.#decided.delete(key);
    this.#intent = entry;
    this.#keep('intent', row);
  }

  #follow(row: JournalRow, { strategy, ref }: MoneyIntentEntry): void {
    const { entry } = row;
    switch (entry.kind) {
      case 'money-sending':
        if (this.#intentIds.has(entry.intentId)) this.#keep('sending', row);
        return;
      case 'money-outcome':
        if (this.#intentIds.has(entry.intentId)) this.#keep('answer', row);
        return;
      case 'money-resolved':
        if (this.#intentIds.has(entry.intentId)) this.#keep('resolved', row);
        return;
      case 'denial':
        if (isMoneyDenial(entry) && entry.strategy === strategy && entry.ref === ref) this.#keep('denial', row);
        return;
      case 'alarm':
        if (entry.message.split(/[\s,;:()]+/u).some((word) => this.#intentIds.has(word))) this.#keep('alarm', row);
        return;
      case 'session':
        if (this.#record?.endedAt === 0 || this.#record?.fate === 'unknown') this.#keep('process', row);
        return;
      default:
    }
  }

  #keep(kind: MovementStepKind, row: JournalRow): void {
    this.#kept.push({ kind, row });
  }
}

/** Of an action that names a ref. */
export function isMoneyDenial({ action, ref }: { readonly action: string; readonly ref?: string }): boolean {
  return moneyActions.has(action) && ref !== undefined;
}

function keyOf(strategy: string, ref: string | undefined): string {
  return `${strategy} ${ref ?? ''}`;
}
