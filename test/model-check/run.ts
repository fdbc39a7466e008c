/**
 * The sandbox against its models for as long as one likes:
 * `npm run model-check -- --sequences 10000 [--seed N] [--area spot,mixed]`. A failure prints the seed and the shortest
 * list of commands that was found; `--replay FILE` plays such a list again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { areaNames, type AreaName } from './areas.ts';
import { search } from './search.ts';
import { play, type Step } from './session.ts';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    area: { type: 'string', default: areaNames.join() },
    replay: { type: 'string' },
    reached: { type: 'boolean', default: false },
  },
});

function isArea(name: string): name is AreaName {
  return areaNames.some((known) => known === name);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function run(area: AreaName, sequences: number, seed: number): boolean {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const found = search({ area, sequences, seed });
  const seconds = (performance.now() - started) / 1000;
  if (found.failure !== null) {
    print(`${area}: FAILED after ${found.sequences} sequences, seed ${seed}\n${found.failure.message}`);
    print(`commands, for --replay:\n${JSON.stringify(found.failure.steps)}`);
    return false;
  }
  const { user, system } = process.cpuUsage(cpu);
  const busy = (user + system) / 1e6;
  const rate = (found.sequences / busy).toFixed(0);
  const size = `${found.sequences} sequences, ${found.commands} commands, seed ${seed}`;
  print(`${area}: ${size}: clean in ${seconds.toFixed(1)} s, ${busy.toFixed(1)} s of processor (${rate}/s)`);
  if (values.reached) {
    for (const [name, count] of [...found.reached].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      print(`  ${count} × ${name}`);
    }
  }
  return true;
}

function main(): boolean {
  const { sequences, seed, area, replay } = values;
  if (replay !== undefined) {
    play(JSON.parse(readFileSync(replay, 'utf8')) as Step[], new Map());
    print('the sequence is clean');
    return true;
  }
  const names = area.split(',');
  const wrong = names.find((name) => !isArea(name));
  if (wrong !== undefined) throw new RangeError(`--area ${wrong}: the areas are ${areaNames.join(', ')}`);
  const start = seed === undefined ? Date.now() % 1_000_000 : Number(seed);
  return names.filter(isArea).every((name) => run(name, Number(sequences), start));
}

process.exitCode = main() ? 0 : 1;
