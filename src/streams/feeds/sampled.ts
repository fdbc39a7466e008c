/**
 * A state looked at no more often than `everyMs`, on the session's clock: the first change at once (leading), then what
 * stands at the end of each window in which something changed (trailing). A change within a window makes no value.
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
    // Also where the first look ends the subscription.
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
