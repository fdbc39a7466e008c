/**
 * `npm run fixed -- [--operations 10000000] [--seed 1]`: random operations of the fixed-point arithmetic against the same
 * ones computed in other ways. Prints each difference with its operands, then a sum. Exit code 1 when there was one.
 */
import { parseArgs } from 'node:util';
import { differences } from './fixed-differences.ts';

/** More say nothing new. */
const PRINTED_MAX = 20;

const { values } = parseArgs({
  options: { operations: { type: 'string', default: '10000000' }, seed: { type: 'string', default: '1' } },
});
const operations = Number(values.operations);
const seed = Number(values.seed);
if (!Number.isSafeInteger(operations) || operations < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('expected whole numbers: --operations above 0, --seed\n');
  process.exit(2);
}

let found = 0;
for (const { operation, operands, actual, expected } of differences(seed, operations)) {
  found++;
  if (found > PRINTED_MAX) continue;
  const given = operands.map((operand) => (typeof operand === 'string' ? JSON.stringify(operand) : String(operand)));
  process.stdout.write(`${operation}(${given.join(', ')}): got ${shown(actual)}, expected ${shown(expected)}\n`);
}
process.stdout.write(`${operations} operations, ${found} differences (seed ${seed})\n`);
process.exitCode = found > 0 ? 1 : 0;

/** With its type, and -0 apart from 0. */
function shown(value: unknown): string {
  return `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`;
}
