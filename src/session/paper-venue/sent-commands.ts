/** Creates and cancels that may have left, in order. */
import type { CancelIntentEntry, CreateIntentEntry, JournalRow, OutcomeEntry } from '../../model/entries/journal.ts';
import type { OrderRequest } from '../../model/trading/order.ts';
import type { LatencyPair } from '../../simulation/options.ts';

interface Sent {
  readonly intentId: string;
  /** Unix ms, session clock. */
  readonly sentMs: number;
  /** Null without an answer. */
  readonly answeredMs: number | null;
  /** Arrival by the exchange's time, whole ms. */
  readonly stampMs: number | null;
}

export interface SentCreate extends Sent {
  readonly kind: 'create';
  readonly order: OrderRequest;
  readonly ref: string;
  readonly strategy: string;
}

export interface SentCancel extends Sent {
  readonly kind: 'cancel';
  /** Intent ids. */
  readonly targets: readonly string[];
}

export type SentCommand = SentCreate | SentCancel;

type Intent = CreateIntentEntry | CancelIntentEntry;

interface Told {
  readonly ms: number;
  readonly outcome: OutcomeEntry['outcome'];
}

export function sentCommands(rows: Iterable<JournalRow>): readonly SentCommand[] {
  const intents = new Map<string, Intent>();
  const sent = new Map<string, number>();
  const told = new Map<string, Told>();
  for (const { ts, entry } of rows) {
    if (entry.kind === 'intent') intents.set(entry.intentId, entry);
    else if (entry.kind === 'sending') sent.set(entry.intentId, ts);
    else if (entry.kind === 'outcome') told.set(entry.intentId, { ms: ts, outcome: entry.outcome });
  }
  return [...sent].flatMap(([intentId, sentMs]) => {
    const intent = intents.get(intentId);
    const answer = told.get(intentId);
    if (intent === undefined || neverLeft(answer)) return [];
    return [commandOf(intent, sentMs, answer)];
  });
}

function neverLeft(answer: Told | undefined): boolean {
  return answer?.outcome.kind === 'denied' || answer?.outcome.kind === 'not-sent';
}

function commandOf(intent: Intent, sentMs: number, answer: Told | undefined): SentCommand {
  const { intentId } = intent;
  const outcome = answer?.outcome;
  // An unknown outcome was concluded, so its time says nothing about latency.
  const isAnswered = outcome?.kind === 'accepted' || outcome?.kind === 'refused';
  const answeredMs = isAnswered ? (answer?.ms ?? null) : null;
  const report = outcome?.kind === 'accepted' ? outcome.order : undefined;
  if (intent.command === 'cancel') {
    return {
      kind: 'cancel',
      intentId,
      sentMs,
      answeredMs,
      stampMs: report?.updatedAt ?? null,
      targets: intent.targets,
    };
  }
  const { order, ref, strategy } = intent;
  return { kind: 'create', intentId, sentMs, answeredMs, stampMs: report?.createdAt ?? null, order, ref, strategy };
}

/** Ms: by the stamp, within 0 and the answer; else half the round trip. */
export function entryMsOf({ sentMs, answeredMs, stampMs }: SentCommand): number | null {
  if (answeredMs === null) return null;
  const roundTripMs = Math.max(0, answeredMs - sentMs);
  if (stampMs === null) return roundTripMs / 2;
  return Math.min(roundTripMs, Math.max(0, stampMs - sentMs));
}

export function latencyPairs(commands: readonly SentCommand[]): readonly LatencyPair[] {
  return commands
    .flatMap((command) => {
      const entryMs = command.kind === 'create' ? entryMsOf(command) : null;
      if (entryMs === null || command.answeredMs === null) return [];
      const { sentMs, answeredMs } = command;
      return [{ ts: sentMs, entryMs, responseMs: Math.max(0, answeredMs - sentMs - entryMs) }];
    })
    .toSorted((left, right) => left.ts - right.ts);
}
