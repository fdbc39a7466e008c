/**
 * Opens after a complete pass once the stream is ready. Closes when the stream is lost, a difference is found,
 * something was not compared, or no pass has been complete for a while.
 */
import type { Gate, GateClosure } from '../model/ports.ts';

/** ms. */
const FAILING_MS = 60_000;
const FAILURES_NAMED = 3;

export class ReconcileGate implements Gate {
  readonly name = 'reconcile';
  /** Symbol → reason. */
  readonly mismatches = new Map<string, string>();
  /** Symbols with fills that no snapshot has confirmed. */
  readonly unproved = new Set<string>();
  /** Held position without confirmation since the start → symbol. */
  readonly unconfirmed = new Map<string, string>();
  /** Name not compared, or without a journalled opening → its symbols. */
  readonly uncompared = new Map<string, ReadonlySet<string>>();
  /** Uncompared name → Unix ms until which its opening waits, because of external trades. */
  readonly waitsTo = new Map<string, number>();
  /** Why the account cannot be compared yet. */
  waitsFor: string | undefined = undefined;
  /** How often the private stream was lost after it had been ready. */
  losses = 0;
  #reconciled = false;
  /** Unix ms; null: the last pass was whole. */
  #failingFrom: number | null = null;
  #failing: string | undefined = undefined;
  #streamLost: string | undefined = 'it has not been ready yet';

  get open(): boolean {
    return this.#reconciled && this.#streamLost === undefined;
  }

  complete(): void {
    this.#reconciled = true;
  }

  /** While no pass is whole the account could differ unseen. Returns the text of the alarm, once. */
  passed(failures: readonly string[], now: number): string | undefined {
    if (failures.length === 0) {
      this.#failingFrom = null;
      this.#failing = undefined;
      return undefined;
    }
    this.#failingFrom ??= now;
    if (now - this.#failingFrom < FAILING_MS || this.#failing !== undefined) return undefined;
    const what = failures.slice(0, FAILURES_NAMED).join('; ');
    const since = new Date(this.#failingFrom).toISOString();
    return (this.#failing = `the account could not be compared with the exchange since ${since}: ${what}`);
  }

  streamLost(reason: string): void {
    if (this.#streamLost === undefined) this.losses++;
    this.#streamLost = reason;
    this.#reconciled = false;
  }

  streamReady(): void {
    this.#streamLost = undefined;
    this.#reconciled = false;
  }

  closedBecause(symbol: string): GateClosure | null {
    if (this.#streamLost !== undefined)
      return { reason: 'stream_down', message: `the private stream is down: ${this.#streamLost}` };
    if (this.#failing !== undefined) return notReconciled(this.#failing);
    if (!this.#reconciled) return notReconciled('orders, trades and balances are not compared with the exchange yet');
    for (const [name, symbols] of this.uncompared) if (symbols.has(symbol)) return this.#uncompared(name);
    const mismatch = this.mismatches.get(symbol);
    if (mismatch !== undefined) return { reason: 'position_mismatch', message: mismatch };
    if (this.unproved.has(symbol))
      return notReconciled(
        `no snapshot confirms yet that the account moved as the first fills of ${symbol} were booked`,
      );
    for (const [name, one] of this.unconfirmed)
      if (one === symbol)
        return notReconciled(
          `the journal has a position of ${name}, which the exchange has not confirmed since the start`,
        );
    return null;
  }

  #uncompared(name: string): GateClosure {
    const waits = this.waitsTo.get(name);
    const until =
      waits === undefined
        ? ''
        : `: external trades happened, so its opening waits until ${new Date(waits).toISOString()}`;
    const because =
      this.waitsFor === undefined ? '' : `, because ${this.waitsFor}: \`tidewire plan\` shows what ends it`;
    return notReconciled(`the ${name} was not compared with the journal since the start${until}${because}`);
  }
}

function notReconciled(message: string): GateClosure {
  return { reason: 'not_reconciled', message };
}
