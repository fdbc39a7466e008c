/** A session ends after its time, on a signal or on a failure. */
import type { Clock } from '../../model/ports.ts';

/** `orphaned`: the launcher is gone, as by kill -9. */
export type EndReason = 'end' | 'signal' | 'orphaned' | 'error';

export interface EndOptions {
  readonly clock: Clock;
  readonly forMs: number | undefined;
  /** A signal, or `disconnect`. */
  readonly interrupted: Promise<unknown>;
  /** Every strategy, the journal or the recording's disk. */
  readonly failed?: Promise<unknown>;
}

export async function sessionEnd({ clock, forMs, interrupted, failed }: EndOptions): Promise<EndReason> {
  const reasons: Promise<EndReason>[] = [interrupted.then((by) => (by === 'disconnect' ? 'orphaned' : 'signal'))];
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
