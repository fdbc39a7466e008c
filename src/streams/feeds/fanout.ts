/**
 * Like a `Subject` of RxJS without its allocations per value; for market feeds. A change of subscribers counts from the
 * next value.
 */
import { Observable, type Subscriber } from 'rxjs';

export class Fanout<T> {
  readonly values: Observable<T>;
  /** Replaced, never mutated: an iteration keeps the subscribers it began with. */
  #subscribers: readonly Subscriber<T>[] = [];
  #isComplete = false;

  constructor() {
    this.values = new Observable<T>((subscriber) => {
      if (this.#isComplete) {
        subscriber.complete();
        return undefined;
      }
      this.#subscribers = [...this.#subscribers, subscriber];
      return () => {
        this.#subscribers = this.#subscribers.filter((each) => each !== subscriber);
      };
    });
  }

  get observed(): boolean {
    return this.#subscribers.length > 0;
  }

  next(value: T): void {
    const subscribers = this.#subscribers;
    for (let index = 0; index < subscribers.length; index++) subscribers[index]!.next(value);
  }

  complete(): void {
    this.#isComplete = true;
    const subscribers = this.#subscribers;
    this.#subscribers = [];
    for (const subscriber of subscribers) subscriber.complete();
  }
}
