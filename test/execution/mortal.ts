/** A process that dies at a chosen commit of its journal, before or after the disk has it. */
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { verdictOf, type OnDispatch, type VenueCommand, type VenueEvent } from '../../src/model/venue.ts';
import { TestVenue } from './rig.ts';

/** A venue whose client can die: from then on nothing leaves and nothing is told. */
export class MortalVenue extends TestVenue {
  dead = false;
  override send(command: VenueCommand, onDispatch: OnDispatch): void {
    if (this.dead) return;
    super.send(command, () => {
      const permission = verdictOf(onDispatch);
      // Death between the SENDING row and the first byte.
      return this.dead ? { kind: 'denied', reason: 'killed', message: 'dead' } : permission;
    });
  }
  override emit(...events: readonly VenueEvent[]): void {
    if (!this.dead) super.emit(...events);
  }
}

export interface Death {
  readonly commit: number;
  readonly written: boolean;
}

export function mortal(
  journal: JournalStore,
  venue: MortalVenue,
  death: Death,
): JournalStore & { readonly commits: () => number } {
  let count = 0;
  return {
    append: (ts, entries) => {
      if (venue.dead) return 0;
      count++;
      if (count !== death.commit) return journal.append(ts, entries);
      const seq = death.written ? journal.append(ts, entries) : 0;
      venue.dead = true;
      return seq;
    },
    read: (from) => journal.read(from),
    get lastSeq() {
      return journal.lastSeq;
    },
    idle: () => {},
    close: () => journal.close(),
    commits: () => count,
  };
}
