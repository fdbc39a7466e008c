/**
 * Storms for as long as one likes: `npm run chaos -- --from 1 --count 200 --steps 150`. Prints the seed of each failure;
 * `--from SEED --count 1` runs one again. Timing is real, so a seed repeats the choices, not the exact interleaving.
 */
import { parseArgs } from 'node:util';
import { storm, type Reached } from '../e2e/chaos.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    steps: { type: 'string', default: '120' },
    parallel: { type: 'string', default: '4' },
  },
});
const first = Number(values.from);
const end = first + Number(values.count);
const failed: number[] = [];
const reached: Reached = new Map();
let next = first;

async function work(): Promise<void> {
  while (next < end) {
    const seed = next++;
    try {
      for (const [name, count] of await storm({ seed, steps: Number(values.steps) })) {
        reached.set(name, (reached.get(name) ?? 0) + count);
      }
      process.stdout.write(`seed ${seed}: ok\n`);
    } catch (thrown) {
      failed.push(seed);
      process.stdout.write(`seed ${seed}: FAILED\n${String(thrown)}\n`);
    }
  }
}

await Promise.all(Array.from({ length: Number(values.parallel) }, work));
for (const [name, count] of [...reached].toSorted(([left], [right]) => left.localeCompare(right)))
  process.stdout.write(`reached ${count} × ${name}\n`);
process.stdout.write(failed.length === 0 ? `all ${end - first} storms held\n` : `failed seeds: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
