/** A stream of current values, then changes. */
import { Observable } from 'rxjs';

/** Changes are held back until the current values are out: a subscriber may act on one and so change the account. */
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
