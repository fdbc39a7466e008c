/**
 * The shared Observables that market data and account streams hand out. A state emits its current value on subscribe,
 * then every change; an event stream does not replay (strategy API, "Streams"). One `Fanout` a feed, so subscribers
 * share the work and leave nothing behind.
 */
import { Observable } from 'rxjs';

/** What a symbol can be asked for; the live stream turns them into channels or polls. */
export type Feed = 'depth' | 'trades' | 'ticker' | 'funding' | 'mark';

/** What `changes` tells after the current values; `current` is asked at each subscription. */
export function stateFeed<T>(changes: Observable<T>, current: () => Iterable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    for (const value of current()) subscriber.next(value);
    return changes.subscribe(subscriber);
  });
}
