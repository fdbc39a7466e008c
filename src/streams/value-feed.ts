/**
 * A feed of rare states (ticker, funding, mark): keeps the last value and gives it to whoever subscribes.
 */
import { Subject, type Observable } from 'rxjs';
import { stateFeed } from './feed.ts';

export class ValueFeed<T> {
  readonly values: Observable<T>;
  readonly #subject = new Subject<T>();
  #last: readonly T[] = [];

  constructor() {
    this.values = stateFeed(this.#subject, () => this.#last);
  }

  next(value: T): void {
    this.#last = [value];
    this.#subject.next(value);
  }

  complete(): void {
    this.#subject.complete();
  }
}
