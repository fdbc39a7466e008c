/** Rows that are over lie compressed; what is read back is what was given, in its order, whatever came late. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedRows, type RowColumns } from '../../src/session/packed-rows.ts';

const BLOCK = 1024;

interface Row {
  readonly number: number;
  state: 'open' | 'over';
  text: string | null;
  mid: number;
  changes?: number;
}

const row = (number: number, mid: number): Row => ({
  number,
  state: 'open',
  text: number % 3 ? `ü${number}` : null,
  mid,
});

type Texts = readonly [state: Row['state'], text: string | null];
type Numbers = readonly [number: number, mid: number, changes: number | null];

const columns: RowColumns<Row, Texts, Numbers> = {
  texts: ({ state, text }) => [state, text],
  numbers: ({ number, mid, changes = null }) => [number, mid, changes],
  row: ([state, text], [number, mid, changes]) => ({
    number,
    state,
    text,
    mid,
    ...(changes === null ? {} : { changes }),
  }),
};

const isOver = ({ state }: Row): boolean => state === 'over';

/** Pushes that many rows, of which each is over three later, or else a change to any row that is kept. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ push: fc.integer({ min: 1, max: 1500 }) }) },
    { weight: 2, arbitrary: fc.record({ change: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) }) },
  ),
  { minLength: 1, maxLength: 12 },
);

test('rows are those of a list that gives up its oldest, also when one changes after it was packed', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 6000 }), (all, rowsMax) => {
      const packed = new PackedRows({ rowsMax, isOver, columns });
      const plain: Row[] = [];
      let made = 0;
      const end = (rows: (number: number) => Row | undefined, number: number): void => {
        const found = rows(number);
        if (found !== undefined) found.state = 'over';
      };
      const kept = (number: number): Row | undefined => plain.find((other) => other.number === number);
      for (const step of all) {
        if ('change' in step) {
          const at = plain[Math.floor(step.change * plain.length)];
          const same = at === undefined ? undefined : packed.at(at.number);
          expect(same).toEqual(at);
          for (const changed of [at, same]) if (changed !== undefined) changed.changes = (changed.changes ?? 0) + 1;
        } else {
          for (let count = 0; count < step.push; count++) {
            const mid = Math.sqrt(made);
            expect(packed.push(row(made, mid))).toBe(made);
            plain.push(row(made, mid));
            if (plain.length > rowsMax) plain.shift();
            end((number) => packed.at(number), made - 3);
            end(kept, made - 3);
            made++;
          }
        }
      }
      expect(packed.length).toBe(plain.length);
      expect(packed.first).toBe(made - plain.length);
      expect(packed.at(packed.first - 1)).toBeUndefined();
      expect(packed.at(made)).toBeUndefined();
      expect([...packed]).toEqual(plain);
    }),
    { numRuns: 30 },
  );
});

test('no more than two blocks stay loose, beside those in which a row is not over', () => {
  const rows = new PackedRows({ rowsMax: 50_000, isOver, columns });
  let most = 0;
  for (let number = 0; number < 20 * BLOCK; number++) {
    rows.push(row(number, 0));
    // One order rests in the fifth block.
    if (number !== 4 * BLOCK + 7) rows.at(number)!.state = 'over';
    most = Math.max(most, rows.looseCount);
  }
  expect(most).toBe(3 * BLOCK);
  rows.at(4 * BLOCK + 7)!.state = 'over';
  for (let number = 0; number < BLOCK; number++) rows.push(row(number, 0));
  expect(rows.looseCount).toBe(2 * BLOCK);
});

test('a run of less than two blocks packs nothing', () => {
  const rows = new PackedRows({ rowsMax: 50_000, isOver: () => true, columns });
  const given = Array.from({ length: 2 * BLOCK }, (_, number) => row(number, 0));
  for (const each of given) rows.push(each);
  expect([...rows].every((each, index) => each === given[index])).toBe(true);
});
