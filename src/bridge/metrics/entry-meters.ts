/** Counts and times from committed journal rows: a replica like any other. */
import { isFeeCorrection } from '../../model/trading/fee-correction.ts';
import type { GateEntry, JournalEntry } from '../../model/entries/journal.ts';
import type { CommittedRows } from '../../session/upkeep/observed-journal.ts';
import { orderAnswerOf, type OrderAnswer } from '../replica/order-answer.ts';
import type { Meters } from './meters.ts';

/** Orders under way that are timed; beyond it the oldest is forgotten. */
const TIMED_MAX = 10_000;
const MS = 1_000;
const US = 1_000_000;

interface Timed {
  /** Unix ms. */
  readonly decidedAt: number;
  sentAt: number | null;
}

export class EntryMeters {
  readonly #meters: Meters;
  readonly #timed = new Map<string, Timed>();

  constructor(meters: Meters) {
    this.#meters = meters;
  }

  get timed(): number {
    return this.#timed.size;
  }

  rows(rows: CommittedRows): void {
    this.#meters.commit.observe((rows.endedUs - rows.startedUs) / US);
    this.#meters.journalSeq.set(rows.lastSeq);
    for (const entry of rows.entries) this.#entry(entry, rows);
  }

  #entry(entry: JournalEntry, rows: CommittedRows): void {
    const { denials, fills, alarms, gate } = this.#meters;
    const answer = orderAnswerOf(entry);
    if (answer !== null) this.#answered(answer, rows.ts);
    switch (entry.kind) {
      case 'intent':
        if (entry.command === 'create') this.#decided(entry.intentId, rows);
        return;
      case 'sending':
        this.#sent(entry.intentId, rows);
        return;
      case 'closed':
        this.#timed.delete(entry.intentId);
        if (entry.state === 'denied') this.#denied(entry.reason);
        return;
      case 'denial':
        denials.inc({ reason: entry.reason });
        return;
      case 'fill':
        if (!isFeeCorrection(entry.fill)) fills.inc();
        return;
      case 'alarm':
        alarms.inc({ code: entry.code });
        return;
      case 'gate':
        this.#gate(entry);
        return;
      case 'session':
        // A start knows nothing of its gates yet.
        if (entry.event === 'start') gate.reset();
        return;
      default:
    }
  }

  /** Its strategy withdrew it (`superseded`), or a rule denied it. */
  #denied(reason = ''): void {
    const isWithdrawn = reason === 'superseded';
    this.#meters.orders.inc({ outcome: isWithdrawn ? 'withdrawn' : 'denied' });
    if (!isWithdrawn) this.#meters.denials.inc({ reason });
  }

  #gate({ gate, symbol, state }: GateEntry): void {
    this.#meters.gate.set({ gate, symbol }, state === 'closed' ? 1 : 0);
  }

  #decided(intentId: string, { ts, startedUs }: CommittedRows): void {
    this.#meters.tickToOrder.observe({ stage: 'decide' }, Math.max(0, startedUs / US - ts / MS));
    this.#timed.set(intentId, { decidedAt: ts, sentAt: null });
    if (this.#timed.size > TIMED_MAX) this.#timed.delete(this.#timed.keys().next().value ?? '');
  }

  #sent(intentId: string, { ts, startedUs, endedUs }: CommittedRows): void {
    const timed = this.#timed.get(intentId);
    // Cancels, and orders of an earlier process.
    if (timed === undefined) return;
    timed.sentAt = ts;
    const { tickToOrder } = this.#meters;
    tickToOrder.observe({ stage: 'commit' }, (endedUs - startedUs) / US);
    tickToOrder.observe({ stage: 'durable' }, Math.max(0, endedUs / US - timed.decidedAt / MS));
  }

  #answered({ intentId, outcome, isTold, reason }: OrderAnswer, ts: number): void {
    const timed = this.#timed.get(intentId);
    if (timed === undefined) return;
    this.#timed.delete(intentId);
    const { orders, tickToOrder } = this.#meters;
    if (outcome === 'denied') this.#denied(reason);
    else orders.inc({ outcome: outcome === 'not-sent' ? 'not_sent' : outcome });
    if (isTold && timed.sentAt !== null) tickToOrder.observe({ stage: 'answer' }, Math.max(0, ts - timed.sentAt) / MS);
  }
}
