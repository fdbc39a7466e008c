/** A session ends after its time, on a signal or on a failure. */
import type { Clock } from '../model/ports.ts';

export type EndReason = 'end' | 'signal' | 'error';

export interface EndOptions {
  readonly clock: Clock;
  readonly forMs: number | undefined;
  readonly interrupted: Promise<unknown>;
  /** Every strategy, the journal or the recording's disk. */
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
