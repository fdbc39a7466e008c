import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs, { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as nodeSetTimeout } from 'node:timers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { concatMap, from, map, NEVER } from 'rxjs';
import { defineStrategy, note } from 'tidewire';
import { seededRandom } from '../../src/model/random.ts';
import { installTraps, type Traps, type TrapWarning } from '../../src/strategy/traps.ts';
import { installVirtualTime } from '../../src/strategy/virtual-time.ts';
import { START_MS, World } from './world.ts';

const FILE = import.meta.filename;

let world: World;
let removeTime: () => void;
let traps: Traps;
let warnings: TrapWarning[];

beforeEach(() => {
  world = new World();
  warnings = [];
  removeTime = installVirtualTime(world.clock, { asap: 'clock', unhandled: () => {} });
  traps = installTraps({ clock: world.clock, random: seededRandom(1), warn: (warning) => void warnings.push(warning) });
});
afterEach(() => {
  world.stopAll();
  traps.remove();
  removeTime();
});

/** Runs `use` in a strategy, once for each tick of the market. */
function using(use: () => unknown, tag = 'trapped') {
  const definition = defineStrategy({
    name: 'trapped',
    setup: ({ market }) => market.top('BTCUSDT').pipe(map(() => note(String(use())))),
  });
  return world.start(definition, { tag });
}

function texts(actions: readonly { readonly kind: string }[]): readonly string[] {
  return actions.map((action) => ('text' in action ? String(action.text) : ''));
}

describe('Date, timers and Math.random run on the session, with one warning each', () => {
  test('Date.now, new Date and Date() tell the time of the session', () => {
    const { actions, errors } = using(
      () => `${Date.now()} ${new Date().getTime()} ${new Date(0).getTime()} ${Date().slice(0, 3)}`,
    );
    world.book(100, 101);
    world.to(5000);
    world.book(101, 102);
    expect(errors).toEqual([]);
    expect(texts(actions)).toEqual([`${START_MS} ${START_MS} 0 Thu`, `${START_MS + 5000} ${START_MS + 5000} 0 Thu`]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ tag: 'trapped', used: 'Date', file: FILE });
    expect(warnings[0]?.line).toBeGreaterThan(0);
    expect(warnings[0]?.message).toContain('traps.test.ts:');
  });

  test('a Date is still a Date', () => {
    const { actions } = using(
      () => new Date() instanceof Date && Object.prototype.toString.call(new Date()) === '[object Date]',
    );
    world.book(100, 101);
    expect(texts(actions)).toEqual(['true']);
  });

  test('setTimeout, setInterval, setImmediate and their cancels, also from node:timers', () => {
    const seen: string[] = [];
    const definition = defineStrategy({
      name: 'timers',
      setup: ({ clock }) => {
        const at = (name: string) => () => void seen.push(`${name} ${clock.now() - START_MS}`);
        setTimeout(at('once'), 250);
        setTimeout((text: string) => void seen.push(text), 300, 'argument');
        nodeSetTimeout(at('node'), 400);
        setImmediate(at('soon'));
        clearTimeout(setTimeout(at('never'), 10));
        const repeated = setInterval(at('each'), 100);
        setTimeout(() => clearInterval(repeated), 250).unref();
        return NEVER;
      },
    });
    const { errors } = world.start(definition);
    world.to(1000);
    expect(errors).toEqual([]);
    expect(seen).toEqual(['soon 0', 'each 100', 'each 200', 'once 250', 'argument', 'node 400']);
    expect(warnings.map(({ used }) => used)).toEqual(['setTimeout', 'setImmediate', 'setInterval']);
  });

  test('a throw in such a timer stops the strategy', () => {
    const definition = defineStrategy({
      name: 'late',
      setup: () => {
        setTimeout(() => {
          throw new Error('too late');
        }, 10);
        return NEVER;
      },
    });
    const { errors } = world.start(definition);
    world.to(20);
    expect(errors[0]?.message).toContain('too late');
    expect(errors[0]?.details).toMatchObject({ file: FILE, event: 'setTimeout' });
  });

  test('Math.random is seeded for each strategy', () => {
    const first = using(() => Math.random(), 'a');
    const second = using(() => Math.random(), 'b');
    world.book(100, 101);
    world.book(101, 102);
    const expected = seededRandom(1).fork('Math.random/a');
    expect(texts(first.actions)).toEqual([String(expected.next()), String(expected.next())]);
    expect(texts(second.actions)).not.toEqual(texts(first.actions));
    expect(warnings.map(({ used }) => used)).toEqual(['Math.random', 'Math.random']);
  });
});

