/**
 * `npm run simulate -- --first-seed 1 --seeds 10 --hours 1 [--json] [--without kind,kind] [--print]`: the live stack in a
 * simulated world, seed by seed. A failure prints the command that repeats it.
 */
import { parseArgs } from 'node:util';
import { simulate } from './world/simulate.ts';
import { faultKinds, type FaultKind } from './world/fault-plan.ts';

const { values } = parseArgs({
  options: {
    'first-seed': { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10' },
    hours: { type: 'string', default: '1' },
    without: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
  },
});
const first = Number(values['first-seed']);
const seeds = Number(values.seeds);
const hours = Number(values.hours);
const without = new Set(faultKinds.filter((kind: FaultKind) => values.without.split(',').includes(kind)));
const started = performance.now();
let bad = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const t = performance.now();
  const report = await simulate({ seed, hours, without, print: values.print });
  if (report.violations.length > 0) bad++;
  process.stdout.write(
    `seed ${seed}: ${report.events} events, ${report.boots} boots, ${Math.round(performance.now() - t)} ms ${report.traceHash.slice(0, 12)} ${report.violations.length === 0 ? 'ok' : `VIOLATED ${report.violations.slice(0, 6).join(' | ')} plan ${JSON.stringify(report.plan)}`}\n`,
  );
}
process.stdout.write(`${seeds} seeds, ${bad} bad, ${Math.round(performance.now() - started)} ms\n`);
