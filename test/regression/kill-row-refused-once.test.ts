/**
 * Found by the fault simulator (seed 808, law K3): the disk was busy for the one write that held the row of the kill. That row was
 * taken back like one that allows a send; the alarm beside it was written, the process ended, and the next start traded on.
 */
import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import type { Action } from '../../src/model/trading/action.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { denials, makeRig } from '../execution/rig.ts';

const order: Action = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
};

/** Refuses one write, as a disk does that is busy for a moment. */
class BusyJournal implements JournalStore {
  isBusy = false;
  readonly #store = createMemoryJournal();

  get lastSeq(): number {
    return this.#store.lastSeq;
  }

  append(...rows: Parameters<JournalStore['append']>): number {
    if (!this.isBusy) return this.#store.append(...rows);
    this.isBusy = false;
    throw new Error('the disk is busy');
  }

  read(fromSeq?: number): ReturnType<JournalStore['read']> {
    return this.#store.read(fromSeq);
  }

  idle(): void {}

  close(): void {}
}

it('writes a kill with the next rows when its own write fails, and is killed after a restart', () => {
  const journal = new BusyJournal();
  const first = makeRig({ journal });
  first.executor.submit('maker', order);
  journal.isBusy = true;
  first.executor.kill('a human');
  expect(first.executor.killed).toBe(true);
  expect(first.venue.resting()).toEqual([]);
  const second = makeRig({ journal, bootId: 'b2' });
  expect(second.executor.killed).toBe(true);
  second.executor.submit('taker', order);
  expect(denials(second)).toEqual(['killed']);
});
