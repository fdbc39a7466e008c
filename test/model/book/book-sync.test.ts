import { describe, expect, it } from 'vitest';
import { BookSync, type BookStart } from '../../../src/model/book/book-sync.ts';
import { createLadder } from '../../../src/model/book/ladder.ts';
import type { SequenceRule } from '../../../src/model/market/market-event.ts';
import { btcusdt, contents, snapshot, update, type Row } from '../depth-events.ts';

const start: readonly Row[] = [
  [0, 100, 5],
  [1, 102, 4],
];

function sync(rule: SequenceRule, bookStart: BookStart = 'snapshot', bufferedMax?: number): BookSync {
  const bound = bufferedMax === undefined ? {} : { bufferedMax };
  return new BookSync(createLadder(btcusdt), { rule, start: bookStart, ...bound });
}

describe('book sync by seq', () => {
  it('applies a snapshot and the updates that follow it', () => {
    const book = sync('seq');
    expect(book.onDepth(snapshot({ lastId: 10 }, start))).toBe('applied');
    expect(book.onDepth(update({ lastId: 11 }, [[0, 101, 7]]))).toBe('applied');
    expect(book.live).toBe(true);
    expect(contents(book.book)).toEqual({ '0:101': 7, '0:100': 5, '1:102': 4 });
  });

  it('keeps early updates, skips those that the late snapshot contains and applies the rest', () => {
    const book = sync('seq');
    for (const lastId of [9, 10, 11, 12]) {
      expect(book.onDepth(update({ lastId }, [[0, 90 + lastId - 9, lastId]]))).toBe('buffered');
    }
    expect(book.live).toBe(false);
    expect(book.onDepth(snapshot({ lastId: 10 }, start))).toBe('applied');
    expect(contents(book.book)).toEqual({ '0:100': 5, '0:92': 11, '0:93': 12, '1:102': 4 });
    expect(book.lastId).toBe(12);
    expect(book.onDepth(update({ lastId: 13 }, [[1, 103, 1]]))).toBe('applied');
  });

  it('copies what it keeps, since producers reuse their columns', () => {
    const book = sync('seq');
    const reused = update({ lastId: 11 }, [[0, 99, 3]]);
    book.onDepth(reused);
    reused.lastId = 999;
    reused.levels.ticks[0] = 1;
    reused.levels.lots[0] = 0;
    expect(book.onDepth(snapshot({ lastId: 10 }, start))).toBe('applied');
    expect(contents(book.book)['0:99']).toBe(3);
  });

  it('takes a snapshot that came after updates beyond it as too old, and keeps the updates for the next one', () => {
    const book = sync('seq');
    book.onDepth(update({ lastId: 20 }, [[0, 99, 3]]));
    expect(book.onDepth(snapshot({ lastId: 10 }, start))).toBe('gap');
    expect(book.gapReason).toContain('older');
    expect(book.live).toBe(false);
    expect(book.onDepth(snapshot({ lastId: 19 }, start))).toBe('applied');
    expect(book.lastId).toBe(20);
  });

  it('does not apply what a sequence before has left, though its number follows the snapshot of the new one', () => {
    const book = sync('seq');
    book.onDepth(update({ lastId: 1, exchangeUs: 1_000_000 }, [[1, 103, 1]]));
    book.onDepth(update({ lastId: 2, exchangeUs: 2_000_000 }, [[1, 101, 9]]));
    book.onDepth(snapshot({ lastId: 1, exchangeUs: 8_000_000 }, start));
    expect(contents(book.book)).toEqual({ '0:100': 5, '1:102': 4 });
  });

  it('skips updates that arrive after the snapshot but are contained in it', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10 }, start));
    expect(book.onDepth(update({ lastId: 9 }, [[0, 50, 1]]))).toBe('old');
    expect(book.onDepth(update({ lastId: 10 }, [[0, 50, 1]]))).toBe('old');
    expect(book.onDepth(update({ lastId: 11 }, [[0, 99, 1]]))).toBe('applied');
    expect(contents(book.book)).toEqual({ '0:100': 5, '0:99': 1, '1:102': 4 });
  });

  it('gives the book up at a missing message and recovers with the next snapshot', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10 }, start));
    expect(book.onDepth(update({ lastId: 12 }, [[0, 99, 1]]))).toBe('gap');
    expect(book.gapReason).toContain('between 10 and 12');
    expect(book.live).toBe(false);
    expect(contents(book.book)).toEqual({});
    expect(book.onDepth(update({ lastId: 13 }, [[0, 98, 2]]))).toBe('buffered');
    expect(book.onDepth(snapshot({ lastId: 12 }, start))).toBe('applied');
    expect(contents(book.book)).toEqual({ '0:100': 5, '0:98': 2, '1:102': 4 });
  });

  it('ignores an exact repetition of the last message', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10 }, start));
    book.onDepth(update({ lastId: 11 }, [[0, 99, 1]]));
    expect(book.onDepth(update({ lastId: 11 }, [[0, 99, 1]]))).toBe('old');
    expect(book.live).toBe(true);
  });

  // Seed 615 of the fault simulator (D1): the sequence began again at a new subscription, and once more with the next message.
  it('takes a later message with the id of the last one as a restart, also when that was in the snapshot', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 584, exchangeUs: 1_000_000 }, start));
    book.onDepth(update({ lastId: 585, exchangeUs: 2_000_000 }, []));
    expect(book.onDepth(update({ lastId: 1, exchangeUs: 3_000_000 }, [[0, 99, 1]]))).toBe('gap');
    expect(book.onDepth(snapshot({ lastId: 1, exchangeUs: 3_010_000 }, start))).toBe('applied');
    expect(book.onDepth(update({ lastId: 1, exchangeUs: 3_000_000 }, [[0, 99, 1]]))).toBe('old');
    expect(book.onDepth(update({ lastId: 1, exchangeUs: 4_000_000 }, [[0, 98, 1]]))).toBe('gap');
    expect(book.live).toBe(false);
    expect(book.onDepth(update({ lastId: 1, exchangeUs: 5_000_000 }, [[0, 97, 1]]))).toBe('buffered');
    expect(book.onDepth(update({ lastId: 1, exchangeUs: 5_000_000 }, [[0, 97, 1]]))).toBe('old');
    expect(book.buffered).toBe(1);
  });

  it('takes a sequence that goes back as a restart', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 500 }, start));
    book.onDepth(update({ lastId: 501 }, []));
    expect(book.onDepth(update({ lastId: 1 }, [[0, 99, 1]]))).toBe('gap');
    expect(book.gapReason).toContain('went back');
    expect(book.live).toBe(false);
    expect(book.onDepth(update({ lastId: 2 }, [[0, 98, 1]]))).toBe('buffered');
    expect(book.onDepth(snapshot({ lastId: 1 }, start))).toBe('applied');
    expect(book.lastId).toBe(2);
  });

  it('takes an update that claims to be in a snapshot but is much later as a restart', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 500, exchangeUs: 1_000_000 }, start));
    expect(book.onDepth(update({ lastId: 1, exchangeUs: 9_000_000 }, []))).toBe('gap');
    expect(book.live).toBe(false);
  });

  it('ignores a snapshot older than the book, but not one of a sequence that started again', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 500, exchangeUs: 1_000_000 }, start));
    book.onDepth(update({ lastId: 501, exchangeUs: 1_100_000 }, [[0, 99, 1]]));
    expect(book.onDepth(snapshot({ lastId: 499, exchangeUs: 1_050_000 }, []))).toBe('old');
    expect(contents(book.book)['0:99']).toBe(1);
    expect(book.onDepth(snapshot({ lastId: 3, exchangeUs: 99_000_000 }, start))).toBe('applied');
    expect(contents(book.book)).toEqual({ '0:100': 5, '1:102': 4 });
    expect(book.onDepth(update({ lastId: 4, exchangeUs: 99_100_000 }, []))).toBe('applied');
  });

  it('gives up a book that an update has crossed', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10 }, start));
    expect(book.onDepth(update({ lastId: 11 }, [[0, 102, 1]]))).toBe('gap');
    expect(book.gapReason).toContain('crossed');
    expect(book.live).toBe(false);
    expect(book.book.bidLots).toBe(0);
  });

  it('refuses a crossed snapshot', () => {
    const book = sync('seq');
    const crossed: readonly Row[] = [
      [0, 103, 1],
      [1, 102, 1],
    ];
    expect(book.onDepth(snapshot({ lastId: 10 }, crossed))).toBe('gap');
    expect(book.live).toBe(false);
  });

  it('bounds what it keeps: the oldest go first, and the hole is then seen', () => {
    const book = sync('seq', 'snapshot', 3);
    for (let lastId = 11; lastId <= 20; lastId++) book.onDepth(update({ lastId }, []));
    expect(book.buffered).toBe(3);
    expect(book.onDepth(snapshot({ lastId: 10 }, start))).toBe('gap');
    expect(book.onDepth(snapshot({ lastId: 17 }, start))).toBe('applied');
    expect(book.lastId).toBe(20);
  });

  it('builds from updates alone when there is no snapshot anywhere, and begins again after a gap', () => {
    const book = sync('seq', 'updates');
    expect(book.onDepth(update({ lastId: 7 }, start))).toBe('applied');
    expect(book.live).toBe(true);
    expect(book.onDepth(update({ lastId: 9 }, [[0, 90, 1]]))).toBe('gap');
    expect(book.live).toBe(true);
    expect(contents(book.book)).toEqual({ '0:90': 1 });
    expect(book.onDepth(update({ lastId: 10 }, [[1, 95, 1]]))).toBe('applied');
  });

  it('forgets everything when told so', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10 }, start));
    book.discard('connection lost');
    expect(book.live).toBe(false);
    expect(contents(book.book)).toEqual({});
    expect(book.onDepth(snapshot({ lastId: 2 }, start))).toBe('applied');
  });
});

