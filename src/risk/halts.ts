/** Closed for symbols that were halted after unexpected fills, until a human resumes them, also over restarts. */
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
