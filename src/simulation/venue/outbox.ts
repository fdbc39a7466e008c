/** Delivers messages at exchange time plus response latency, in order. */
import type { VenueEvent, VenueListener } from '../../model/venue.ts';
import type { LaneClock } from './arrivals.ts';
import { InOrder } from './latency.ts';

export class Outbox {
  readonly #clock: LaneClock;
  readonly #connection = new InOrder();
  #listener: VenueListener | null = null;
  #closed = false;
  #waiting = 0;

  constructor(clock: LaneClock) {
    this.#clock = clock;
  }

  get connected(): boolean {
    return this.#listener !== null;
  }

  get waiting(): number {
    return this.#waiting;
  }

  connect(listener: VenueListener): void {
    this.#listener = listener;
  }

  close(): void {
    this.#closed = true;
  }

  /** `us`: local time; now when past. */
  post(us: number, events: readonly VenueEvent[]): void {
    const dueUs = this.#connection.arrival(Math.max(us, this.#clock.nowUs()));
    this.#waiting += 1;
    this.#clock.schedule(dueUs, 'delivery', () => {
      this.#waiting -= 1;
      if (!this.#closed) this.#listener?.(events);
    });
  }
}
