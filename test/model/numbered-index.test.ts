/** An index by numbered names answers as a map would, whatever the names are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberedIndex } from '../../src/model/numbered-index.ts';

const name = fc.oneof(
  fc.nat(2_000).map((number) => `sim-${number}`),
  fc.tuple(fc.constantFrom('a-1', 'b-2'), fc.nat(60)).map(([boot, number]) => `${boot}-${number}`),
  fc.constantFrom('', '7', '07', 'none', 'sim-', '123456789012345678', '223456789012345678', 'x-256', 'x-512'),
);
const step = fc.record({ name, drops: fc.boolean(), item: fc.nat(9) });

test('numbered-index: answers as a map does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const index = new NumberedIndex<number>();
      const map = new Map<string, number>();
      for (const { name: key, drops, item } of steps) {
        if (drops) {
          index.delete(key);
          map.delete(key);
        } else {
          index.set(key, item);
          map.set(key, item);
        }
      }
      for (const key of new Set(steps.map((one) => one.name))) {
        expect(index.get(key)).toBe(map.get(key));
        expect(index.has(key)).toBe(map.has(key));
      }
    }),
  );
});

test('numbered-index: keeps what counts up beyond every size of its ring, and forgets what was deleted', () => {
  const index = new NumberedIndex<number>();
  for (let number = 1; number <= 300_000; number++) {
    index.set(`sim-${number}`, number);
    if (number > 200_000) index.delete(`sim-${number - 200_000}`);
  }
  for (const number of [100_001, 150_000, 299_999, 300_000]) expect(index.get(`sim-${number}`)).toBe(number);
  for (const number of [1, 50_000, 100_000, 300_001]) expect(index.get(`sim-${number}`)).toBeUndefined();
});
