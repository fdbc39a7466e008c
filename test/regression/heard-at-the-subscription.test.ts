/**
 * Found by use: what came of an action that was emitted while the streams of `setup` were being subscribed (a price is known
 * already, as in a live session) was missed by the streams of `merge` behind it, and a backtest heard it.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { concat, EMPTY, map, merge, NEVER, of, Subject, take, throwError } from 'rxjs';
import { defineStrategy, note } from 'tidewire';
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

it('subscription/streams-behind-the-first-hear-what-became-of-it', () => {
  const denials = new Subject<string>();
  const heard: string[] = [];
  const definition = defineStrategy({
    name: 'eager',
    setup: ({ market }) =>
      merge(
        market.top('BTCUSDT').pipe(
          take(1),
          map(({ bid }) => note(`bid ${bid}`)),
        ),
        denials.pipe(map((text) => (heard.push(text), note('heard')))),
      ),
  });
  world.book(100, 101);
  const { actions, errors } = world.start(definition, {
    act: ([action]) => {
      if (action?.kind === 'note' && action.text.startsWith('bid')) denials.next('denied');
    },
  });
  expect(errors).toEqual([]);
  expect(heard).toEqual(['denied']);
  expect(actions.length).toBe(0);
});

it.each([
  ['completes', EMPTY, 'done'],
  ['fails', throwError(() => new Error('early')), 'failed'],
  ['goes on', NEVER, 'running'],
] as const)('subscription/hands-over-in-order-what-came-before-it-%s', (_name, then, status) => {
  const calls: number[] = [];
  const definition = defineStrategy({ name: 'early', setup: () => concat(of(note('1'), note('2'), note('3')), then) });
  const { running } = world.start(definition, {
    act: (actions) => {
      for (const action of actions) if (action.kind === 'note') calls.push(Number(action.text));
    },
  });
  expect(calls).toEqual([1, 2, 3]);
  expect(running.status).toBe(status);
});
