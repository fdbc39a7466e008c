/**
 * The gates in front of every send. Cancels never ask; exits (`exits.ts`) pass all of them but two: a broken journal, since
 * without a row a send could be doubled, and in spot a halt: where fills contradict their orders nobody here knows what would
 * reduce. Of a perpetual the exchange does. What closes and opens is written to the log of gates (`gate-log.ts`).
 */
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Market } from '../model/instrument.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import { GateLog, type PutGate } from './gate-log.ts';

function holdsExits({ reason }: GateClosure, market: Market): boolean {
  return reason === 'journal_failed' || (reason === 'overfilled' && market === 'spot');
}

export class Gates {
  readonly #gates: Gate[];

  readonly #log: GateLog;

  constructor(gates: readonly Gate[], put: PutGate) {
    this.#gates = [...gates];
    this.#log = new GateLog(put);
  }

  add(gate: Gate): void {
    this.#gates.push(gate);
  }

  /** `exits`: whether an exit asks, in which market. */
  denial(symbol: string, exits: Market | null): Denied | null {
    for (const gate of this.#gates) {
      const closure = gate.closedBecause(symbol);
      if (closure === null) this.#log.opened(gate.name, symbol);
      else this.#log.closed(gate.name, symbol, closure);
      if (closure === null || (exits !== null && !holdsExits(closure, exits))) continue;
      return denied(closure.reason, `${symbol}: ${closure.message}`);
    }
    return null;
  }

  /** Journals what has changed since the last look, for all symbols and for each of these. */
  look(symbols: readonly string[]): void {
    for (const gate of this.#gates) this.#log.look(gate, symbols);
  }
}
