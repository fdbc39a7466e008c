/**
 * The gate of a journal that was restored from a backup: no new risk until a human has acknowledged that what came after
 * the backup is unknown to it (reliability §4.3, 11). Cancels and reductions pass, as at every gate. Part of the core.
 */
import type { Gate } from '../model/ports.ts';
import type { TradingState } from './trading-state.ts';

export function restoredGate(state: () => TradingState): Gate {
  return {
    name: 'restored',
    closedBecause: () => {
      const { restored } = state();
      if (restored === undefined) return null;
      const until = new Date(restored.since).toISOString();
      return {
        reason: 'restored',
        message: `the journal is a backup that ends at ${until}; compare it with the exchange, then acknowledge it`,
      };
    },
  };
}
