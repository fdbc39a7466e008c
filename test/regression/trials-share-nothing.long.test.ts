/**
 * Trials of one thread of a search saw what earlier ones had left: on `globalThis`, on prototypes, in packages and in the
 * environment. Six trials with a parameter that does nothing gave six results, and `validate` said that they look ahead.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Evaluation } from '../../src/research/sweep/evaluation.ts';
import type { SweepResult } from '../../src/research/sweep/result.ts';
import { workerPool } from '../../src/research/sweep/worker-pool.ts';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';
import { symbolOf, writeTogether } from '../recording/many-symbols.ts';

const SYMBOL = symbolOf(0);
const TRIALS = 6;
const SPACE = `parameters:\n  unused: { of: [${Array.from({ length: TRIALS }, (_, at) => at + 1).join(', ')}] }\nobjectives:\n  - { metric: volume }\n`;

let folder = '';
beforeEach(async () => {
  folder = freshFolder();
  put('space.yaml', SPACE);
  const counting = 'let seen = 0;';
  put('node_modules/counts/package.json', '{ "name": "counts", "main": "index.js" }');
  put('node_modules/counts/index.js', "exports.next = () => require('./lib').next();");
  put('node_modules/counts/lib.js', `${counting} exports.next = () => ++seen;`);
  put('node_modules/counts-esm/package.json', '{ "name": "counts-esm", "type": "module", "exports": "./index.js" }');
  put('node_modules/counts-esm/index.js', `${counting} export const next = () => ++seen;`);
  await writeTogether(join(folder, 'recording'), { symbols: 1, framesPerSymbol: 80, everyMs: 500, seed: 3 });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Buys as much as it finds of earlier trials, in every place that it knows. */
const PLACES = `
  import counts from 'counts';
  import { next } from 'counts-esm';
  import { z as zod } from 'tidewire';
  const places = globalThis as { early?: number; late?: number };
  places.early = (places.early ?? 0) + 1;
  process.env.SEEN = String(Number(process.env.SEEN ?? 0) + 1);
  function found(): number {
    places.late = (places.late ?? 0) + 1;
    const { jitless } = zod.config();
    zod.config({ jitless: true });
    'left'.match(/(left)/);
    return places.early! + places.late + Number(process.env.SEEN) + counts.next() + next() + (jitless === true ? 1 : 0);
  }
`;

function strategy(head: string, quantity: string, setup = ''): string {
  put(
    'one.ts',
    `import { defineStrategy, target, z } from 'tidewire';
     import { map, take } from 'rxjs';
     ${head}
     export default defineStrategy({
       name: 'one',
       params: z.object({ symbol: z.string().default('${SYMBOL}'), unused: z.number().default(0) }),
       setup: ({ params, market, indicators }) => {
         ${setup}
         return market.top(params.symbol).pipe(take(1), map(() => target(params.symbol, { quantity: ${quantity} })));
       },
     });`,
  );
  return join(folder, 'one.ts');
}

async function search(workers: number): Promise<SweepResult> {
  const asked = [
    '--space',
    'space.yaml',
    '--method',
    'grid',
    '--workers',
    String(workers),
    '--result',
    `${workers}.json`,
  ];
  const ended = await run(['sweep', 'one.ts', '--data', 'recording', '--json', ...asked], { cwd: folder });
  expect(ended.stdout).not.toContain('"error"');
  const found = JSON.parse(readFileSync(join(folder, `${workers}.json`), 'utf8')) as SweepResult;
  expect(found.trials).toHaveLength(TRIALS);
  return found;
}

/** Names that the heads below use. */
const NODE = `
  import { EventEmitter } from 'node:events';
  import Module, { createRequire } from 'node:module';
  import path from 'node:path';
  import util from 'node:util';
  const require = createRequire(import.meta.url);
`;

function reversed(space: string): string {
  return space.replace(/\[(.*)\]/, (_, list: string) => `[${list.split(', ').reverse().join(', ')}]`);
}

describe('with a parameter that does nothing', () => {
  it('all trials of a search are the same, on one thread, on two, and in the other order', async () => {
    strategy(PLACES, 'found()');
    const found = [await search(1)];
    rmSync(join(folder, 'data'), { recursive: true });
    found.push(await search(2));
    put('space.yaml', reversed(SPACE));
    found.push(await search(1));
    const volumes = found.flatMap(({ trials }) => trials.map(({ metrics }) => metrics?.['volume']));
    expect(volumes[0]).toBeGreaterThan(0);
    expect(new Set(volumes).size).toBe(1);
    expect(found.map(({ counts }) => counts.resumed)).toEqual([0, 0, 0]);
  });

  it('no look ahead is found in what is left behind', async () => {
    strategy(PLACES, 'found()');
    const ended = await run(['validate', 'one.ts', '--data', 'recording', '--json'], { cwd: folder });
    expect(documentOf<ValidationResult>(ended).lookAhead).toMatchObject({ ok: true });
    expect(ended.code).toBe(0);
  });
});

it('a package that re-exports is the same one in each trial', async () => {
  put('node_modules/again/package.json', '{ "name": "again", "main": "index.js" }');
  put('node_modules/again/index.js', "module.exports = require('./main');");
  put('node_modules/again/main.js', "const lib = require('./lib'); module.exports = { next: lib.next };");
  put('node_modules/again/lib.js', 'let seen = 0; exports.next = () => ++seen;');
  put('node_modules/beside/package.json', '{ "name": "beside", "type": "module", "exports": "./index.js" }');
  put(
    'node_modules/beside/index.js',
    "import again from 'again'; import lib from 'again/lib.js'; export { again, lib };",
  );
  const asked = "import again from 'again'; import { again as same, lib } from 'beside'; const { next } = again;";
  strategy(asked, '(again === same ? 1 : 0) + next() + lib.next()');
  const volumes = (await search(1)).trials.map(({ metrics }) => metrics?.['volume']);
  expect(volumes[0]).toBeGreaterThan(0);
  expect(new Set(volumes).size).toBe(1);
});

