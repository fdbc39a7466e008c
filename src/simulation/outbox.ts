/**
 * What the venue or the treasury says, on its way back (rule T3): each message reaches the listener at its exchange time
 * plus response latency, in the order in which it was said.
 */
import type { VenueEvent } from '../model/venue.ts';
import type { LaneClock } from './arrivals.ts';
import { InOrder } from './latency.ts';

export class Outbox<Message = readonly VenueEvent[]> {
  readonly #clock: LaneClock;
  readonly #connection = new InOrder();
  #listener: ((message: Message) => void) | null = null;
  #closed = false;
  #waiting = 0;

  constructor(clock: LaneClock) {
    this.#clock = clock;
  }

  get connected(): boolean {
    return this.#listener !== null;
  }

  /** Messages that have not reached the listener. */
  get waiting(): number {
    return this.#waiting;
  }

  connect(listener: (message: Message) => void): void {
    this.#listener = listener;
  }

  /** Nothing is delivered any more. */
  close(): void {
    this.#closed = true;
  }

  /** Delivers at local time `us`, or now when that is past. */
  post(us: number, message: Message): void {
    const dueUs = this.#connection.arrival(Math.max(us, this.#clock.nowUs()));
    this.#waiting += 1;
    this.#clock.schedule(dueUs, 'delivery', () => {
      this.#waiting -= 1;
      if (!this.#closed) this.#listener?.(message);
    });
  }
}