describe('book sync by the other rules', () => {
  it('U/u: the first update straddles the snapshot, then each begins where the last ended', () => {
    const book = sync('U/u');
    book.onDepth(update({ firstId: 5, lastId: 9 }, [[0, 90, 1]]));
    book.onDepth(update({ firstId: 10, lastId: 14 }, [[0, 91, 1]]));
    expect(book.onDepth(snapshot({ lastId: 12 }, start))).toBe('applied');
    expect(book.lastId).toBe(14);
    expect(contents(book.book)).toEqual({ '0:100': 5, '0:91': 1, '1:102': 4 });
    expect(book.onDepth(update({ firstId: 15, lastId: 15 }, []))).toBe('applied');
    expect(book.onDepth(update({ firstId: 17, lastId: 18 }, []))).toBe('gap');
  });

  it('pu: the first update may end at the snapshot, then each names the one before it', () => {
    const book = sync('pu');
    expect(book.onDepth(snapshot({ lastId: 100 }, start))).toBe('applied');
    expect(book.onDepth(update({ firstId: 80, lastId: 99, previousId: 79 }, []))).toBe('old');
    expect(book.onDepth(update({ firstId: 99, lastId: 100, previousId: 99 }, [[0, 95, 2]]))).toBe('applied');
    expect(book.onDepth(update({ firstId: 130, lastId: 140, previousId: 100 }, []))).toBe('applied');
    expect(book.onDepth(update({ firstId: 150, lastId: 160, previousId: 145 }, []))).toBe('gap');
  });

  it('pu: a snapshot that lies between two updates joins the later one', () => {
    const book = sync('pu');
    book.onDepth(snapshot({ lastId: 100 }, start));
    expect(book.onDepth(update({ firstId: 130, lastId: 140, previousId: 98 }, []))).toBe('applied');
  });

  it('none: snapshots replace, updates apply, and what came before the snapshot does not', () => {
    const book = sync('none');
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 1 }, [[0, 90, 1]]))).toBe('buffered');
    expect(book.onDepth(snapshot({ lastId: 0, exchangeUs: 2 }, start))).toBe('applied');
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 3 }, [[0, 91, 1]]))).toBe('applied');
    expect(contents(book.book)).toEqual({ '0:100': 5, '0:91': 1, '1:102': 4 });
    expect(book.onDepth(snapshot({ lastId: 0, exchangeUs: 4 }, start))).toBe('applied');
    expect(contents(book.book)).toEqual({ '0:100': 5, '1:102': 4 });
  });

  it('seq on a source that sends no ids behaves as none', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 0, exchangeUs: 1 }, start));
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 2 }, [[0, 99, 1]]))).toBe('applied');
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 3 }, [[0, 98, 1]]))).toBe('applied');
    expect(book.live).toBe(true);
  });

  it('seq on a source that sends no ids is given up at a gap, which nothing that comes later can disprove', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 0, exchangeUs: 1 }, start));
    book.doubt('frames are lost');
    expect(book.live).toBe(false);
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 2 }, [[0, 99, 1]]))).toBe('buffered');
    expect(book.onDepth(snapshot({ lastId: 0, exchangeUs: 3 }, start))).toBe('applied');
  });

  it('updates that bear no ids follow a snapshot that bears one, as the fetched one of any exchange does', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10, exchangeUs: 1 }, start));
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 2 }, [[0, 99, 1]]))).toBe('applied');
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 3 }, [[0, 98, 1]]))).toBe('applied');
    expect(contents(book.book)).toMatchObject({ '0:99': 1, '0:98': 1 });
    book.onDepth(snapshot({ lastId: 30, exchangeUs: 4 }, start));
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 5 }, [[0, 97, 1]]))).toBe('applied');
  });

  it('a message without an id among messages with ids is a gap', () => {
    const book = sync('seq');
    book.onDepth(snapshot({ lastId: 10 }, start));
    book.onDepth(update({ lastId: 11 }, []));
    expect(book.onDepth(update({ lastId: 0, exchangeUs: 12 }, [[0, 99, 1]]))).toBe('gap');
  });
});

