/** A session's journal read by another process. An unreadable journal is an error, never an empty one. */
import { replayJournal } from '../../journal/resume.ts';
import { readJournal } from '../../journal/verify.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import { Replay } from '../../spine/replay.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { messageOf } from '../../model/errors.ts';

/** Before the first read. */
const NOTHING = new Replay();

export class JournalSight {
  readonly #path: string;
  #replay: Replay | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads new rows; returns the failure or null. */
  look(): string | null {
    try {
      this.#replay ??= replayJournal(this.#path);
      for (const row of readJournal(this.#path, this.#replay.rows + 1)) this.#replay.row(row);
      return null;
    } catch (thrown) {
      return `the journal cannot be read: ${messageOf(thrown)}`;
    }
  }

  get state(): StateView {
    return (this.#replay ?? NOTHING).state;
  }

  /** Orders open or of unknown outcome. */
  get openCount(): number {
    let count = 0;
    for (const { progress } of this.state.orders.allLive())
      if (!isClosed(progress) && progress.state !== 'pending') count++;
    return count;
  }
}
