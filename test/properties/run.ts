/**
 * `npm run properties -- [--for 30m] [--seed N] [FILE …]`: every test file with a property (or those named) with fresh
 * seeds, again and again for so long; with `--seed` once, with that one. Prints each failure with its seed, its path and the
 * command that repeats it, then a sum. Exit code 1 when something failed, 2 for arguments that make no sense.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDuration } from '../../src/model/time.ts';
import { readReport, type Failure } from './failures.ts';
import { SEED_VARIABLE } from './seed.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** Files of one run: each has a seed of its own, and between two runs the time is looked at. */
const FILES_MAX = 8;
const SEED_MAX = 2 ** 31;
const STDERR_CHARS_MAX = 4000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    for: { type: 'string', default: '5m' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function filesWithProperties(): readonly string[] {
  const found = globSync('test/**/*.test.ts', { cwd: ROOT });
  return found.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("from 'fast-check'")).toSorted();
}

interface Run {
  readonly tests: number;
  readonly failures: readonly Failure[];
}

/** Rejects where vitest ends without a report. */
async function run(files: readonly string[], seed: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-properties-'));
  const report = join(folder, 'report.json');
  const options = ['--reporter=json', `--outputFile=${report}`, `--maxWorkers=${values.workers}`];
  try {
    const child = spawn(process.execPath, [VITEST, 'run', ...options, ...files], {
      cwd: ROOT,
      env: { ...process.env, [SEED_VARIABLE]: String(seed) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-STDERR_CHARS_MAX)));
    const ended = Promise.withResolvers<number | null>();
    child.once('error', ended.reject);
    child.once('close', ended.resolve);
    const code = await ended.promise;
    try {
      return readReport(readFileSync(report, 'utf8'), ROOT);
    } catch (thrown) {
      throw new Error(`vitest ended with ${code} and left no report: ${said}`, { cause: thrown });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print({ file, title, property, message }: Failure, seed: number): void {
  const replay = `npm run properties -- --seed=${seed} ${file}`;
  const said = property === null ? [`  ${message.split('\n', 1)[0] ?? ''}`] : [];
  const found =
    property === null
      ? []
      : [`  seed ${property.seed}, path "${property.path}"`, `  found: ${property.counterexample}`];
  process.stdout.write(`${[`FAILED ${file}: ${title}`, ...said, ...found, `  again: ${replay}`].join('\n')}\n`);
}

const files = positionals.length > 0 ? positionals : filesWithProperties();
const given = values.seed === undefined ? null : Number(values.seed);
if (given !== null && !Number.isSafeInteger(given)) fail(`--seed ${values.seed}: expected an integer`);
const forMs = parseDuration(values.for);
if (!(forMs >= 0)) fail(`--for ${values.for}: expected a duration such as 30m`);

const startedMs = performance.now();
const isOver = (): boolean => performance.now() - startedMs >= forMs;
const minutes = (): string => ((performance.now() - startedMs) / 60_000).toFixed(1);

/** All files once, whatever the time, where a seed is given; else in turns until the time is over. */
function* batches(): Generator<readonly string[]> {
  do {
    for (let from = 0; from < files.length; from += FILES_MAX) {
      if (from > 0 && given === null && isOver()) return;
      yield files.slice(from, from + FILES_MAX);
    }
  } while (given === null && !isOver());
}

let runs = 0;
let tests = 0;
let failed = 0;
for (const batch of batches()) {
  const seed = given ?? randomInt(SEED_MAX);
  const done = await run(batch, seed);
  runs++;
  tests += done.tests;
  failed += done.failures.length;
  for (const failure of done.failures) print(failure, seed);
  process.stderr.write(`${minutes()} min: ${runs} runs, ${tests} tests, ${failed} failed\n`);
}
process.stdout.write(`${files.length} files, ${runs} runs, ${tests} tests in ${minutes()} min: ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
