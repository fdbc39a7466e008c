/**
 * A file that was read while a strategy was loaded, code in `node_modules`, the environment and the arguments could change, and
 * the run hash stayed: the second result was not counted, and a search answered with trials of the old input.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import type { SweepResult } from '../../src/research/sweep/result.ts';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { loadStrategy } from '../../src/strategy/loading/load.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { symbolOf, writeTogether } from '../recording/many-symbols.ts';

const SYMBOL = symbolOf(0);
const SPACE = 'parameters:\n  unused: { of: [1, 2] }\nobjectives:\n  - { metric: volume }\n';

let folder = '';
beforeEach(async () => {
  folder = freshFolder();
  put('space.yaml', SPACE);
  await writeTogether(join(folder, 'recording'), { symbols: 1, framesPerSymbol: 80, everyMs: 500, seed: 3 });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Buys once, `size` of it; `late` is read while it runs. */
function strategy(head: string, size = 'size', late = ''): void {
  put(
    'one.ts',
    `import { defineStrategy, target, z } from 'tidewire';
     import { map, take } from 'rxjs';
     ${head}
     export default defineStrategy({
       name: 'one',
       params: z.object({ symbol: z.string().default('${SYMBOL}'), unused: z.number().default(0) }),
       setup: ({ params, market }) => {
         ${late}
         return market.top(params.symbol).pipe(take(1), map(() => target(params.symbol, { quantity: Number(${size}) })));
       },
     });`,
  );
}

interface Place {
  readonly env?: Readonly<Record<string, string>>;
  readonly more?: readonly string[];
  readonly cwd?: string;
}

async function search({ env = {}, more = [], cwd = folder }: Place = {}): Promise<SweepResult> {
  const [file, data, space] = ['one.ts', 'recording', 'space.yaml'].map((name) => join(folder, name));
  const asked = ['--method', 'grid', '--workers', '1', '--result', join(folder, 'found.json'), '--json', ...more];
  const ended = await run(['sweep', file!, '--data', data!, '--space', space!, ...asked], { cwd, env });
  expect(ended.stdout + ended.stderr).not.toContain('"error"');
  return JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8')) as SweepResult;
}

function volumes({ trials }: SweepResult): readonly unknown[] {
  return trials.map(({ metrics }) => metrics?.['volume']);
}

/** The first search says one thing, the second another, and nothing of the first is taken for it. */
function expectFresh(first: SweepResult, second: SweepResult): void {
  expect(second.counts).toMatchObject({ done: 2, resumed: 0 });
  expect(first.trials[0]?.metrics?.['volume']).toBeGreaterThan(0);
  expect(second.trials[0]?.metrics?.['volume']).toBeGreaterThan(0);
  expect(volumes(second)).not.toEqual(volumes(first));
  const hashes = [...first.trials, ...second.trials].map(({ runHash }) => runHash);
  expect(new Set(hashes).size).toBe(4);
}

const FS_ALONE = "import fs from 'node:fs';";
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
const FS = "import fs, { promises } from 'node:fs'; const here = (name: string) => new URL(name, import.meta.url);";

