/**
 * Opened by a complete pass after the stream is ready; closed by a lost stream, a difference or anything not compared.
 */
import type { Gate, GateClosure } from '../model/ports.ts';

export class ReconcileGate implements Gate {
  readonly name = 'reconcile';
  /** Symbol → reason. */
  readonly mismatches = new Map<string, string>();
  /** Symbols with fills that no snapshot has confirmed. */
  readonly unproved = new Set<string>();
  /** Held position, unconfirmed since the start → symbol. */
  readonly unconfirmed = new Map<string, string>();
  /** Not compared, or without a journalled opening → its symbols. */
  readonly uncompared = new Map<string, ReadonlySet<string>>();
  /** Of those: Unix ms until which its opening waits, as others traded. */
  readonly waitsTo = new Map<string, number>();
  #reconciled = false;
  #streamLost: string | undefined = 'it has not been ready yet';

  get open(): boolean {
    return this.#reconciled && this.#streamLost === undefined;
  }

  complete(): void {
    this.#reconciled = true;
  }

  streamLost(reason: string): void {
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
    if (!this.#reconciled)
      return {
        reason: 'not_reconciled',
        message: 'orders, trades and balances are not compared with the exchange yet',
      };
    for (const [name, symbols] of this.uncompared)
      if (symbols.has(symbol)) return { reason: 'not_reconciled', message: this.#uncomparedText(name) };
    const mismatch = this.mismatches.get(symbol);
    if (mismatch !== undefined) return { reason: 'position_mismatch', message: mismatch };
    if (this.unproved.has(symbol))
      return {
        reason: 'not_reconciled',
        message: `the account is still to show that it moved as the first fills of ${symbol} were booked`,
      };
    for (const [name, one] of this.unconfirmed)
      if (one === symbol)
        return {
          reason: 'not_reconciled',
          message: `the position of ${name} is held by the journal, and the exchange has not confirmed it since the start`,
        };
    return null;
  }

  #uncomparedText(name: string): string {
    const waits = this.waitsTo.get(name);
    const until =
      waits === undefined ? '' : `: others traded, so its opening waits until ${new Date(waits).toISOString()}`;
    return `the ${name} was not compared with the journal since the start${until}`;
  }
}
