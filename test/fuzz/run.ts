/** `npm run fuzz -- [--count 1000000] [--seed 1]`: mutated frames and bodies through everything that reads them. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

/** Ten times what a batch of the largest target holds at once. */
const HEAP_GROWTH_KIB_MAX = 32 * 1024;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const startedMs = performance.now();
const report = await fuzz(Number(values.seed), Number(values.count), (line) => process.stderr.write(`${line}\n`));
for (const { target, law, input } of report.findings) process.stdout.write(`${target}: ${law}\n  ${input}\n`);
for (const [kind, count] of report.kinds) process.stdout.write(`${kind}: ${count}\n`);
const seconds = Math.round((performance.now() - startedMs) / 1000);
process.stdout.write(
  `seed ${values.seed}: ${report.inputs} inputs, ${report.broken} broken, heap ${report.heapGrowthKib} KiB more, ${seconds} s\n`,
);
process.exitCode = report.broken > 0 || report.heapGrowthKib > HEAP_GROWTH_KIB_MAX ? 1 : 0;
