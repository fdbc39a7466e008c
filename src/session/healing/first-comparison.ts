/** Reconciles the account completely before a strategy may decide. */
import type { Reconciler } from '../../reconciler/reconciler.ts';
import type { Clock } from '../../model/ports.ts';
import type { EndReason } from '../clock/until.ts';

const RETRY_MS = 1000;
const GATE_LOOK_MS = 20;
/** Longest wait for a symbol; then only its gate blocks new risk. */
const COMPARE_MS = 10_000;

/** False at the session's end. */
export async function reconciled(
  reconciler: Reconciler,
  symbols: readonly string[],
  clock: Clock,
  ending: Promise<EndReason>,
): Promise<boolean> {
  const { gate } = reconciler;
  const compared = (): boolean => symbols.every((symbol) => gate.closedBecause(symbol)?.reason !== 'not_reconciled');
  let ended = false;
  const end = ending.then(() => {
    ended = true;
  });
  const pause = async (ms: number): Promise<void> => {
    const over = Promise.withResolvers<void>();
    const cancel = clock.after(ms, over.resolve);
    await Promise.race([over.promise, end]);
    cancel();
  };
  let waitedFrom: number | null = null;
  while (!ended) {
    const outcome = await Promise.race([reconciler.runNow(), end]);
    if (outcome === undefined) return false;
    const again = clock.now() + RETRY_MS;
    while (!ended && clock.now() < again) {
      if (outcome.complete && gate.closedBecause('') === null) {
        waitedFrom ??= clock.now();
        if (compared() || clock.now() - waitedFrom > COMPARE_MS) return true;
      }
      await pause(GATE_LOOK_MS);
    }
  }
  return false;
}
