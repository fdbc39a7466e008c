import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { map, merge, mergeMap, NEVER, of, Subject, tap, throttleTime, throwError, timer, type Observable } from 'rxjs';
import { cancelAll, defineStrategy, note, quote, z, type Action } from 'tidewire';
import { claimUncaught } from '../../../src/strategy/running/scope.ts';
import { installVirtualTime } from '../../../src/strategy/running/virtual-time.ts';
import { MemoryState, orderUpdate, START_MS, World } from '../world.ts';

const FILE = import.meta.filename;

let world: World;
let remove: () => void;
let unhandled: unknown[];

beforeEach(() => {
  world = new World();
  unhandled = [];
  remove = installVirtualTime(world.clock, { unhandled: (thrown) => void unhandled.push(thrown) });
});
afterEach(() => {
  world.stopAll();
  remove();
});

/** The line of the source that holds `marker`. */
async function lineOf(marker: string): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const lines = (await readFile(FILE, 'utf8')).split('\n');
  return lines.findIndex((line) => line.includes(`// ${marker}`)) + 1;
}

describe('a strategy of streams', () => {
  test('its actions are handed over in order, those of a tick in one call', () => {
    const calls: number[] = [];
    const definition = defineStrategy({
      name: 'orderly',
      setup: ({ market }) => market.top('BTCUSDT').pipe(map(({ bid }) => [cancelAll(), note(`bid ${bid}`)])),
    });
    const { running, errors } = world.start(definition, { act: (actions) => void calls.push(actions.length) });
    world.book(100, 101);
    world.book(102, 103);
    expect(calls).toEqual([2, 2]);
    expect(errors).toEqual([]);
    expect(running.status).toBe('running');
  });

  test('operators of time run on the session clock', () => {
    const definition = defineStrategy({
      name: 'throttled',
      setup: ({ market }) =>
        market.top('BTCUSDT').pipe(
          throttleTime(250),
          map(({ mid }) => quote('BTCUSDT', { bids: [{ price: mid - 1, quantity: '0.001' }], asks: [] })),
        ),
    });
    const { actions } = world.start(definition);
    for (let at = 0; at < 1000; at += 10) {
      world.to(at);
      world.book(100 + at / 100, 101 + at / 100);
    }
    expect(actions).toHaveLength(4);
  });

  test('the clock emits full boundaries, each once', () => {
    const seen: number[] = [];
    const definition = defineStrategy({
      name: 'minutes',
      setup: ({ clock }) =>
        clock.every('1m').pipe(
          tap((at) => void seen.push(at - START_MS)),
          mergeMap(() => []),
        ),
    });
    world.to(30_000);
    world.start(definition);
    world.to(181_000);
    expect(seen).toEqual([60_000, 120_000, 180_000]);
  });

  test('a strategy whose stream ends is done, and its actions stay', () => {
    const { running, actions } = world.start(defineStrategy({ name: 'once', setup: () => of(note('hello')) }));
    expect(running.status).toBe('done');
    expect(actions).toEqual([{ kind: 'note', text: 'hello' }]);
  });

  test('random() is seeded', () => {
    const draw = (seed: number): string => {
      const definition = defineStrategy({ name: 'lucky', setup: ({ random }) => of(note(`${random()} ${random()}`)) });
      const [action] = world.start(definition, { seed }).actions;
      return action?.kind === 'note' ? action.text : '';
    };
    expect(draw(7)).toBe(draw(7));
    expect(draw(7)).not.toBe(draw(8));
  });

  test('the account is told once, in order, and order(ref) ends with its order', () => {
    const seen: string[] = [];
    const definition = defineStrategy({
      name: 'watcher',
      setup: ({ account }) =>
        merge(
          account.orders().pipe(tap((order) => void seen.push(`all ${order.ref} ${order.state}`))),
          account
            .order('a')
            .pipe(
              tap({ next: (order) => void seen.push(`a ${order.state}`), complete: () => void seen.push('a over') }),
            ),
        ).pipe(mergeMap(() => [])),
    });
    const { account } = world.start(definition);
    account.tell({ kind: 'order', order: orderUpdate('a', 'open') });
    account.tell({ kind: 'order', order: orderUpdate('b', 'open') });
    account.tell({ kind: 'order', order: orderUpdate('a', 'filled') });
    account.tell({ kind: 'order', order: orderUpdate('b', 'canceled') });
    expect(seen).toEqual([
      'all a open',
      'a open',
      'all b open',
      'all a filled',
      'a filled',
      'a over',
      'all b canceled',
    ]);
  });

  test('stop answers the last actions once and lets go of everything', () => {
    const definition = defineStrategy({
      name: 'parting',
      setup: ({ market, account }) => merge(market.top('BTCUSDT'), account.fills()).pipe(map(() => note('tick'))),
      onStop: (reason) => note(`stopped by ${reason}`),
    });
    const { running, actions, account } = world.start(definition);
    world.book(100, 101);
    expect(running.stop('signal')).toEqual([{ kind: 'note', text: 'stopped by signal' }]);
    expect(running.stop('end')).toEqual([]);
    world.book(105, 106);
    expect(actions).toHaveLength(1);
    expect(account.listeners).toBe(0);
    expect(running.status).toBe('stopped');
  });

  test('a subscription of its own ends with the strategy, too', () => {
    let seen = 0;
    const definition = defineStrategy({
      name: 'side-effects',
      setup: ({ market }) => {
        market.top('BTCUSDT').subscribe(() => seen++);
      },
    });
    const { running } = world.start(definition);
    world.book(100, 101);
    running.stop('end');
    world.book(102, 103);
    expect(seen).toBe(1);
  });
});

