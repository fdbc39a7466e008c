/**
 * The journal of a session as another process may read it: read only, row by row as they come, rebuilt by the same replay
 * that a restart uses. A journal that cannot be read is said, never taken for an empty one.
 */
import { readJournal } from '../../execution/journal/verify.ts';
import { isClosed } from '../../execution/order-machine.ts';
import { Replay } from '../../execution/replay.ts';
import type { TradingState } from '../../execution/trading-state.ts';
import { messageOf } from '../../model/errors.ts';

export class JournalSight {
  readonly #path: string;
  readonly #replay = new Replay();
  #nextSeq = 1;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads what is new; answers why it could not, or null. */
  look(): string | null {
    try {
      for (const row of readJournal(this.#path, this.#nextSeq)) {
        this.#replay.row(row);
        this.#nextSeq = row.seq + 1;
      }
      return null;
    } catch (thrown) {
      return `the journal cannot be read: ${messageOf(thrown)}`;
    }
  }

  get state(): TradingState {
    return this.#replay.state;
  }

  /** Orders that are open or whose fate is not known. */
  get openCount(): number {
    let count = 0;
    for (const { progress } of this.state.orders.allLive())
      if (!isClosed(progress) && progress.state !== 'pending') count++;
    return count;
  }
}