describe('what all code of a process shares is not changed: refused by name is', () => {
  it.each([
    [
      'a method on a prototype, while loaded',
      'Object.assign(Array.prototype, { last: 1 });',
      '',
      'Array.prototype.last',
    ],
    [
      'a method on a prototype, while running',
      '',
      'Object.assign(Array.prototype, { last: 1 });',
      'Array.prototype.last',
    ],
    [
      'one that cannot be taken away',
      "Object.defineProperty(String.prototype, 'last', { value: 1 });",
      '',
      'String.prototype.last',
    ],
    ['another Math.random', 'Math.random = () => 0.5;', '', 'Math.random'],
    ['another JSON.stringify', '', "JSON.stringify = () => '';", 'JSON.stringify'],
    [
      'an operator of rxjs',
      "import { Observable } from 'rxjs'; Object.assign(Observable.prototype, { mine: 1 });",
      '',
      'mine',
    ],
    ['a function of Node', "path.join = () => '';", '', 'node:path.join'],
    ['a package that does it', "import 'counts/extends.js';", '', 'Array.prototype.last'],
    ["a type of zod's", 'Object.assign(Object.getPrototypeOf(z.string()), { n: 1 });', '', 'z.ZodString.prototype.n'],
    [
      "another type of zod's, which nobody has made",
      '',
      'Object.assign(Object.getPrototypeOf(z.cuid2()), { n: 1 });',
      'ZodCUID2.prototype.n',
    ],
    ["a function of zod's", 'Object.assign(z.string, { n: 1 });', '', 'z.string.n'],
    ["zod's registry", '', 'Object.assign(z.globalRegistry, { n: 1 });', 'z.globalRegistry.n'],
    [
      "what zod's registry says of what all share",
      'z.globalRegistry.add(z.string as never, { title: "x" });',
      '',
      'z.globalRegistry of z.string',
    ],
    ['a function of tidewire', 'Object.assign(target, { n: 1 });', '', 'tidewire target.n'],
    ['an indicator of the context', '', 'Object.assign(indicators.ema, { n: 1 });', 'indicators.ema.n'],
    ['the title of the process', '', "process.title = 'x';", 'process.title'],
    ['a table of the process', 'Object.assign(process.features, { n: 1 });', '', 'process.features.n'],
    ['a function of the process', 'Object.assign(process.cwd, { n: 1 });', '', 'process.cwd.n'],
    ['modules that Node keeps', 'Object.assign(require.cache, { n: 1 });', '', 'require.cache n'],
    [
      'the same by another name, while running',
      '',
      'Object.assign(Reflect.get(Module, "_cache") as object, { n: 1 });',
      'require.cache n',
    ],
    ['how Node shows values', '', 'util.inspect.defaultOptions.depth = 7;', 'util.inspect.defaultOptions.depth'],
    [
      'how Node shows values, all at once',
      'util.inspect.defaultOptions = { depth: 7 };',
      '',
      'util.inspect.defaultOptions.depth',
    ],
    [
      'how many listeners Node expects',
      '',
      'EventEmitter.defaultMaxListeners = 77;',
      'EventEmitter.defaultMaxListeners',
    ],
    ['a function of a function of Node', 'Object.assign(util.inspect, { n: 1 });', '', 'node:util inspect.n'],
    ['a table of Node', 'Object.assign(path.win32, { n: 1 });', '', 'node:path win32.n'],
  ])('%s', async (_, head, setup, name) => {
    put('node_modules/counts/extends.js', 'Array.prototype.last = 1;');
    strategy(`${NODE} ${head}`, '1', setup);
    const ended = await run(['backtest', 'one.ts', '--data', 'recording', '--json'], { cwd: folder });
    expect(ended.code).toBe(1);
    expect(errorOf(ended)).toMatchObject({ code: 'strategy_shared_state', message: expect.stringContaining(name) });
  });
});

it('a trial comes out the same whatever ran before it on its thread', async () => {
  const leaves = `
    if (params.unused === 2) Object.assign(Array.prototype, { left: 7 });
    if (params.unused === 3) Object.defineProperty(Array.prototype, 'left', { value: 8 });
    const left = Number(([] as unknown as { left?: number }).left ?? 0) + Number(RegExp.$1 === 'left') + params.unused;
  `;
  const file = strategy(PLACES, 'left + found()', leaves);
  const ground = { file, fixed: {}, config: configSchema.parse({}), data: [join(folder, 'recording')] };
  const pool = workerPool(
    { ...ground, shared: null, seed: 1, argv: [] },
    { workers: 1, timeoutMs: 60_000, clock: createSystemClock() },
  );
  const said = (one: Evaluation): unknown => (one.kind === 'done' ? one.metrics['volume'] : one.reason.split(',')[0]);
  const known = new Map<number, unknown>();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 5 }), async (order) => {
        for (const unused of order) {
          const outcome = said(await pool.evaluate({ params: { unused } }));
          if (!known.has(unused)) known.set(unused, outcome);
          expect(outcome).toEqual(known.get(unused));
        }
      }),
      { numRuns: 4, examples: [[[0, 2, 0, 3, 1, 0]], [[3, 1, 2, 2, 3]]] },
    );
    expect(known.get(0)).toBeGreaterThan(0);
    expect(known.get(2)).toContain('Array.prototype.left');
    expect(known.get(3)).toContain('Array.prototype.left');
  } finally {
    await pool.close();
  }
});
