/**
 * A sequence began again right after a snapshot and ran from below its number on to the one after it: its first messages
 * were taken for what the snapshot holds, and the book lacked them until the next one (seed 43179).
 */
import { expect, it } from 'vitest';
import { BookSync } from '../../src/model/book/book-sync.ts';
import { createLadder } from '../../src/model/book/ladder.ts';
import { btc, depth } from '../streams/market-fixtures.ts';

function atSnapshot(): BookSync {
  const sync = new BookSync(createLadder(btc), { rule: 'seq' });
  sync.onDepth(depth({ ms: 1_000 }, true, 3, [[0, 9900, 5]]));
  return sync;
}

it('gives the book up at a number that the snapshot holds and a later time', () => {
  const sync = atSnapshot();
  expect(sync.onDepth(depth({ ms: 1_001 }, false, 1, [[0, 9900, 7]]))).toBe('gap');
  expect(sync.gapReason).toBe('sequence restarted at 1 after snapshot 3');
  expect(sync.onDepth(depth({ ms: 1_200 }, true, 4, [[0, 9900, 7]]))).toBe('applied');
});

it('keeps it at one that left with the snapshot or before and was overtaken', () => {
  const sync = atSnapshot();
  expect(sync.onDepth(depth({ ms: 999 }, false, 2, [[0, 9900, 4]]))).toBe('old');
  expect(sync.onDepth(depth({ ms: 1_000 }, false, 3, [[0, 9900, 5]]))).toBe('old');
  expect(sync.onDepth(depth({ ms: 1_001 }, false, 4, [[0, 9900, 6]]))).toBe('applied');
});

it('keeps it at what came before the snapshot, whatever its date', () => {
  const sync = new BookSync(createLadder(btc), { rule: 'seq' });
  sync.onDepth(depth({ ms: 1_500 }, false, 2, [[0, 9900, 4]]));
  expect(sync.onDepth(depth({ ms: 1_000 }, true, 3, [[0, 9900, 5]]))).toBe('applied');
});
