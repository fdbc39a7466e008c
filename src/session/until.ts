/**
 * When a session ends: after its time, on a signal, or when something in it says so; whichever comes first.
 */
import type { Clock } from '../model/ports.ts';

export type EndReason = 'end' | 'signal' | 'error';

export interface EndOptions {
  readonly clock: Clock;
  /** Undefined: no end of its own. */
  readonly forMs: number | undefined;
  /** Resolves on SIGINT or SIGTERM. */
  readonly interrupted: Promise<unknown>;
  /** Resolves when it cannot go on: every strategy has failed, or the journal, or a recording's disk. */
  readonly failed?: Promise<unknown>;
}

export async function sessionEnd({ clock, forMs, interrupted, failed }: EndOptions): Promise<EndReason> {
  const reasons: Promise<EndReason>[] = [interrupted.then(() => 'signal' as const)];
  if (failed !== undefined) reasons.push(failed.then(() => 'error' as const));
  let cancel = (): void => {};
  if (forMs !== undefined) {
    reasons.push(
      new Promise((resolve) => {
        cancel = clock.after(forMs, () => resolve('end'));
      }),
    );
  }
  const reason = await Promise.race(reasons);
  cancel();
  return reason;
}