describe('a throw stops that strategy alone and names file, line and event', () => {
  const healthy = defineStrategy({
    name: 'healthy',
    setup: ({ market }) => market.top('BTCUSDT').pipe(map(({ bid }) => note(String(bid)))),
  });

  test('in setup', async () => {
    const definition = defineStrategy({
      name: 'bad-setup',
      setup: () => {
        throw new TypeError('no such thing'); // in-setup
      },
    });
    const { errors, running } = world.start(definition, { tag: 'bad' });
    expect(running.status).toBe('failed');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.code).toBe('strategy_threw');
    expect(errors[0]?.details).toMatchObject({
      strategy: 'bad-setup',
      tag: 'bad',
      file: FILE,
      line: await lineOf('in-setup'),
      event: 'setup',
    });
    expect(errors[0]?.message).toContain('run.test.ts');
    expect(errors[0]?.message).toContain('TypeError: no such thing');
  });

  test('in an operator, while others go on', async () => {
    const definition = defineStrategy({
      name: 'bad-operator',
      setup: ({ market }) =>
        market.top('BTCUSDT').pipe(
          map(({ bid }) => {
            if (bid > 101) throw new Error('too high'); // in-operator
            return note('fine');
          }),
        ),
    });
    const bad = world.start(definition);
    const good = world.start(healthy);
    world.book(100, 101);
    world.book(102, 103);
    world.book(104, 105);
    expect(bad.actions).toHaveLength(1);
    expect(bad.errors).toHaveLength(1);
    expect(bad.errors[0]?.details).toMatchObject({ line: await lineOf('in-operator') });
    expect(bad.errors[0]?.details['event']).toMatch(/^top BTCUSDT \{.*bid: 102/);
    expect(good.actions).toHaveLength(3);
    expect(good.errors).toEqual([]);
  });

  test('in a timer of RxJS and in clock.every', async () => {
    const definition = defineStrategy({
      name: 'bad-timer',
      setup: () => {
        timer(500).subscribe(() => {
          throw new Error('late'); // in-timer
        });
      },
    });
    const ticking = defineStrategy({
      name: 'bad-every',
      setup: ({ clock }) =>
        clock.every('1s').pipe(
          map(() => {
            throw new Error('each second'); // in-every
          }),
        ),
    });
    const first = world.start(definition);
    const second = world.start(ticking);
    const good = world.start(healthy);
    world.to(2000);
    world.book(100, 101);
    expect(first.errors[0]?.details).toMatchObject({ line: await lineOf('in-timer'), event: 'a timer' });
    expect(second.errors[0]?.details).toMatchObject({ line: await lineOf('in-every') });
    expect(second.errors[0]?.details['event']).toMatch(/^timer every 1s/);
    expect(good.actions).toHaveLength(1);
    expect(unhandled).toEqual([]);
  });

  test('in a subscription of its own that nobody watches', async () => {
    const definition = defineStrategy({
      name: 'bad-subscriber',
      setup: ({ market }) => {
        market.top('BTCUSDT').subscribe(() => {
          throw new Error('unwatched'); // in-subscriber
        });
        return NEVER;
      },
    });
    const { errors } = world.start(definition);
    world.book(100, 101);
    world.to(1);
    expect(errors.map(({ details }) => details['line'])).toEqual([await lineOf('in-subscriber')]);
    expect(unhandled).toEqual([]);
  });

  test('in onStop', async () => {
    const definition = defineStrategy({
      name: 'bad-stop',
      setup: () => NEVER,
      onStop: () => {
        throw new Error('cannot part'); // in-stop
      },
    });
    const { running, errors } = world.start(definition);
    expect(running.stop('signal')).toEqual([]);
    expect(errors[0]?.details).toMatchObject({ line: await lineOf('in-stop'), event: 'onStop signal' });
  });

  test('what is thrown need not be an Error; the definition is named then', () => {
    const { errors } = world.start(defineStrategy({ name: 'thrower', setup: () => throwError(() => 'just text') }));
    expect(errors[0]?.message).toContain("threw 'just text', which is not an Error");
    expect(errors[0]?.details).toMatchObject({ file: FILE });
    expect(errors[0]?.details['line']).toBeGreaterThan(0);
  });

  test('a typed error of the engine keeps its code and exit', async () => {
    const definition = defineStrategy({
      name: 'wrong-symbol',
      setup: ({ market }) => market.top('BTCUSDR').pipe(map(() => note('never'))), // in-symbol
    });
    const { errors } = world.start(definition);
    expect(errors[0]).toMatchObject({ code: 'unknown_symbol', exit: 2 });
    expect(errors[0]?.message).toContain('BTCUSDT');
    expect(errors[0]?.details).toMatchObject({ line: await lineOf('in-symbol') });
  });

  test('it may still be stopped for its last actions', () => {
    const definition = defineStrategy({
      name: 'failing',
      setup: () => throwError(() => new Error('no')),
      onStop: () => cancelAll(),
    });
    const { running } = world.start(definition);
    expect(running.stop('error')).toEqual([{ kind: 'cancelAll' }]);
    expect(running.status).toBe('failed');
  });

  test('an error from outside that shows its file is put down to it', () => {
    const own = new Set([FILE]);
    const { errors } = world.start(defineStrategy({ name: 'asynchronous', setup: () => NEVER }), { files: own });
    expect(claimUncaught(new Error('rejected in this file'))).toBe(true);
    expect(errors[0]?.message).toContain('rejected in this file');
    expect(claimUncaught(new Error('again: nothing lives any more'))).toBe(false);
  });
});

