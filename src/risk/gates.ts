/**
 * The gates before every send. Cancels never ask. Exits (`exits.ts`) pass all but two: a broken journal, because a send
 * could be doubled, and a spot halt, because the position is in doubt.
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

  /** `exits`: the market of an exit, else null. */
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

  /** Journals changes since the last call, for all symbols and for each of these. */
  look(symbols: readonly string[]): void {
    for (const gate of this.#gates) this.#log.look(gate, symbols);
  }
}
