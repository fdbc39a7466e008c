/** Closed after a restore or a loss of rows, until a human acknowledges that the rows after it are unknown. */
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