describe('what is emitted must be an action', () => {
  test('an unknown kind names the nearest, with file and line of its text', async () => {
    const odd = { kind: 'qoute' } as unknown as ReturnType<typeof note>; // in-kind
    const { errors, actions } = world.start(defineStrategy({ name: 'typo', setup: () => of(odd) }));
    expect(errors[0]?.code).toBe('strategy_action_invalid');
    expect(errors[0]?.message).toContain("there is no action 'qoute'; did you mean 'quote'?");
    expect(errors[0]?.details).toMatchObject({ file: FILE, line: await lineOf('in-kind') });
    expect(actions).toEqual([]);
  });

  test('a builder that is called with the wrong shape names the line of the call', async () => {
    const definition = defineStrategy({
      name: 'no-legs',
      setup: ({ market }) =>
        market.top('BTCUSDT').pipe(map(() => quote('BTCUSDT', { bids: [] } as unknown as { bids: []; asks: [] }))), // in-builder
    });
    const { errors } = world.start(definition);
    world.book(100, 101);
    expect(errors[0]?.message).toContain('quote: asks must be an array of {price, quantity}, got undefined');
    expect(errors[0]?.details).toMatchObject({ line: await lineOf('in-builder') });
  });

  test('nothing, a promise and a number are refused by name', () => {
    for (const [value, text] of [
      [undefined, 'undefined'],
      [7, '7'],
      [Promise.resolve(), 'a promise'],
    ] as const) {
      const stream = of(value) as unknown as Observable<Action>;
      const { errors } = world.start(defineStrategy({ name: 'odd', setup: () => stream }));
      expect(errors[0]?.message).toContain(`expected an action, got ${text}`);
    }
  });

  test('setup must answer an Observable or nothing', () => {
    const setup = (() => Promise.resolve()) as unknown as () => void;
    const { errors } = world.start(defineStrategy({ name: 'async-setup', setup }));
    expect(errors[0]?.code).toBe('strategy_definition');
    expect(errors[0]?.message).toContain('got a promise');
  });

  test('an error of the engine while it takes an action is told as its own', () => {
    const { errors } = world.start(defineStrategy({ name: 'innocent', setup: () => of(note('x')) }), {
      act: () => {
        throw new Error('journal is full');
      },
    });
    expect(errors[0]).toMatchObject({ code: 'strategy_act_failed' });
    expect(errors[0]?.message).toContain('journal is full');
  });
});

