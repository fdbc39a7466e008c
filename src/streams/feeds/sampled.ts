/**
 * A state sampled at most every `everyMs` on the session's clock. The first change is emitted at once (leading), then
 * the state at the end of each window with a change (trailing). A change within a window emits nothing.
 */
import { Observable } from 'rxjs';
import type { Cancel, Clock } from '../../model/ports.ts';

export interface SampledDeps<T> {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Emits at each change; its values are not read. */
  readonly changes: Observable<unknown>;
  /** Undefined: nothing to show, such as without a usable book. */
  readonly current: () => T | undefined;
}

export function sampled<T>({ clock, everyMs, changes, current }: SampledDeps<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    let cancel: Cancel | undefined;
    let hasChanged = false;
    const look = (): void => {
      hasChanged = false;
      const value = current();
      if (value === undefined) return;
      subscriber.next(value);
      if (subscriber.closed) return;
      cancel = clock.after(everyMs, () => {
        cancel = undefined;
        if (hasChanged) look();
      });
    };
    // Also if the first sample ends the subscription.
    subscriber.add(() => cancel?.());
    look();
    if (subscriber.closed) return;
    subscriber.add(
      changes.subscribe({
        next: () => {
          if (cancel === undefined) look();
          else hasChanged = true;
        },
        complete: () => subscriber.complete(),
      }),
    );
  });
}
