/** Counts what the passes have healed, and which own trades the private stream failed to push. */
import type { Adjustment } from '../model/entries/journal.ts';
import type { Finding } from './finding.ts';
import type { ReconcilerPort } from './port.ts';

/** Longest delay of a pushed trade, ms. */
const PUSH_MS_MAX = 2_000;

export class Repairs {
  /** Over all passes. */
  count = 0;
  /** Own trades that a list showed first, from times at which the stream was ready. */
  missed = 0;
  readonly #port: Pick<ReconcilerPort, 'deps' | 'carryOut' | 'adjust'>;
  #readyAt: number | null = null;

  constructor(port: Pick<ReconcilerPort, 'deps' | 'carryOut' | 'adjust'>, isReady: boolean) {
    this.#port = port;
    this.heard(isReady);
  }

  heard(isReady: boolean): void {
    this.#readyAt = isReady ? this.#now() : null;
  }

  /** As `ReconcilerPort.carryOut`. */
  carryOut(finding: Finding): boolean {
    const isHealed = this.#port.carryOut(finding);
    if (!isHealed) return false;
    this.count++;
    if (finding.kind === 'fill' && this.#wasDue(finding.fill.ts)) this.missed++;
    return true;
  }

  adjust(adjustment: Adjustment): void {
    this.#port.adjust(adjustment);
    if (adjustment.cause !== 'opening') this.count++;
  }

  #wasDue(ts: number): boolean {
    return this.#readyAt !== null && ts > this.#readyAt && ts + PUSH_MS_MAX < this.#now();
  }

  /** Exchange clock, Unix ms. */
  #now(): number {
    const { clock, venue } = this.#port.deps;
    return clock.now() + (venue.clockOffsetMs?.() ?? 0);
  }
}
