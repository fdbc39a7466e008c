/** Rows that are over lie compressed; what is read back is what was given, in its order, whatever came late. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_ROWS as BLOCK, numberColumn, PackedRows } from '../../../src/session/recorder/packed-rows.ts';

interface Row {
  readonly number: number;
  state: 'open' | 'over';
  readonly text: string | null;
  readonly mid: number;
  changes: number | null;
}

const row = (number: number, mid: number): Row => ({
  number,
  state: 'open',
  text: number % 3 ? `ü${number}` : null,
  mid,
  changes: null,
});

const blockOf = () => ({
  number: numberColumn(),
  state: [] as Row['state'][],
  text: [] as (string | null)[],
  mid: numberColumn(),
  changes: numberColumn(),
});

type Rows = PackedRows<ReturnType<typeof blockOf>>;

const made = (rowsMax: number): Rows =>
  new PackedRows({ rowsMax, block: blockOf, isOver: ({ state }) => state.every((each) => each === 'over') });

function push(rows: Rows, { number, state, text, mid }: Row): number {
  const given = rows.push();
  const block = rows.at(given)!;
  const at = given % BLOCK;
  block.number[at] = number;
  block.state[at] = state;
  block.text[at] = text;
  block.mid[at] = mid;
  return given;
}

function rowOf(block: ReturnType<typeof blockOf>, at: number): Row {
  const changes = block.changes[at]!;
  return {
    number: block.number[at]!,
    state: block.state[at]!,
    text: block.text[at]!,
    mid: block.mid[at]!,
    changes: Number.isNaN(changes) ? null : changes,
  };
}

function found(rows: Rows, number: number): Row | undefined {
  const block = rows.at(number);
  return block === undefined ? undefined : rowOf(block, number % BLOCK);
}

function end(rows: Rows, number: number): void {
  const block = rows.at(number);
  if (block !== undefined) block.state[number % BLOCK] = 'over';
}

function change(rows: Rows, number: number, changes: number): void {
  rows.at(number)!.changes[number % BLOCK] = changes;
}

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
      const packed = made(rowsMax);
      const plain: Row[] = [];
      let count = 0;
      for (const step of all) {
        if ('change' in step) {
          const at = plain[Math.floor(step.change * plain.length)];
          if (at === undefined) continue;
          expect(found(packed, at.number)).toEqual(at);
          at.changes = (at.changes ?? 0) + 1;
          change(packed, at.number, at.changes);
        } else {
          for (const last = count + step.push; count < last; count++) {
            const given = row(count, Math.sqrt(count));
            expect(push(packed, given)).toBe(count);
            plain.push(given);
            if (plain.length > rowsMax) plain.shift();
            end(packed, count - 3);
            const ended = plain.at(-4);
            if (ended !== undefined) ended.state = 'over';
          }
        }
      }
      expect(packed.length).toBe(plain.length);
      expect(packed.first).toBe(count - plain.length);
      expect(packed.at(packed.first - 1)).toBeUndefined();
      expect(packed.at(count)).toBeUndefined();
      expect(packed.map(rowOf)).toEqual(plain);
    }),
    { numRuns: 30 },
  );
});

test('no more than two blocks stay loose, beside those in which a row is not over', () => {
  const rows = made(50_000);
  let most = 0;
  for (let number = 0; number < 20 * BLOCK; number++) {
    push(rows, row(number, 0));
    // One order rests in the fifth block.
    if (number !== 4 * BLOCK + 7) end(rows, number);
    most = Math.max(most, rows.looseCount);
  }
  expect(most).toBe(3 * BLOCK);
  end(rows, 4 * BLOCK + 7);
  for (let number = 0; number < BLOCK; number++) push(rows, row(number, 0));
  expect(rows.looseCount).toBe(2 * BLOCK);
});

test('a run of less than two blocks packs nothing', () => {
  const rows = made(50_000);
  for (let number = 0; number < 2 * BLOCK; number++) {
    push(rows, row(number, 0));
    end(rows, number);
  }
  expect(rows.looseCount).toBe(2 * BLOCK);
});
