import { execFile } from 'node:child_process';
import { createDiffieHellman, createECDH, getDiffieHellman, pbkdf2, randomUUID } from 'node:crypto';
import fs, { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as nodeSetTimeout } from 'node:timers';
import { DatabaseSync } from 'node:sqlite';
import { scheduler, setTimeout as nodeSleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { createGzip, gzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { concatMap, firstValueFrom, from, map, NEVER, timer } from 'rxjs';
import { defineStrategy, note } from 'tidewire';
import { seededRandom } from '../../src/model/random.ts';
import { installTraps, type Traps, type TrapWarning } from '../../src/strategy/traps.ts';
import { installVirtualTime } from '../../src/strategy/running/virtual-time.ts';
import { START_MS, World } from './world.ts';

const FILE = import.meta.filename;
/** WebAssembly without a function. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** Taken before the traps: this file is its strategies' file, so a trapped one would wait for the session's clock. */
const realTurn = setImmediate;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    realTurn(resolve);
  });

let world: World;
let removeTime: () => void;
let traps: Traps;
let warnings: TrapWarning[];
/** `process.nextTick` as the traps have put it. */
let trapped: typeof process.nextTick;

beforeEach(async () => {
  // The test runner swaps process.nextTick while it reports, and puts its own back a tick later.
  await turn();
  world = new World();
  warnings = [];
  removeTime = installVirtualTime(world.clock, { unhandled: () => {} });
  do {
    traps?.remove();
    traps = installTraps({
      clock: world.clock,
      random: seededRandom(1),
      warn: (warning) => void warnings.push(warning),
    });
    trapped = Reflect.get(process, 'nextTick');
    await turn();
  } while (process.nextTick !== trapped);
});
/**
 * When the test runner does not report at this moment. A report that began before the traps came puts the function of
 * that time back and leaves it so.
 */
