/** Commands leave together at the end of the turn, so that one durable commit serves all. */
import type { OnDispatch, Venue, VenueCommand } from '../model/venue.ts';

interface Leaving {
  readonly command: VenueCommand;
  readonly onDispatch: OnDispatch;
}

export class Outgoing {
  readonly #venue: Venue;
  #leaving: Leaving[] = [];

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  add(command: VenueCommand, onDispatch: OnDispatch): void {
    this.#leaving.push({ command, onDispatch });
  }

  leave(): void {
    if (this.#leaving.length === 0) return;
    const leaving = this.#leaving;
    this.#leaving = [];
    if (leaving.length === 1) this.#send(leaving[0]!);
    else this.#venue.together(() => leaving.forEach((each) => this.#send(each)));
  }

  #send({ command, onDispatch }: Leaving): void {
    this.#venue.send(command, onDispatch);
  }
}
