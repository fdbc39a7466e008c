/**
 * The gate of a journal that was restored from a backup, or knows less than its witness: no new risk until a human has
 * acknowledged that what came after it is unknown. Cancels and reductions pass, as at every gate. Part
 * of the core; `plan`, `status` and the start say it in the same words.
 */
import type { Gate } from '../model/ports.ts';
import type { StateView } from '../spine/trading-state.ts';

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