describe('persisted state', () => {
  const counter = defineStrategy({
    name: 'counter',
    params: z.object({ add: z.number().default(1) }),
    setup: ({ params, state, clock }) => {
      const count = state(z.number(), 0);
      const names = state(z.array(z.string()), []);
      return clock.every('1s').pipe(
        map(() => {
          count.set(count.get() + params.add);
          names.set([...names.get(), `n${count.get()}`]);
          return note(String(count.get()));
        }),
      );
    },
  });

  test('survives a restart', () => {
    const first = world.start(counter, { tag: 'c' });
    world.to(3000);
    first.running.stop('end');
    expect([...first.state.values]).toEqual([
      ['c/state-1', '3'],
      ['c/state-2', '["n1","n2","n3"]'],
    ]);
    const second = world.start(counter, { tag: 'c', state: first.state, params: { add: 10 } });
    world.to(4000);
    expect(second.actions).toEqual([{ kind: 'note', text: '13' }]);
  });

  test('a stored value that no longer fits is an error, not a fresh start', () => {
    const state = new MemoryState();
    state.set('c/state-1', '"three"');
    const { errors } = world.start(counter, { tag: 'c', state });
    expect(errors[0]).toMatchObject({ code: 'strategy_state_unreadable', exit: 5 });
    expect(errors[0]?.message).toContain('c/state-1');
  });

  test('what get answers after a set is what a restart would find', () => {
    const shape = z.object({ legs: z.array(z.number()), side: z.string().trim() });
    const seen: unknown[] = [];
    const definition = defineStrategy({
      name: 'kept',
      setup: ({ state }) => {
        const kept = state(shape, { legs: [], side: '' });
        seen.push(kept.get());
        const value = { legs: [1], side: ' buy ', more: true };
        kept.set(value);
        value.legs.push(2);
        seen.push(kept.get());
      },
    });
    const first = world.start(definition);
    world.start(definition, { state: first.state });
    expect(seen.slice(1, 3)).toEqual([
      { legs: [1], side: 'buy' },
      { legs: [1], side: 'buy' },
    ]);
  });

  test('what JSON cannot give back is refused before it is stored', () => {
    const definition = defineStrategy({
      name: 'lossy',
      setup: ({ state }) => {
        state(z.number().or(z.nan()), 0).set(Number.NaN);
      },
    });
    const { errors, state } = world.start(definition);
    expect(errors[0]?.code).toBe('strategy_state_invalid');
    expect(state.values.size).toBe(0);
  });

  test('named values may be made later, unnamed ones only in setup', () => {
    const later = (name: string | undefined) =>
      defineStrategy({
        name: 'later',
        setup: ({ state, clock }) =>
          clock.every('1s').pipe(
            map(() => {
              const value = name === undefined ? state(z.number(), 1) : state(z.number(), 1, name);
              return note(String(value.get()));
            }),
          ),
      });
    const named = world.start(later('trend'));
    const unnamed = world.start(later(undefined));
    world.to(1000);
    expect(named.actions).toEqual([{ kind: 'note', text: '1' }]);
    expect(unnamed.errors[0]?.message).toContain('must be called in setup');
  });
});

test('a slow subscriber of one strategy never sees events of another scope', () => {
  const shared = new Subject<number>();
  const tags: string[] = [];
  const define = (tag: string) =>
    defineStrategy({
      name: tag,
      setup: ({ market }) =>
        market.top('BTCUSDT').pipe(
          tap(() => shared.next(1)),
          map(() => note(tag)),
        ),
    });
  shared.subscribe(() => void tags.push('shared'));
  const a = world.start(define('a'));
  const b = world.start(define('b'));
  world.book(100, 101);
  expect([a.actions.length, b.actions.length, tags.length]).toEqual([1, 1, 2]);
});