async function untilTrapped(): Promise<void> {
  for (let waited = 0; process.nextTick !== trapped; waited++) {
    if (waited > 1_000) process.nextTick = trapped;
    else await turn();
  }
}
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

  test('what a Date leads to is a Date of the session', () => {
    const { actions } = using(() => {
      const Made = new Date(0).constructor as DateConstructor;
      return new Made().getTime();
    });
    world.book(100, 101);
    expect(texts(actions)).toEqual([String(START_MS)]);
  });

  test('a format without a date formats the time of the session', () => {
    const { actions, errors } = using(() => {
      const format = new Intl.DateTimeFormat('en', {
        timeZone: 'UTC',
        year: 'numeric',
        month: 'short',
        day: 'numeric',
      });
      return `${format.format()} / ${format.formatToParts()[0]?.value} / ${format.format(0)}`;
    });
    world.book(100, 101);
    expect(errors).toEqual([]);
    expect(texts(actions)).toEqual(['Jan 1, 2026 / Jan / Jan 1, 1970']);
    expect(warnings.map(({ used }) => used)).toEqual(['Intl.DateTimeFormat']);
  });

  test.each([
    ['Date.getHours', () => new Date(0).getHours()],
    ['Date.toString', () => String(new Date(0))],
    ['Date.toLocaleString', () => new Date(0).toLocaleString()],
    ['Intl.DateTimeFormat', () => new Intl.DateTimeFormat().format(0)],
  ])("%s is warned of, as it depends on the machine's zone and locale", (used, use) => {
    const { errors, actions } = using(use);
    world.book(100, 101);
    world.book(101, 102);
    expect(errors).toEqual([]);
    expect(actions).toHaveLength(2);
    expect(warnings).toMatchObject([{ used, file: FILE }]);
    expect(warnings[0]?.message).toMatch(/depends on the machine's/);
  });

  test('with zone and locale named there is nothing to warn of', () => {
    const { errors } = using(
      () => `${new Date(0).toLocaleString('en', { timeZone: 'UTC' })} ${new Date(0).getUTCHours()}`,
    );
    world.book(100, 101);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
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
    ['performance.mark()', () => performance.mark('now')],
    ['process.hrtime()', () => process.hrtime()],
    ['process.cpuUsage()', () => process.cpuUsage()],
    ['os.loadavg()', () => loadavg()],
    ['crypto.subtle.generateKey()', () => crypto.subtle.generateKey('Ed25519', true, ['sign'])],
    ['AbortSignal.timeout()', () => AbortSignal.timeout(5)],
    ['scheduler.wait()', () => scheduler.wait(5)],
    ['timers/promises.setTimeout()', () => nodeSleep(5)],
    ['timers/promises.setTimeout()', () => promisify(setTimeout)(5)],
    ['Atomics.wait()', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)],
    ['WebAssembly.compile()', () => Reflect.get(globalThis, 'WebAssembly').compile(EMPTY_MODULE)],
    ['zlib.gzip()', () => gzip('text', () => {})],
    ['zlib.createGzip()', () => createGzip()],
    ['vm.runInNewContext()', () => runInNewContext('Date.now()')],
    ['new Worker()', () => new Worker('0', { eval: true })],
    ['new MessageChannel()', () => new MessageChannel()],
    ['new WeakRef()', () => new WeakRef({})],
    ['child_process.execFile()', () => execFile('true')],
    ['crypto.ECDH.generateKeys()', () => createECDH('secp256k1').generateKeys()],
    ['crypto.DiffieHellmanGroup.generateKeys()', () => getDiffieHellman('modp1').generateKeys()],
    ['crypto.createDiffieHellman()', () => createDiffieHellman(64)],
    ['process.memoryUsage.rss()', () => process.memoryUsage.rss()],
    ['process.availableMemory()', () => process.availableMemory()],
    ['process.getActiveResourcesInfo()', () => process.getActiveResourcesInfo()],
    ['process.report.getReport()', () => process.report.getReport()],
    ['process.pid', () => process.pid],
    ['v8.getHeapStatistics()', () => getHeapStatistics()],
    ['performance.timeOrigin', () => performance.timeOrigin],
    ['Event.timeStamp', () => new Event('x').timeStamp],
    ['File.lastModified', () => new File([], 'x').lastModified],
    ['sqlite.DatabaseSync.prepare()', () => new DatabaseSync(':memory:').prepare('SELECT julianday()').get()],
    ['work of the kind HASHREQUEST', () => crypto.subtle.digest('SHA-256', EMPTY_MODULE)],
    ['work of the kind PBKDF2REQUEST', () => pbkdf2('a', 'b', 1, 32, 'sha1', () => {})],
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

  test('process.exit() in the code of all modes', () => {
    const { errors } = using(() => process.exit(0));
    world.book(100, 101);
    expect(errors).toMatchObject([{ code: 'strategy_ends_process', details: { file: FILE } }]);
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
    expect(errors[0]?.message).toContain('a promise was made that nothing awaits');
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

  test.each(['queueMicrotask', 'process.nextTick'] as const)(
    'what %s queues runs before time goes on',
    async (name) => {
      const seen: number[] = [];
      const definition = defineStrategy({
        name: 'queueing',
        setup: ({ market, clock }) =>
          market.top('BTCUSDT').pipe(
            map(() => {
              const run = (): void => {
                seen.push(clock.now() - START_MS);
                if (seen.length === 2) throw new Error('of a microtask');
              };
              if (name === 'queueMicrotask') queueMicrotask(run);
              else process.nextTick(run);
              return note('queued');
            }),
          ),
      });
      const { errors } = world.start(definition);
      for (const at of [100, 200]) {
        await untilTrapped();
        world.to(at);
        world.book(at, at + 1);
        expect(traps.promisePending).toBe(true);
        await traps.drain();
      }
      expect(seen).toEqual([100, 200]);
      expect(errors[0]?.message).toContain('of a microtask');
      expect(errors[0]?.details).toMatchObject({ file: FILE, event: name.replace('process.', '') });
    },
  );

  test('no promise, nothing pending', () => {
    using(() => 'plain');
    world.book(100, 101);
    expect(traps.promisePending).toBe(false);
  });
});

describe('allowAsync lets the clock stand still until every promise is drained', () => {
  /** Runs `work` in a strategy at each tick, and does not await it. */
  function leaving(work: (say: (text: string) => void) => void, allowAsync = true) {
    const said: string[] = [];
    const definition = defineStrategy({
      name: 'leaving',
      allowAsync,
      setup: ({ market, clock }) =>
        market.top('BTCUSDT').pipe(
          map(() => {
            work((text) => void said.push(`${text} at ${clock.now() - START_MS}`));
            return note('left');
          }),
        ),
    });
    return { said, ...world.start(definition) };
  }

  test('one that nobody awaits runs to its end at the same instant', async () => {
    const { said, errors } = leaving((say) => {
      const work = async (): Promise<void> => {
        for (let step = 0; step < 20; step++) await Promise.resolve();
        say('done');
      };
      void work();
    });
    for (const at of [10, 20]) {
      world.to(at);
      world.book(at, at + 1);
      await traps.drain();
    }
    expect(errors).toEqual([]);
    expect(said).toEqual(['done at 10', 'done at 20']);
  });

  test('one that another thread answers, and what follows from it', async () => {
    const { said, errors } = leaving((say) => {
      const work = async (): Promise<void> => {
        const once = await crypto.subtle.digest('SHA-256', EMPTY_MODULE);
        const twice = await crypto.subtle.digest('SHA-256', once);
        say(String(twice.byteLength));
      };
      void work();
      pbkdf2('a', 'b', 1000, 16, 'sha1', (_, key) => say(`key of ${key.length}`));
    });
    world.to(10);
    world.book(100, 101);
    expect(traps.promisePending).toBe(true);
    await traps.drain();
    expect(traps.promisePending).toBe(false);
    expect(errors).toEqual([]);
    expect(said.toSorted()).toEqual(['32 at 10', 'key of 16 at 10']);
  });

  test("one that waits for the session's clock does not hold it up", async () => {
    const { said, errors } = leaving((say) => {
      void firstValueFrom(timer(50)).then(() => say('later'));
    });
    world.book(100, 101);
    await traps.drain();
    expect(said).toEqual([]);
    world.to(50);
    await traps.drain();
    expect(errors).toEqual([]);
    expect(said).toEqual(['later at 50']);
  });

  test('a rejection still stops the strategy', async () => {
    const { errors } = leaving(() => {
      void Promise.resolve()
        .then(() => {
          throw new Error('rejected');
        })
        .catch((thrown: unknown) => {
          setTimeout(() => {
            throw thrown;
          }, 5);
        });
    });
    world.book(100, 101);
    await traps.drain();
    world.to(10);
    expect(errors[0]?.message).toContain('rejected');
  });

  test.each([
    ['fs.readFileSync()', () => void readFileSync(FILE)],
    ['globalThis.fetch()', () => void fetch('http://127.0.0.1:9/')],
    ['crypto.randomUUID()', () => void crypto.randomUUID()],
    ['work of the kind BLOBREADER', () => void new Blob(['text']).text()],
  ])('%s is refused all the same', (used, use) => {
    const { errors } = leaving(use);
    world.book(100, 101);
    expect(errors[0]?.code).toBe('strategy_nondeterministic');
    expect(errors[0]?.message).toContain(used);
    expect(errors[0]?.details).toMatchObject({ file: FILE });
  });

  test('without it the same code is stopped, and told of it', () => {
    const { errors } = leaving(() => void crypto.subtle.digest('SHA-256', EMPTY_MODULE), false);
    world.book(100, 101);
    expect(errors[0]?.code).toBe('strategy_nondeterministic');
    expect(errors[0]?.message).toContain('allowAsync: true lets the clock wait for it');
  });
});

test('removing puts every global back', async () => {
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
    queueMicrotask,
    Reflect.get(process, 'nextTick'),
    Intl.DateTimeFormat,
    Reflect.get(Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') ?? {}, 'get'),
    Reflect.get(Date.prototype, 'getHours'),
    Date.prototype.constructor,
    Worker,
  ];
  await untilTrapped();
  const before = globals();
  const shadowed = Object.hasOwn(performance, 'now');
  traps.remove();
  const real = globals();
  expect(shadowed).toBe(true);
  expect(Object.hasOwn(performance, 'now')).toBe(false);
  for (const [index, value] of real.entries()) expect(value).not.toBe(before[index]);
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
        `import { loadStrategy } from '${root}/src/strategy/loading/load.ts';`,
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