/** One backtest in this process, and what the ledger makes of it. */
async function backtested(): Promise<{ readonly runHash: string | null; readonly volume: unknown }> {
  const strategies = await prepareStrategies({ file: join(folder, 'one.ts'), params: {}, entries: [] });
  const run = await backtest({
    config: configSchema.parse({}),
    strategies,
    data: [join(folder, 'recording')],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  expect([...run.failures.values()]).toEqual([]);
  return { runHash: run.result.runHash, volume: run.result.stats.volume };
}

/** The same twice, and another after `change`. */
async function expectAnother(change: () => void): Promise<void> {
  const first = await backtested();
  expect(first.volume).toBeGreaterThan(0);
  expect(await backtested()).toEqual(first);
  change();
  const second = await backtested();
  expect(second.volume).toBeGreaterThan(0);
  expect(second.volume).not.toBe(first.volume);
  expect(second.runHash).not.toBe(first.runHash);
}

describe('a backtest is another one after a change of', () => {
  it.each([
    ['a file that is read', 'const size = fs.readFileSync(here("x.txt"), "utf8");'],
    ['a file that is awaited', 'const size = await promises.readFile(here("x.txt"), "utf8");'],
    [
      'a file that is read by a function of promisify',
      "import { promisify } from 'node:util'; const size = await promisify(fs.readFile)(here('x.txt'), 'utf8');",
    ],
    [
      'a file that is opened',
      'const b = Buffer.alloc(2); fs.readSync(fs.openSync(here("x.txt"), "r"), b); const size = b.toString().slice(0, 1);',
    ],
    [
      'a file that is streamed',
      'let size = ""; for await (const part of fs.createReadStream(here("x.txt"))) size += String(part);',
    ],
    ['a file that is looked at', 'const size = fs.statSync(here("x.txt")).size;'],
    ['the names in a folder', 'const size = fs.readdirSync(here("sizes")).length;'],
    ['what is not there', 'const size = fs.existsSync(here("sizes/two.txt")) ? 2 : 1;'],
  ])('%s', async (_, size) => {
    put('x.txt', '1');
    put('sizes/one.txt', '');
    strategy(`${FS} ${size}`);
    await expectAnother(() => {
      put('x.txt', '25');
      put('sizes/two.txt', '');
    });
  });

  it.each([
    ['a package of CommonJS', "import sizes from 'sizes'; const { size } = sizes;", ''],
    ['a package of ES modules', "import { size } from 'sizes-esm';", ''],
    ['a package that is required', `${REQUIRE} const { size } = require('sizes');`, ''],
    ['a package that is required while it runs', REQUIRE, "const { size } = require('sizes');"],
    ['a part of a package that is required while it runs', "import sizes from 'sizes';", 'const size = sizes.late();'],
    ['a file of JSON', "import x from './x.json' with { type: 'json' }; const { size } = x;", ''],
    ['a file that is imported by a link', "import { size } from './linked.ts';", ''],
  ])('%s', async (_, head, late) => {
    put('node_modules/sizes/package.json', '{ "name": "sizes", "main": "index.js" }');
    put(
      'node_modules/sizes/index.js',
      "exports.size = require('./lib').size; exports.late = () => require('./late').size;",
    );
    put('node_modules/sizes-esm/package.json', '{ "name": "sizes-esm", "type": "module", "exports": "./index.js" }');
    const sized = (size: number): void => {
      put('node_modules/sizes/lib.js', `exports.size = ${size};`);
      put('node_modules/sizes/late.js', `exports.size = ${size};`);
      put('node_modules/sizes-esm/index.js', `export const size = ${size};`);
      put('behind.ts', `export const size: number = ${size};`);
      put('x.json', JSON.stringify({ size }));
    };
    sized(1);
    symlinkSync('behind.ts', join(folder, 'linked.ts'));
    strategy(head, 'size', late);
    await expectAnother(() => sized(2));
  });

  it.each([
    ['all of a module that is re-exported', "module.exports = require('./lib');"],
    ['a part of one', "module.exports = { size: require('./lib.js').size };"],
    ['all of one, spread', "module.exports = { ...require('./lib.js') };"],
    ['what a variable holds of one', "const lib = require('./lib.js'); module.exports = { size: lib.size };"],
    ['what is re-exported of what is re-exported', "module.exports = require('./inner');"],
    ['JSON that is re-exported', "module.exports = require('./size.json');"],
    ['modules that re-export each other', "exports.size = 0; module.exports = require('./round');"],
    [
      'what is required from elsewhere',
      "module.exports = require('module').createRequire(require('path').join(__dirname, 'elsewhere/none.js'))('./lib');",
    ],
    ['what the loader itself is asked for', "module.exports = require('module')._load(__dirname + '/lib.js');"],
  ])('%s', async (_, index) => {
    const esm = '{ "name": "outer", "type": "module", "exports": "./index.js" }';
    put(
      'node_modules/sizes/package.json',
      '{ "name": "sizes", "exports": { ".": { "import": "./main.js", "require": "./main.js" }, "./lib": "./lib.js" } }',
    );
    put('node_modules/sizes/main.js', index);
    put('node_modules/sizes/inner.js', "module.exports = require('./lib');");
    put('node_modules/sizes/round.js', "module.exports = { ...require('./main'), ...require('./lib') };");
    put('node_modules/outer/package.json', esm);
    put('node_modules/outer/index.js', "export { default } from 'sizes';");
    const sized = (size: number): void => {
      for (const path of ['lib.js', 'elsewhere/lib.js'])
        put(`node_modules/sizes/${path}`, `exports.size = ${size}; exports.big = ${2 * size};`);
      put('node_modules/sizes/size.json', JSON.stringify({ size }));
    };
    for (const from of ['sizes', 'outer']) {
      sized(1);
      strategy(`import sizes from '${from}'; const { size } = sizes;`);
      await expectAnother(() => sized(2));
    }
  });

  it('what a package says of its files', async () => {
    const written = (type: string): void =>
      put('node_modules/sizes/package.json', `{ "main": "main.js", "type": "${type}" }`);
    put('node_modules/sizes/main.js', 'globalThis.size = this === undefined ? 1 : 2;');
    strategy("import 'sizes'; const { size } = globalThis as { size?: number };");
    // Node keeps in one process what such a file said.
    const hashAs = async (type: string): Promise<string> => {
      written(type);
      const asked = ['backtest', 'one.ts', '--data', 'recording', '--json'];
      return documentOf<{ runHash: string }>(await run(asked, { cwd: folder })).runHash;
    };
    expect(await hashAs('module')).not.toBe(await hashAs('commonjs'));
  });

  it('a package that lies elsewhere, behind a link', async () => {
    put('linked/package.json', '{ "name": "sizes", "main": "main.js" }');
    put('linked/main.js', "module.exports = require('./lib');");
    put('linked/lib.js', 'exports.size = 1;');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync('../linked', join(folder, 'node_modules/sizes'));
    strategy("import { size } from 'sizes';");
    await expectAnother(() => put('linked/lib.js', 'exports.size = 2;'));
  });

  it.each([
    ['the environment, read while it is loaded', 'const size = process.env.SIZE;', 'size', ''],
    ['the environment, read while it runs', '', 'size', 'const size = process.env.SIZE;'],
    ['the environment by name', "import { env } from 'node:process';", 'env.SIZE', ''],
    ['all of the environment', 'const { SIZE: size } = { ...process.env };', 'size', ''],
    [
      'what a package asks of the environment',
      "import sizes from 'sizes'; const size = sizes.byEnvironment();",
      'size',
      '',
    ],
    ['the arguments', '', 'process.argv.length', ''],
  ])('%s', async (_, head, size, late) => {
    put('node_modules/sizes/package.json', '{ "name": "sizes", "main": "index.js" }');
    put('node_modules/sizes/index.js', "exports.byEnvironment = () => (process.env.NODE_ENV === 'test' ? 1 : 2);");
    vi.stubEnv('SIZE', '1');
    vi.stubEnv('NODE_ENV', 'test');
    strategy(head, size, late);
    try {
      await expectAnother(() => {
        vi.stubEnv('SIZE', '2');
        vi.stubEnv('NODE_ENV', 'production');
        process.argv.push('--another');
      });
    } finally {
      vi.unstubAllEnvs();
      if (process.argv.at(-1) === '--another') process.argv.pop();
    }
  });

  it('the zone of the machine, and the working folder', async () => {
    strategy('', 'process.cwd().length');
    put('elsewhere/empty.txt', '');
    const hashIn = async (cwd: string, TZ: string): Promise<string> => {
      const asked = ['backtest', join(folder, 'one.ts'), '--data', join(folder, 'recording'), '--json'];
      return documentOf<{ runHash: string }>(await run(asked, { cwd, env: { TZ } })).runHash;
    };
    const hashes = [
      await hashIn(folder, 'UTC'),
      await hashIn(folder, 'Asia/Tokyo'),
      await hashIn(join(folder, 'elsewhere'), 'UTC'),
    ];
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('what no hash covers is refused by name while a strategy is loaded:', () => {
  it.each([
    ['a process', "import { execSync } from 'node:child_process'; execSync('true');", 'child_process.execSync()'],
    ['the network', "import net from 'node:net'; net.connect(9);", 'net.connect()'],
    ['names of hosts', "import dns from 'node:dns'; dns.resolveTxt('x', () => {});", 'dns.resolveTxt()'],
    ['a thread', "import { Worker } from 'node:worker_threads'; new Worker('x');", 'new Worker()'],
    ['standard input', `${FS_ALONE} fs.readFileSync(0);`, 'fs.readFileSync()'],
    ['a device', `${FS_ALONE} fs.readFileSync('/dev/urandom');`, 'fs.readFileSync()'],
    ['a file of the kernel', `${FS_ALONE} fs.readFileSync('/proc/uptime');`, 'fs.readFileSync()'],
    ['writing', `${FS_ALONE} fs.writeFileSync(new URL('out.txt', import.meta.url), '');`, 'fs.writeFileSync()'],
    ['a whole tree', `${FS_ALONE} fs.readdirSync('.', { recursive: true });`, 'fs.readdirSync()'],
    ['a database', "import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(':memory:').exec('');", 'exec()'],
    ['native code', `${REQUIRE} require('./fast.node');`, 'fast.node is native code'],
    ['an ES module that is required', `${REQUIRE} require('./behind.mjs');`, 'behind.mjs is an ES module'],
    ['an ES module without an ending that says so', `${REQUIRE} require('./behind.js');`, 'behind.js'],
    ['code that lies in a URL', "import 'data:text/javascript,export default 1';", 'data:text/javascript'],
    ['the inspector', "import 'node:inspector';", 'node:inspector'],
    ['which thread it is', "import threads from 'node:worker_threads'; threads.threadId;", 'worker_threads.threadId'],
    ['a listener of the process', "process.on('exit', () => {});", 'process.on()'],
    ['real time in a package', "import 'sizes';", 'performance.now()'],
  ])('%s', async (_, head, used) => {
    put('fast.node', '');
    put('behind.mjs', 'export const size = 1;');
    put('behind.js', 'export const size = 1;');
    put('node_modules/sizes/package.json', '{ "name": "sizes", "main": "index.js" }');
    put('node_modules/sizes/index.js', 'exports.size = performance.now();');
    strategy(head, '1');
    const thrown: unknown = await loadStrategy(join(folder, 'one.ts')).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'strategy_nondeterministic' });
    expect((thrown as Error).message).toContain(used);
  });

  it('in real time a strategy may do so', async () => {
    strategy(`${FS_ALONE} fs.readFileSync('/proc/uptime');`, '1');
    const { definition } = await loadStrategy(join(folder, 'one.ts'), { inRealTime: true });
    expect(definition.name).toBe('one');
  });
});

it('a search goes on where nothing that it read has changed, and begins anew where something has', async () => {
  put('x.txt', '1');
  put('node_modules/sizes/package.json', '{ "name": "sizes", "main": "index.js" }');
  put('node_modules/sizes/index.js', "module.exports = require('./lib');");
  put('node_modules/sizes/lib.js', 'exports.size = 1;');
  strategy(
    `${FS} import sizes from 'sizes'; const read = Number(fs.readFileSync(here("x.txt"), "utf8")) + Number(process.env.EARLY);`,
    'read + sizes.size + Number(late)',
    'const late = process.env.LATE;',
  );
  let env = { EARLY: '1', LATE: '1', BESIDE: '1' };
  let last = await search({ env });
  expect(last.counts).toMatchObject({ done: 2, resumed: 0 });
  env = { ...env, BESIDE: '2' };
  const same = await search({ env });
  expect(same.counts).toMatchObject({ done: 2, resumed: 2 });
  expect(same.trials).toEqual(last.trials);
  const changes = [
    () => put('x.txt', '2'),
    () => put('node_modules/sizes/lib.js', 'exports.size = 2;'),
    () => (env = { ...env, EARLY: '2' }),
    () => (env = { ...env, LATE: '2' }),
  ];
  for (const change of changes) {
    change();
    const next = await search({ env });
    expectFresh(last, next);
    last = next;
  }
});

it('a backtest with another input is another trial, and the same one with the same', async () => {
  strategy(`${FS} const size = fs.readFileSync(here("x.txt"), "utf8");`);
  const backtestOf = async (size: string): Promise<{ readonly runHash: string; readonly trials: number }> => {
    put('x.txt', size);
    const asked = ['backtest', 'one.ts', '--data', 'recording', '--result', 'result.json', '--json'];
    const { runHash } = documentOf<{ runHash: string }>(await run(asked, { cwd: folder }));
    const { ledger } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as { ledger: { trials: number } };
    return { runHash, trials: ledger.trials };
  };
  const first = await backtestOf('1');
  const second = await backtestOf('2');
  const third = await backtestOf('1');
  expect([first.trials, second.trials, third.trials]).toEqual([1, 2, 2]);
  expect(second.runHash).not.toBe(first.runHash);
  expect(third.runHash).toBe(first.runHash);
});

it('the look-ahead proof does not cover files that are read', async () => {
  put('x.txt', '1');
  strategy(`${FS} const size = fs.readFileSync(here("x.txt"), "utf8");`);
  const ended = await run(['validate', 'one.ts', '--data', 'recording', '--json'], { cwd: folder });
  const { lookAhead, verdict } = documentOf<ValidationResult>(ended);
  expect(ended.code).toBe(0);
  expect(lookAhead).toMatchObject({ ok: null, notCovered: 'reads files: not covered', filesRead: ['x.txt'] });
  expect(verdict.reasons.join('\n')).toContain('reads files: not covered');
});
