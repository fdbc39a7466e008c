/** A session ends after its time, on a signal or on a failure. */
import type { Clock } from '../model/ports.ts';

export type EndReason = 'end' | 'signal' | 'error';

export interface EndOptions {
  readonly clock: Clock;
  /** Undefined: no limit. */
  readonly forMs: number | undefined;
  /** Resolves on SIGINT or SIGTERM. */
  readonly interrupted: Promise<unknown>;
  /** Resolves when every strategy, the journal or the recording's disk has failed. */
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
