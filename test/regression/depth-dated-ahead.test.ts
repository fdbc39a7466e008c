/** A depth message that was dated ahead came while the book waited: it was kept for ever and spoilt every snapshot. */
import { expect, it } from 'vitest';
import { BookSync } from '../../src/model/book/book-sync.ts';
import { createLadder } from '../../src/model/book/ladder.ts';
import { btc, depth } from '../streams/market-fixtures.ts';

it('does not spoil the snapshots after the next one', () => {
  const sync = new BookSync(createLadder(btc), { rule: 'seq' });
  sync.onDepth(depth({ ms: 100_000_000 }, false, 4, [[0, 9900, 5]]));
  expect(sync.onDepth(depth({ ms: 1_000 }, true, 5, [[0, 9900, 5]]))).toBe('gap');
  expect(sync.onDepth(depth({ ms: 2_000 }, true, 6, [[0, 9900, 5]]))).toBe('applied');
  expect(sync.live).toBe(true);
});
