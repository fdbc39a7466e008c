/**
 * `npm run soak -- [--days 30] [--seed 1] [--json]`: the live stack for weeks of virtual time. Prints each day, then the
 * trend of the heap after the warm-up with its error (apart from the steps of rehashed tables), and timers and sockets at
 * rest against those of the start. Ends with 1 when the heap grows or something is left over.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseArgs } from 'node:util';
import { busy } from './strategies.ts';
import { trendOf, withoutSteps } from './trend.ts';
import { LongWorld } from './world.ts';

const SAMPLES_PER_DAY = 4;
/** Until the closed orders that are remembered have reached their bound. */
const WARM_UP = 1 / 3;
/** A heap that grows by more than this in 30 days is a leak, KiB per day. */
const GROWTH_KIB_MAX = 64;
/** Tables of 20,000 orders are rehashed by more than this at once. */
const STEP_KIB_MIN = 512;
/** All tables at twice their size. */
const STEPS_KIB_MAX = 8 * 1024;

interface Sample {
  readonly day: number;
  readonly heapKib: number;
  readonly timers: number;
  readonly sockets: number;
  readonly orders: number;
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function heapKib(): number {
  if (typeof collect === 'function') for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed / 1024;
}

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const days = Number(values.days);
const world = new LongWorld({ seed: Number(values.seed), strategies: [busy], outages: true });
const startedMs = performance.now();
const samples: Sample[] = [];

function look(day: number): Sample {
  const sample = { day, heapKib: heapKib(), timers: world.timers, sockets: world.sockets, orders: world.orders };
  samples.push(sample);
  const { heapKib: heap, timers, sockets, orders } = sample;
  process.stderr.write(
    `day ${day.toFixed(2)}: heap ${Math.round(heap)} KiB, ${timers} timers, ${sockets} sockets, ${orders} orders, ` +
      `${world.journalRows} rows, ${Math.round((performance.now() - startedMs) / 1000)} s\n`,
  );
  return sample;
}

await world.runHours(1);
const first = look(0);
for (let count = 1; count <= days * SAMPLES_PER_DAY && world.exit === null; count++) {
  await world.runHours(24 / SAMPLES_PER_DAY);
  look(count / SAMPLES_PER_DAY);
}
const last = samples.at(-1) ?? first;
const steady = samples.filter(({ day }) => day >= days * WARM_UP);
const { samples: level, steps } = withoutSteps(
  steady.map(({ day, heapKib: heap }) => [day, heap] as const),
  STEP_KIB_MIN,
);
const { slope, slopeError } = trendOf(level);
const problems = [
  ...(world.closedBecause === null ? [] : [`the session is closed: ${world.closedBecause}`]),
  ...(slope - 2 * slopeError > GROWTH_KIB_MAX ? [`the heap grows by ${Math.round(slope)} KiB a day`] : []),
  ...(steps > STEPS_KIB_MAX ? [`the heap grew by ${Math.round(steps)} KiB in steps`] : []),
  ...(last.timers > first.timers ? [`${last.timers} timers wait, ${first.timers} at the start`] : []),
  ...(last.sockets === first.sockets ? [] : [`${last.sockets} sockets are open, ${first.sockets} at the start`]),
];
world.close();
const result = {
  days: last.day,
  orders: last.orders,
  heapKib: { start: Math.round(first.heapKib), end: Math.round(last.heapKib), steps: Math.round(steps) },
  slopeKibPerDay: Number(slope.toFixed(2)),
  slopeErrorKibPerDay: Number(slopeError.toFixed(2)),
  timers: { start: first.timers, end: last.timers },
  sockets: { start: first.sockets, end: last.sockets },
  problems,
  wallMs: Math.round(performance.now() - startedMs),
};
process.stdout.write(
  values.json
    ? `${JSON.stringify(result)}\n`
    : `${result.days} days, ${result.orders} orders: heap ${result.heapKib.start} → ${result.heapKib.end} KiB, trend ` +
        `${result.slopeKibPerDay} ± ${result.slopeErrorKibPerDay} KiB a day between steps of ${result.heapKib.steps} KiB; ${problems.length === 0 ? 'nothing grows' : problems.join('; ')}\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
