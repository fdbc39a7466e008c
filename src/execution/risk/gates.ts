/**
 * The gates in front of every send. Cancels never ask; orders that only reduce pass all of them but a broken journal,
 * since without a row a send could be doubled.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { Gate } from '../../model/ports.ts';

export class Gates {
  readonly #gates: Gate[];

  constructor(gates: readonly Gate[]) {
    this.#gates = [...gates];
  }

  add(gate: Gate): void {
    this.#gates.push(gate);
  }

  denial(symbol: string, reduceOnly: boolean): Denied | null {
    for (const gate of this.#gates) {
      const closure = gate.closedBecause(symbol);
      if (closure === null || (reduceOnly && closure.reason !== 'journal_failed')) continue;
      return denied(closure.reason, `${symbol}: ${closure.message}`);
    }
    return null;
  }
}