describe('what would make two runs differ is refused with file and line', () => {
  const uses: readonly (readonly [string, () => unknown])[] = [
    ['performance.now()', () => performance.now()],
    ['process.hrtime.bigint()', () => process.hrtime.bigint()],
    ['crypto.randomUUID()', () => crypto.randomUUID()],
    ['crypto.getRandomValues()', () => crypto.getRandomValues(new Uint8Array(4))],
    ['crypto.randomUUID()', () => randomUUID()],
    ['fs.readFileSync()', () => readFileSync(FILE)],
    ['fs.readFileSync()', () => fs.readFileSync(FILE)],
    ['fs/promises.readFile()', () => fs.promises.readFile(FILE)],
    ['globalThis.fetch()', () => fetch('http://127.0.0.1:9/')],
    ['net.connect()', () => net.connect(9)],
    ['net.Socket.connect()', () => new net.Socket().connect(9)],
    ['new WebSocket()', () => new WebSocket('ws://127.0.0.1:9/')],
  ];

  test.each(uses)('%s', (used, use) => {
    const { errors, actions } = using(use);
    world.book(100, 101);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.code).toBe('strategy_nondeterministic');
    expect(errors[0]?.message).toContain(used);
    expect(errors[0]?.details).toMatchObject({ file: FILE });
    expect(errors[0]?.details['line']).toBeGreaterThan(0);
    expect(errors[0]?.details['event']).toMatch(/^top BTCUSDT/);
    expect(actions).toEqual([]);
  });

  test('catching the error does not help', () => {
    const { errors, running } = using(() => {
      try {
        return readFileSync(FILE);
      } catch {
        return 'swallowed';
      }
    });
    world.book(100, 101);
    expect(errors[0]?.code).toBe('strategy_nondeterministic');
    expect(running.status).toBe('failed');
  });

  test('the engine may do all of it, also when a strategy called it', () => {
    const definition = defineStrategy({ name: 'logging', setup: ({ log }) => log.info({}, 'text') });
    let told = 0;
    const write = (): void => {
      told += readFileSync(FILE).length + performance.now() + Date.now();
    };
    const log = { debug: write, info: write, warn: write, error: write, child: () => log };
    const { errors } = world.start(definition, { log, files: new Set(['/elsewhere.ts']) });
    expect(errors).toEqual([]);
    expect(told).toBeGreaterThan(0);
    expect(Math.abs(Date.now() - new Date().getTime())).toBeLessThan(1000);
    expect(Date.now()).not.toBe(START_MS);
    expect(warnings).toEqual([]);
  });
});

describe('promises', () => {
  test('one that nobody awaits stops the strategy and names its line', async () => {
    const work = async (): Promise<void> => {};
    const { errors } = using(() => {
      void work();
      return 'left alone';
    });
    world.book(100, 101);
    expect(traps.promisePending).toBe(true);
    await traps.drain();
    expect(traps.promisePending).toBe(false);
    expect(errors[0]?.code).toBe('strategy_nondeterministic');
    expect(errors[0]?.message).toContain('a promise was made that nobody awaits');
    expect(errors[0]?.details).toMatchObject({ file: FILE });
  });

  test('one that RxJS awaits is drained before time goes on', async () => {
    const double = async (value: number): Promise<number> => {
      const half = await Promise.resolve(value);
      return half * 2;
    };
    const definition = defineStrategy({
      name: 'awaiting',
      setup: ({ market }) =>
        market.top('BTCUSDT').pipe(
          concatMap(({ bid }) => from(double(bid))),
          map((value) => note(String(value))),
        ),
    });
    const { actions, errors } = world.start(definition);
    world.book(100, 101);
    expect(actions).toEqual([]);
    await traps.drain();
    expect(errors).toEqual([]);
    expect(texts(actions)).toEqual(['200']);
  });

  test('after an await the strategy is still trapped', async () => {
    const definition = defineStrategy({
      name: 'sneaky',
      setup: ({ market }) =>
        market.top('BTCUSDT').pipe(
          concatMap(async () => {
            await Promise.resolve();
            return note(`${Date.now()} ${readFileSync(FILE).length}`);
          }),
        ),
    });
    const { actions, errors } = world.start(definition);
    world.book(100, 101);
    await traps.drain();
    expect(actions).toEqual([]);
    expect(errors[0]?.code).toBe('strategy_nondeterministic');
    expect(warnings.map(({ used }) => used)).toEqual(['Date']);
  });

  test('no promise, nothing pending', () => {
    using(() => 'plain');
    world.book(100, 101);
    expect(traps.promisePending).toBe(false);
  });
});

test('removing puts every global back', () => {
  const globals = (): readonly unknown[] => [
    Date,
    Math.random,
    setTimeout,
    fetch,
    fs.readFileSync,
    readFileSync,
    randomUUID,
    process.hrtime,
    WebSocket,
    Date.now,
  ];
  const trapped = globals();
  const shadowed = Object.hasOwn(performance, 'now');
  traps.remove();
  const real = globals();
  expect(shadowed).toBe(true);
  expect(Object.hasOwn(performance, 'now')).toBe(false);
  for (const [index, value] of real.entries()) expect(value).not.toBe(trapped[index]);
  expect(Math.abs(Date.now() - START_MS)).toBeGreaterThan(1000);
});

test('a rejection that nobody takes stops that strategy, not the process', async () => {
  // In a process of its own: the test runner watches for rejections, too.
  const folder = await mkdtemp(join(tmpdir(), 'tidewire-rejection-'));
  try {
    const strategy = join(folder, 'rejecting.ts');
    await writeFile(
      strategy,
      [
        "import { defineStrategy } from 'tidewire';",
        "import { NEVER } from 'rxjs';",
        'const work = async (): Promise<void> => {',
        '  await Promise.resolve();',
        "  throw new Error('rejected');",
        '};',
        "export default defineStrategy({ name: 'rejecting', setup: () => { void work(); return NEVER; } });",
      ].join('\n'),
    );
    const script = join(folder, 'main.ts');
    const root = process.cwd();
    await writeFile(
      script,
      [
        `import { loadStrategy } from '${root}/src/strategy/load.ts';`,
        `import { installTraps } from '${root}/src/strategy/traps.ts';`,
        `import { seededRandom } from '${root}/src/model/random.ts';`,
        `import { World } from '${root}/test/strategy/world.ts';`,
        `const { definition, files } = await loadStrategy('${strategy}');`,
        'const world = new World();',
        'const traps = installTraps({ clock: world.clock, random: seededRandom(1), warn: () => {} });',
        'const { errors } = world.start(definition, { files });',
        'await traps.drain();',
        'traps.remove();',
        'process.stdout.write(JSON.stringify(errors.map(({ code, details }) => [code, details.line])));',
      ].join('\n'),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(JSON.parse(stdout)).toEqual([['strategy_threw', 5]]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
