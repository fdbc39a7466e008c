/**
 * The metrics of one session. Commits are only kept when they happen; they are counted when somebody asks, or once a
 * second. However often it is asked, the text is made once a second at most.
 */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Clock } from '../../model/ports.ts';
import type { ReconcileReport } from '../../reconciler/reconciler.ts';
import type { CommittedRows, SessionObserver } from '../../session/upkeep/observed-journal.ts';
import type { SessionSnapshot } from '../../session/view/snapshot.ts';
import { EntryMeters } from './entry-meters.ts';
import { setFigures, type Counts } from './figure-meters.ts';
import { createMeters, type Meters } from './meters.ts';

const FRESH_MS = 1_000;
/** Commits that may wait to be counted; each beyond it is counted at once. */
const KEPT_MAX = 4_096;

export type MetricRows = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What is asked at most once a second. */
export interface MetricFigures {
  readonly snapshot: () => SessionSnapshot;
  readonly counts: () => Counts;
}

export class SessionMetrics implements SessionObserver {
  static readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #clock: Pick<Clock, 'now'>;
  readonly #meters: Meters;
  readonly #entries: EntryMeters;
  #kept: CommittedRows[] = [];
  #figures: MetricFigures | null = null;
  #text: Promise<string> | null = null;
  #madeAt = Number.NEGATIVE_INFINITY;

  /** @param labels of every series */
  constructor(clock: Pick<Clock, 'now'>, labels: Readonly<Record<string, string>>) {
    this.#clock = clock;
    this.#meters = createMeters(labels);
    this.#entries = new EntryMeters(this.#meters);
  }

  committed(rows: CommittedRows): void {
    this.#kept.push(rows);
    if (this.#kept.length >= KEPT_MAX) this.count();
  }

  passed({ complete, healed }: ReconcileReport): void {
    const result = !complete ? 'incomplete' : healed === 0 ? 'agreed' : 'healed';
    this.#meters.passes.inc({ result });
  }

  /** From here on the gauges have values. */
  show(figures: MetricFigures): void {
    this.#figures = figures;
  }

  /** Counts what was kept. */
  count(): void {
    const rows = this.#kept;
    this.#kept = [];
    for (const row of rows) this.#entries.rows(row);
  }

  /** Prometheus text, at most a second old. */
  text(): Promise<string> {
    const now = this.#clock.now();
    if (this.#text === null || now - this.#madeAt >= FRESH_MS) {
      this.#madeAt = now;
      this.#collect();
      this.#text = this.#meters.registry.metrics();
    }
    return this.#text;
  }

  rows(): Promise<MetricRows> {
    this.#collect();
    return this.#meters.registry.getMetricsAsJSON();
  }

  #collect(): void {
    this.count();
    if (this.#figures !== null) setFigures(this.#meters, this.#figures.snapshot(), this.#figures.counts());
  }
}
