/**
 * How the send of an order ended, by the first entry that shows it. An answer of the exchange that adds nothing is not
 * journalled: if the private stream was faster, its report or fill is the first evidence.
 */
import type { JournalEntry } from '../../model/entries/journal.ts';
import type { Outcome } from '../../model/result.ts';

export interface OrderAnswer {
  readonly intentId: string;
  readonly outcome: Outcome['kind'];
  /** The exchange reported it by itself, so its time is a latency. */
  readonly isTold: boolean;
  /** Of a denied one. */
  readonly reason?: string;
}

/** Null: the entry says nothing of it. */
export function orderAnswerOf(entry: JournalEntry): OrderAnswer | null {
  switch (entry.kind) {
    case 'outcome': {
      const { intentId, outcome } = entry;
      const isTold = outcome.kind === 'accepted' || outcome.kind === 'refused';
      const denied = outcome.kind === 'denied' ? { reason: outcome.denied.reason } : {};
      return { intentId, outcome: outcome.kind, isTold, ...denied };
    }
    case 'order': {
      const { intentId, report, source } = entry;
      const outcome = report.status === 'rejected' ? 'refused' : 'accepted';
      return { intentId, outcome, isTold: source === 'stream' };
    }
    case 'fill':
      return { intentId: entry.intentId, outcome: 'accepted', isTold: entry.source === 'stream' };
    default:
      return null;
  }
}
