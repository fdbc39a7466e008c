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
  readonly #port: ReconcilerPort;
  /** Exchange clock, Unix ms; `Infinity`: the stream is not ready. */
  #readyAt = Number.POSITIVE_INFINITY;

  constructor(port: ReconcilerPort) {
    this.#port = port;
    this.heard(port.state.heard.streamReady);
  }

  heard(isReady: boolean): void {
    this.#readyAt = isReady ? this.#now() : Number.POSITIVE_INFINITY;
  }

  /** As `ReconcilerPort.carryOut`. */
  carryOut(finding: Finding): boolean {
    if (!this.#port.carryOut(finding)) return false;
    this.count++;
    if (finding.kind !== 'fill') return true;
    const { ts } = finding.fill;
    if (ts > this.#readyAt && ts + PUSH_MS_MAX < this.#now()) this.missed++;
    return true;
  }

  adjust(adjustment: Adjustment): void {
    this.#port.adjust(adjustment);
    if (adjustment.cause !== 'opening') this.count++;
  }

  /** Exchange clock, Unix ms. */
  #now(): number {
    const { clock, venue } = this.#port.deps;
    return clock.now() + (venue.clockOffsetMs?.() ?? 0);
  }
}
