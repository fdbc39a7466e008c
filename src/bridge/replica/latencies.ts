/** How long orders took, by stage, from the times of their rows. Session clock, ms. */
import type { JournalRow } from '../../model/entries/journal.ts';
import type { LatencyRow } from '../schemas/session.ts';
import { orderAnswerOf, type OrderAnswer } from './order-answer.ts';

const STAGES = ['intent to sending', 'sending to answer', 'sending to first fill'] as const;
type Stage = (typeof STAGES)[number];

/** Upper bounds in ms, about 1.6 times apart; the last one is open. */
const BOUNDS: readonly number[] = [
  0.1, 0.16, 0.25, 0.4, 0.63, 1, 1.6, 2.5, 4, 6.3, 10, 16, 25, 40, 63, 100, 160, 250, 400, 630, 1_000, 2_500, 10_000,
];
/** Newest samples that the quantiles are of. */
const SAMPLES_MAX = 2_000;
const OPEN_MAX = 5_000;

interface Open {
  intentAt: number;
  sendingAt: number;
  isAnswered: boolean;
  isFilled: boolean;
}

interface Histogram {
  readonly counts: number[];
  readonly samples: number[];
  count: number;
}

export class Latencies {
  readonly #open = new Map<string, Open>();
  readonly #of = new Map<Stage, Histogram>(
    STAGES.map((stage) => [stage, { counts: BOUNDS.map(() => 0).concat(0), samples: [], count: 0 }]),
  );

  row({ ts, entry }: JournalRow): void {
    const answer = orderAnswerOf(entry);
    if (answer !== null) this.#answered(answer, ts);
    switch (entry.kind) {
      case 'intent':
        if (entry.command === 'create') this.#begin(entry.intentId, ts);
        return;
      case 'sending': {
        const open = this.#open.get(entry.intentId);
        if (open === undefined) return;
        open.sendingAt = ts;
        this.#add('intent to sending', ts - open.intentAt);
        return;
      }
      case 'fill': {
        const open = this.#open.get(entry.intentId);
        if (open === undefined || open.isFilled) return;
        open.isFilled = true;
        this.#since(entry.intentId, 'sending to first fill', ts);
        return;
      }
      default:
    }
  }

  rows(): LatencyRow[] {
    return STAGES.map((stage) => {
      const { counts, samples, count } = this.#of.get(stage)!;
      const sorted = samples.toSorted((left, right) => left - right);
      const at = (part: number): number | null =>
        sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
      const buckets = BOUNDS.map((bound, index): [number, number] => [bound, counts[index]!]);
      return { stage, count, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? null, buckets };
    });
  }

  #begin(intentId: string, intentAt: number): void {
    this.#open.set(intentId, { intentAt, sendingAt: 0, isAnswered: false, isFilled: false });
    if (this.#open.size <= OPEN_MAX) return;
    const [oldest = intentId] = this.#open.keys();
    this.#open.delete(oldest);
  }

  #answered({ intentId, isTold }: OrderAnswer, ts: number): void {
    const open = this.#open.get(intentId);
    if (open === undefined || open.isAnswered) return;
    open.isAnswered = true;
    if (isTold) this.#since(intentId, 'sending to answer', ts);
  }

  #since(intentId: string, stage: Stage, ts: number): void {
    const sentAt = this.#open.get(intentId)?.sendingAt ?? 0;
    if (sentAt > 0) this.#add(stage, ts - sentAt);
  }

  #add(stage: Stage, ms: number): void {
    const histogram = this.#of.get(stage)!;
    const index = BOUNDS.findIndex((bound) => ms <= bound);
    histogram.counts[index === -1 ? BOUNDS.length : index]!++;
    histogram.count++;
    histogram.samples.push(ms);
    if (histogram.samples.length > SAMPLES_MAX) histogram.samples.shift();
  }
}
