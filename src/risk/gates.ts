/**
 * The gates before every send. Cancels pass all. Exits (`exits.ts`) pass all but two: a broken journal, because a send
 * could be doubled, and a spot halt, because the position is in doubt.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { Market } from '../model/market/instrument.ts';
import type { ContradictedEntry, GateEntry } from '../model/entries/journal.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import type { StateView } from '../spine/trading-state.ts';

export type PutGate = (entry: GateEntry) => void;

function holdsExits({ reason }: GateClosure, market: Market): boolean {
  return reason === 'journal_failed' || (reason === 'overfilled' && market === 'spot');
}

/**
 * Also journals when each gate is first seen closed and reopened. A closure for all symbols (symbol '') gets one row.
 * Bounded by gates × symbols.
 */
export class Gates {
  readonly #gates: Gate[];
  readonly #put: PutGate;
  /** Gate → symbol ('': all) → journalled reason. */
  readonly #known = new Map<string, Map<string, GateClosure['reason']>>();
  /** Fast path while all gates are open. */
  #closedCount = 0;

  constructor(gates: readonly Gate[], put: PutGate) {
    this.#gates = [...gates];
    this.#put = put;
  }

  add(gate: Gate): void {
    this.#gates.push(gate);
  }

  /** `exits`: the market of an exit; null for other orders. */
  denial(symbol: string, exits: Market | null): Denied | null {
    for (const gate of this.#gates) {
      const closure = gate.closedBecause(symbol);
      if (closure !== null) this.#closed(gate.name, symbol, closure);
      else if (this.#closedCount > 0) {
        // It is closed neither for this symbol nor for all.
        this.#opened(gate.name, '');
        this.#opened(gate.name, symbol);
      }
      if (closure === null || (exits !== null && !holdsExits(closure, exits))) continue;
      return denied(closure.reason, `${symbol}: ${closure.message}`);
    }
    return null;
  }

  /** Why the symbol's prices are no evidence now; null: they are fresh. */
  staleBecause(symbol: string): string | null {
    for (const gate of this.#gates) {
      const closure = gate.closedBecause(symbol);
      if (closure !== null && (closure.reason === 'stale_data' || closure.reason === 'no_market'))
        return closure.message;
    }
    return null;
  }

  /** Journals changes since the last call, for all symbols and for each of these. */
  look(symbols: readonly string[]): void {
    for (const gate of this.#gates)
      for (const symbol of ['', ...symbols]) {
        const closure = gate.closedBecause(symbol);
        if (closure === null) this.#opened(gate.name, symbol);
        else this.#closed(gate.name, symbol, closure);
      }
  }

  #closed(gate: string, symbol: string, { reason, message }: GateClosure): void {
    const known = this.#of(gate);
    if (known.get('') === reason || known.get(symbol) === reason) return;
    if (!known.has(symbol)) this.#closedCount++;
    known.set(symbol, reason);
    this.#put({ kind: 'gate', gate, symbol, state: 'closed', reason, message });
  }

  #opened(gate: string, symbol: string): void {
    if (!this.#of(gate).delete(symbol)) return;
    this.#closedCount--;
    this.#put({ kind: 'gate', gate, symbol, state: 'open', reason: null, message: 'seen reopened' });
  }

  #of(gate: string): Map<string, GateClosure['reason']> {
    let known = this.#known.get(gate);
    if (known === undefined) this.#known.set(gate, (known = new Map()));
    return known;
  }
}

/**
 * Closed for symbols that were halted after unexpected fills, until a human resumes them. Also closed where the list of
 * own trades contradicts a booked trade, until a human decides. Survives restarts.
 */
export function haltGate(state: () => StateView): Gate {
  return {
    name: 'halt',
    closedBecause: (symbol) => {
      const { halts, contradicted } = state();
      const reason = halts.get(symbol);
      if (reason !== undefined && !isOfContradiction(state(), reason))
        return { reason: 'overfilled', message: `halted until it is resumed; ${reason}` };
      if (contradicted.size === 0) return null;
      const open = [...contradicted].find(([, { fill }]) => fill.symbol === symbol);
      if (open === undefined) return null;
      const [id, entry] = open;
      const message = `${contradictionText(state(), entry)}: say which with \`tidewire plan\` (${id})`;
      return { reason: 'overfilled', message };
    },
  };
}

/** Whether this reason of a halt is a contradiction that waits for its human. */
export function isOfContradiction(state: StateView, reason: string): boolean {
  for (const entry of state.contradicted.values()) if (contradictionText(state, entry) === reason) return true;
  return false;
}

/** Both versions of the trade, for alarm, halt and plan. */
export function contradictionText({ orders }: StateView, { intentId, fill, booked }: ContradictedEntry): string {
  const ref = orders.byIntent(intentId)?.ref ?? intentId;
  return `${ref}: trade ${fill.tradeId} is booked as ${booked.quantity} at ${booked.price}, but the list of own trades shows ${fill.quantity} at ${fill.price}`;
}

/** Closed after a restore or a loss of rows, until a human acknowledges that the rows after it are unknown. */
export function restoredGate(state: () => StateView): Gate {
  return {
    name: 'restored',
    closedBecause: () => {
      const { restored } = state();
      if (restored === undefined) return null;
      return {
        reason: 'restored',
        message: `${restoredText(restored)}; compare it with the exchange, then acknowledge it`,
      };
    },
  };
}

export function restoredText({ since, reason }: NonNullable<StateView['restored']>): string {
  const end = since === 0 ? 'it has no earlier row' : `it ends at ${new Date(since).toISOString()}`;
  return `${reason} (${end})`;
}
