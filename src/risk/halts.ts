/**
 * The gate of symbols that were halted because the exchange did what nobody asked for: no new risk there until a human resumes
 * them, over restarts, and no exit of spot either, since the position that it would reduce is in doubt. Cancels pass, and what
 * the exchange itself lets only reduce. Part of the core.
 */
import type { Gate } from '../model/ports.ts';
import type { StateView } from '../spine/trading-state.ts';

export function haltGate(state: () => StateView): Gate {
  return {
    name: 'halt',
    closedBecause: (symbol) => {
      const reason = state().halts.get(symbol);
      return reason === undefined ? null : { reason: 'overfilled', message: `halted until it is resumed; ${reason}` };
    },
  };
}
