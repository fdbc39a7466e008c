/**
 * What a turn has decided to send. It leaves at the end of the turn, together, so that one commit lets all of it go: a requote of two
 * sides waits for the disk once, not four times. Holds what one turn makes.
 */
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
