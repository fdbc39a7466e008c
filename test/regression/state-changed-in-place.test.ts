/**
 * A strategy that changed what `state(…).get()` gave it saw the change at every later `get`, while neither the journal
 * nor a restart knew of it. It is given a copy, whether the value is the initial one, set, or found again.
 */
import { expect, test } from 'vitest';
import { defineStrategy } from '../../src/strategy/define.ts';
import { z } from 'zod';
import { MemoryState, World } from '../strategy/world.ts';

const shape = z.object({ list: z.array(z.number()), n: z.number() });

test.each([
  { where: 'the initial value', stored: null, sets: false },
  { where: 'a value that was set', stored: null, sets: true },
  { where: 'a value of before the restart', stored: '{"list":[1],"n":1}', sets: false },
])('$where changes by set alone', ({ stored, sets }) => {
  const state = new MemoryState();
  if (stored !== null) state.set('s/kept', stored);
  const seen: unknown[] = [];
  const definition = defineStrategy({
    name: 'changed',
    setup: ({ state: made }) => {
      const kept = made(shape, { list: [1], n: 1 }, 'kept');
      if (sets) kept.set({ list: [1], n: 1 });
      kept.get().list.push(5);
      kept.get().n = 5;
      seen.push(kept.get());
      const changed = kept.get();
      changed.list.push(7);
      kept.set(changed);
      changed.list.push(9);
      seen.push(kept.get());
    },
  });
  const world = new World();
  const { errors } = world.start(definition, { tag: 's', state });
  expect(errors).toEqual([]);
  expect(seen).toEqual([
    { list: [1], n: 1 },
    { list: [1, 7], n: 1 },
  ]);
  expect(state.get('s/kept')).toBe('{"list":[1,7],"n":1}');
});
