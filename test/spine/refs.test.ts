/** A ref is used once per strategy, by whatever numbers a strategy counts its own. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refs } from '../../src/spine/orders/refs.ts';

const chosen = fc.oneof(
  fc.nat(12).map((number) => `leg-${number}`),
  fc.nat(12).map((number) => `a-b-${number}`),
  fc.constantFrom('', '-1', 'leg-01', 'leg-', 'leg', 'leg-1#2', 'leg-1000000000000000', 'maker-3'),
);

test('refs: a chosen ref is taken once, and the state tells of all', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('one', 'two'), chosen), { maxLength: 80 }), (choices) => {
      const refs = new Refs();
      const used = new Set<string>();
      for (const [strategy, ref] of choices) {
        const key = `${strategy}/${ref}`;
        expect(refs.choose(strategy, 'maker', ref)).toBe(!used.has(key));
        used.add(key);
      }
      expect(refs.chosen()).toEqual([...used].toSorted());
    }),
  );
});

test('refs: numbered ones skip what was chosen, and cannot be chosen again', () => {
  const refs = new Refs();
  expect(refs.choose('one', 'maker', 'maker-2')).toBe(true);
  expect([refs.next('one', 'maker'), refs.next('one', 'maker')]).toEqual(['maker-1', 'maker-3']);
  expect(refs.choose('one', 'maker', 'maker-1')).toBe(false);
  expect(refs.choose('two', 'maker', 'maker-3')).toBe(false);
  expect(refs.choose('two', 'maker', 'maker-03')).toBe(true);
  expect(refs.choose('two', 'other', 'maker-3')).toBe(true);
});

test('refs: what a journal tells is used up', () => {
  const refs = new Refs();
  refs.restore('one', 'maker-7', true);
  refs.restore('one', 'leg-1', false);
  refs.restore('one', 'leg-1', false);
  expect(refs.next('one', 'maker')).toBe('maker-8');
  expect(refs.choose('one', 'maker', 'leg-1')).toBe(false);
  expect(refs.chosen()).toEqual(['one/leg-1']);
  expect(refs.entries()).toEqual([['maker', 8]]);
});
