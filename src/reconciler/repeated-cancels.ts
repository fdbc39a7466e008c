/** Repeats refused cancels where nothing is read from the exchange: a simulated one has no other differences to heal. */
import type { Cancel } from '../model/ports.ts';
import type { Reconciled } from './port.ts';

/** As the first pass of a reconciler after a doubt. */
const AGAIN_MS = 250;

export function repeatCancels({ reconcilerPort: port }: Reconciled): Cancel {
  const { clock } = port.deps;
  const waiting = new Map<string, Cancel>();
  port.follow((signal) => {
    if (signal.kind !== 'uncanceled' || waiting.has(signal.intentId)) return;
    const { intentId } = signal;
    const again = (): void => {
      waiting.delete(intentId);
      port.turn(() => void port.carryOut({ kind: 'recancel', intentId }));
    };
    waiting.set(intentId, clock.after(AGAIN_MS, again));
  });
  return () => {
    for (const cancel of waiting.values()) cancel();
    waiting.clear();
  };
}
