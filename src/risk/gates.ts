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

interface Watched {
  readonly gate: Gate;
  /** Symbol ('': all) → journalled reason. */
  readonly known: Map<string, GateClosure['reason']>;
}

function holdsExits({ reason }: GateClosure, market: Market): boolean {
  return reason === 'journal_failed' || (reason === 'overfilled' && market === 'spot');
}

/**
 * Also journals when each gate is first seen closed and reopened. A closure for all symbols (symbol '') gets one row.
 * Bounded by gates × symbols.
 */
export class Gates {
  readonly #gates: Watched[] = [];
  readonly #put: PutGate;

  constructor(gates: readonly Gate[], put: PutGate) {
    for (const gate of gates) this.add(gate);
    this.#put = put;
  }

  add(gate: Gate): void {
    this.#gates.push({ gate, known: new Map() });
  }

  /** `exits`: the market of an exit; null for other orders. */
  denial(symbol: string, exits: Market | null): Denied | null {
    for (const watched of this.#gates) {
      const closure = watched.gate.closedBecause(symbol);
      if (closure !== null) this.#closed(watched, symbol, closure);
      else if (watched.known.size > 0) {
        // It is closed neither for this symbol nor for all.
        this.#opened(watched, '');
        this.#opened(watched, symbol);
      }
      if (closure === null || (exits !== null && !holdsExits(closure, exits))) continue;
      return denied(closure.reason, `${symbol}: ${closure.message}`);
    }
    return null;
  }

  /** Why the symbol's prices are no evidence now; null: they are fresh. */
  staleBecause(symbol: string): string | null {
    for (const { gate } of this.#gates) {
      const closure = gate.closedBecause(symbol);
      if (closure !== null && (closure.reason === 'stale_data' || closure.reason === 'no_market'))
        return closure.message;
    }
    return null;
  }

  /** Journals changes since the last call, for all symbols and for each of these. */
  look(symbols: readonly string[]): void {
    for (const watched of this.#gates)
      for (const symbol of ['', ...symbols]) {
        const closure = watched.gate.closedBecause(symbol);
        if (closure === null) this.#opened(watched, symbol);
        else this.#closed(watched, symbol, closure);
      }
  }

  #closed({ gate, known }: Watched, symbol: string, { reason, message }: GateClosure): void {
    if (known.get('') === reason || known.get(symbol) === reason) return;
    known.set(symbol, reason);
    this.#put({ kind: 'gate', gate: gate.name, symbol, state: 'closed', reason, message });
  }

  #opened({ gate, known }: Watched, symbol: string): void {
    if (!known.delete(symbol)) return;
    this.#put({ kind: 'gate', gate: gate.name, symbol, state: 'open', reason: null, message: 'seen reopened' });
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
