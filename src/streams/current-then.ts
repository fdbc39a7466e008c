/** States as a stream: what they are now, then how they change. Used by the streams of account and treasury. */
import { Observable } from 'rxjs';

/**
 * The current values, then the changes. Listens first and holds back what happens while the current values are handed
 * out: a strategy may act on one and so change the account at once.
 */
export function currentThen<T>(current: () => Iterable<T>, changes: Observable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const held: T[] = [];
    let handingOut = true;
    const subscription = changes.subscribe((value) => {
      if (handingOut) held.push(value);
      else subscriber.next(value);
    });
    for (const value of current()) subscriber.next(value);
    for (let value = held.shift(); value !== undefined; value = held.shift()) subscriber.next(value);
    handingOut = false;
    return subscription;
  });
}
