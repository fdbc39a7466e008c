/**
 * Hands each value to all who are subscribed at that moment: what a `Subject` of RxJS does, without the iterator, the
 * closure and the two error frames that its `next` makes for every value. For the feeds of the market, where a value comes
 * with each event. A subscriber that comes or goes while a value is handed out counts from the next value on.
 */
import { Observable, type Subscriber } from 'rxjs';

export class Fanout<T> {
  readonly values: Observable<T>;
  /** Replaced, never changed: whoever walks it walks those of its moment. */
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
