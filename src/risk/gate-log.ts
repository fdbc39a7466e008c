/**
 * Journals when each gate is first seen closed and open again. A closure for all symbols (symbol '') gets one row.
 * Bounded by gates × symbols.
 */
import type { GateEntry } from '../model/journal.ts';
import type { Gate, GateClosure } from '../model/ports.ts';

export type PutGate = (entry: GateEntry) => void;

export class GateLog {
  readonly #put: PutGate;
  /** Gate → symbol ('': all) → journalled reason. */
  readonly #known = new Map<string, Map<string, GateClosure['reason']>>();
  /** Fast path while all gates are open. */
  #closedCount = 0;

  constructor(put: PutGate) {
    this.#put = put;
  }

  closed(gate: string, symbol: string, { reason, message }: GateClosure): void {
    const known = this.#of(gate);
    if (known.get('') === reason || known.get(symbol) === reason) return;
    if (!known.has(symbol)) this.#closedCount++;
    known.set(symbol, reason);
    this.#put({ kind: 'gate', gate, symbol, state: 'closed', reason, message });
  }

  /** So it is closed neither for this symbol nor for all. */
  opened(gate: string, symbol: string): void {
    if (this.#closedCount === 0) return;
    this.#open(gate, '');
    this.#open(gate, symbol);
  }

  look(gate: Gate, symbols: readonly string[]): void {
    this.#see(gate.name, '', gate.closedBecause(''));
    for (const symbol of symbols) this.#see(gate.name, symbol, gate.closedBecause(symbol));
  }

  #see(gate: string, symbol: string, closure: GateClosure | null): void {
    if (closure === null) this.#open(gate, symbol);
    else this.closed(gate, symbol, closure);
  }

  #open(gate: string, symbol: string): void {
    if (!this.#of(gate).delete(symbol)) return;
    this.#closedCount--;
    this.#put({ kind: 'gate', gate, symbol, state: 'open', reason: null, message: 'seen open again' });
  }

  #of(gate: string): Map<string, GateClosure['reason']> {
    let known = this.#known.get(gate);
    if (known === undefined) this.#known.set(gate, (known = new Map()));
    return known;
  }
}
