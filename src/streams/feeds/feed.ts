/**
 * The shared Observables. A state emits its current value on subscribe; an event stream does
 * not replay.
 */
import { Observable } from 'rxjs';

/** The feeds of a symbol; the live stream maps them to channels or polls. */
export type Feed = 'depth' | 'trades' | 'ticker' | 'funding' | 'mark';

/** `current` is evaluated at each subscription. */
export function stateFeed<T>(changes: Observable<T>, current: () => Iterable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    for (const value of current()) subscriber.next(value);
    return changes.subscribe(subscriber);
  });
}