describe('book sync where ids span changes, as Binance numbers them', () => {
  const rules = [
    {
      rule: 'U/u',
      next: { firstId: 13, lastId: 16 },
      overlapping: { firstId: 14, lastId: 19 },
      missing: { firstId: 21, lastId: 22 },
    },
    {
      rule: 'pu',
      next: { firstId: 13, lastId: 16, previousId: 12 },
      overlapping: { firstId: 14, lastId: 19, previousId: 13 },
      missing: { firstId: 21, lastId: 22, previousId: 20 },
    },
  ] as const;

  it.each(rules)(
    '$rule: an old message changes nothing, one that overlaps is applied, one after a hole is none',
    (row) => {
      const book = sync(row.rule);
      book.onDepth(snapshot({ lastId: 12 }, start));
      book.onDepth(update({ ...row.next, exchangeUs: 16 }, [[0, 99, 1]]));
      expect(book.onDepth(update({ ...row.next, lastId: 14, exchangeUs: 14 }, [[0, 99, 7]]))).toBe('old');
      expect(book.onDepth(update({ ...row.overlapping, exchangeUs: 19 }, [[0, 99, 3]]))).toBe('applied');
      expect(book.lastId).toBe(19);
      expect(contents(book.book)).toEqual({ '0:100': 5, '0:99': 3, '1:102': 4 });
      expect(book.onDepth(update({ ...row.missing, exchangeUs: 22 }, []))).toBe('gap');
      expect(book.gapReason).toBe('messages are missing between 19 and 21');
    },
  );

  it.each(rules)('$rule: a later message with a lower id is of a sequence that started again', ({ rule, next }) => {
    const book = sync(rule);
    book.onDepth(snapshot({ lastId: 12 }, start));
    book.onDepth(update({ ...next, exchangeUs: 16 }, []));
    expect(book.onDepth(update({ firstId: 1, lastId: 3, previousId: 1, exchangeUs: 17 }, []))).toBe('gap');
    expect(book.gapReason).toBe('sequence went back from 16 to 3');
  });

  it.each(rules)('$rule: a message without its first or previous id joins nothing', ({ rule }) => {
    const book = sync(rule);
    book.onDepth(snapshot({ lastId: 12 }, start));
    book.onDepth(update({ firstId: 13, lastId: 16, previousId: 12 }, []));
    const nameless = { ...update({ lastId: 17 }, []), firstId: 0, previousId: 0 };
    expect(book.onDepth(nameless)).toBe('gap');
  });

  it.each(rules)(
    '$rule: a crossed book is no book until an update uncrosses it, and nothing of it is lost',
    ({ rule, next }) => {
      const book = sync(rule);
      book.onDepth(snapshot({ lastId: 12 }, start));
      expect(book.onDepth(update(next, [[0, 103, 1]]))).toBe('gap');
      expect(book.live).toBe(false);
      expect(book.gapReason).toBe('the book is crossed: bid 103 and ask 102 ticks');
      expect(book.onDepth(update({ firstId: 17, lastId: 18, previousId: 16 }, [[0, 98, 2]]))).toBe('buffered');
      expect(book.onDepth(update({ firstId: 19, lastId: 20, previousId: 18 }, [[0, 103, 0]]))).toBe('applied');
      expect(book.live).toBe(true);
      expect(contents(book.book)).toEqual({ '0:100': 5, '0:98': 2, '1:102': 4 });
    },
  );

  it.each(rules)(
    '$rule: a crossed snapshot waits for what uncrosses it, also if that was kept before it came',
    ({ rule, next }) => {
      const book = sync(rule);
      book.onDepth(update(next, [[0, 103, 0]]));
      const crossed = [
        [0, 100, 5],
        [0, 103, 1],
        [1, 102, 4],
      ] as const;
      expect(book.onDepth(snapshot({ lastId: 12 }, crossed))).toBe('applied');
      expect(contents(book.book)).toEqual({ '0:100': 5, '1:102': 4 });
    },
  );
});
