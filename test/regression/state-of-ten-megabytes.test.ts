/** Found by use: a value of `state` of 10 MB was taken without a word, and each `set` wrote all of it to the journal. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NEVER } from 'rxjs';
import { defineStrategy, z } from 'tidewire';
import { installVirtualTime } from '../../src/strategy/running/virtual-time.ts';
import { World } from '../strategy/world.ts';

let world: World;
let remove: () => void;

beforeEach(() => {
  world = new World();
  remove = installVirtualTime(world.clock, { unhandled: () => {} });
});
afterEach(() => {
  world.stopAll();
  remove();
});

it.each([
  [999_998, undefined],
  [999_999, 'strategy_state_invalid'],
])('state/of-%i-characters', (length, code) => {
  const definition = defineStrategy({
    name: 'hoarder',
    setup({ state }) {
      state(z.string(), '', 'all').set('x'.repeat(length));
      return NEVER;
    },
  });
  const { errors } = world.start(definition);
  expect(errors[0]?.code).toBe(code);
});
