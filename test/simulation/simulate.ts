/**
 * `npm run simulate -- --first-seed S --seeds N --hours H [--json] [--workers W] [--without kind,kind] [--no-shrink]
 * [--crowd K] [--programs SHARE] [--transfers SHARE] [--money SHARE] [--minutes M] [--all-reached] [--print]`: the live stack in a simulated world, seed by seed. With `--json` one
 * line for all; else a line per seed. `--crowd`: each world brings K rare kinds at once beside what its seed draws. `--programs 0.3`:
 * so large a share of what one strategy does are order programs; `--transfers` likewise; `--money 0.2`: in so large a share of the seconds a human moves money. `--minutes`:
 * after the N seeds it goes on with the next ones for so long in all. A failure names the command that repeats it and the
 * faults that it needs, and ends with 1; with `--all-reached` so does a rare state that no seed reached.
 * docs/reliability-testing.md.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runBatch, type SeedAnswer } from './world/batch.ts';
import { crowdOf } from './world/crowd.ts';
import { faultKinds } from './world/fault-plan.ts';
import { simulate } from './world/simulate.ts';
import { Summarizer, type ViolatedSeed } from './world/summary.ts';

class UsageError extends Error {}

function number(name: string, text: string, min: number, isInteger: boolean): number {
  const value = Number(text);
  const isGood =
    text.trim() !== '' && Number.isFinite(value) && value >= min && (!isInteger || Number.isInteger(value));
  if (!isGood)
    throw new UsageError(`--${name} ${text}: expected ${isInteger ? 'an integer' : 'a number'} of ${min} or more`);
  return value;
}

function kinds(text: string) {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !faultKinds.some((kind) => kind === name));
  if (unknown !== undefined) throw new UsageError(`--without ${unknown}: the kinds are ${faultKinds.join(', ')}`);
  return faultKinds.filter((kind) => names.includes(kind));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      'first-seed': { type: 'string', default: '1' },
      seeds: { type: 'string', default: '10' },
      hours: { type: 'string', default: '0.5' },
      workers: { type: 'string', default: String(availableParallelism()) },
      without: { type: 'string', default: '' },
      crowd: { type: 'string', default: '0' },
      programs: { type: 'string', default: '0' },
      transfers: { type: 'string', default: '0' },
      money: { type: 'string', default: '0' },
      minutes: { type: 'string', default: '0' },
      'no-shrink': { type: 'boolean', default: false },
      'all-reached': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
    },
  });
  return {
    firstSeed: number('first-seed', values['first-seed'], 0, true),
    seeds: number('seeds', values.seeds, 1, true),
    hours: number('hours', values.hours, 0.01, false),
    workers: number('workers', values.workers, 1, true),
    without: kinds(values.without),
    crowd: number('crowd', values.crowd, 0, true),
    programs: number('programs', values.programs, 0, false),
    transfers: number('transfers', values.transfers, 0, false),
    money: number('money', values.money, 0, false),
    wallMs: number('minutes', values.minutes, 0, false) * 60_000,
    shrinks: !values['no-shrink'],
    allReached: values['all-reached'],
    json: values.json,
    print: values.print,
  };
}

function lineOf({ report, wallMs }: SeedAnswer, violated: ViolatedSeed | null): string {
  const { seed, events, boots, tight, traceHash } = report;
  const head = `seed ${seed}: ${events} events, ${boots} boots${tight ? ', tight' : ''}, ${Math.round(wallMs)} ms, ${traceHash.slice(0, 12)}`;
  if (violated === null) return `${head} ok\n`;
  const shown = violated.violations.slice(0, 8).map((text) => `  ${text}\n`);
  return `${head} VIOLATED\n${shown.join('')}  faults: ${violated.faults.join(', ')}\n  replay: ${violated.replay}\n`;
}

async function main(): Promise<number> {
  const options = readOptions();
  const started = performance.now();
  if (options.print) {
    // The whole trace of the first seed, to stderr.
    const { firstSeed: seed, hours, without, crowd, programs, transfers, money } = options;
    const shares = {
      ...(programs > 0 ? { programs } : {}),
      ...(transfers > 0 ? { transfers } : {}),
      ...(money > 0 ? { money } : {}),
    };
    const more = { ...crowdOf(seed, crowd), ...shares };
    const world = { seed, hours, without: new Set(without), ...more };
    const { violations } = await simulate({ ...world, print: true });
    process.stdout.write(`${violations.join('\n')}\n`);
    return violations.length === 0 ? 0 : 1;
  }
  const summarizer = new Summarizer(options);
  await runBatch(options, (answer) => {
    const violated = summarizer.add(answer);
    if (!options.json) process.stdout.write(lineOf(answer, violated));
  });
  const summary = summarizer.end(performance.now() - started);
  if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    const { seeds, virtualHours, events, violations, unreached, classes, traceHash, wallMs } = summary;
    process.stdout.write(
      `${seeds} seeds, ${virtualHours} virtual hours, ${events} events, ${violations.length} violated, ${(wallMs / 1000).toFixed(1)} s, hash ${traceHash.slice(0, 16)}\nnot reached: ${unreached.join('; ') || 'nothing'}\nworlds of class A ${classes.A}, of class B ${classes.B}, ${classes.byWord} by the word of a human\n`,
    );
  }
  const isShort = options.allReached && summary.unreached.length > 0;
  return summary.violations.length === 0 && !isShort ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (thrown) {
  if (!(thrown instanceof Error)) throw thrown;
  const isUsage =
    thrown instanceof UsageError || ('code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS'));
  process.stderr.write(`${isUsage ? thrown.message : (thrown.stack ?? thrown.message)}\n`);
  process.exitCode = isUsage ? 2 : 3;
}
