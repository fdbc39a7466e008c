/**
 * `node test/parity/hftbacktest/run.ts [--python python3] [--scripts 100] [--seed 1] [--orders 150]`: order scripts on the
 * real derivative file in mode `hft`, against hftbacktest itself. Needs a Python with `hftbacktest` and `../shared/data`; says
 * so and ends with 0 where one is missing. Ends with 1 on a difference that no rule explains.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasRealData, openDataset, REAL_FILES, realPath } from '../dataset.ts';
import { Texts } from '../decimal-texts.ts';
import type { PlayedOrder, Rules, ScriptStep } from '../rules.ts';
import { scriptOf } from '../script.ts';
import { playVenue } from '../tidewire.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    scripts: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    orders: { type: 'string', default: '150' },
  },
});

/** What play.py answers of an order: id, status, exchange µs, price in ticks, quantity, maker. */
type Row = readonly [number, number, number, number, number, boolean];

interface Answer {
  readonly version: string;
  readonly rows: number;
  readonly scripts: readonly (readonly Row[])[];
}

/** `python` says with this code that the package is absent. */
const ABSENT = 3;

const STATES: Readonly<Record<number, PlayedOrder['state']>> = { 1: 'open', 3: 'filled', 4: 'canceled' };

const RULES: Rules = {
  mode: 'hft',
  exchange: 'no-partial-fill',
  queue: { model: 'risk-averse' },
  nettingWindowUs: 0,
  latency: { model: 'constant' },
  entryUs: 25_000,
  responseUs: 25_000,
  maker: '0.0002',
  taker: '0.0005',
  quote: '100000000',
  base: '0',
};

function skip(why: string): never {
  process.stdout.write(`SKIPPED: ${why}\n`);
  process.exit(0);
}

/** hftbacktest's model has no ioc and no market orders: the limits of a script, and their cancels. */
function limitsOf(steps: readonly ScriptStep[]): readonly ScriptStep[] {
  const kept = new Set<string>();
  return steps.filter((step) => {
    if (step.kind === 'cancel') return kept.has(step.ref);
    if (step.price === null || step.timeInForce === 'ioc') return false;
    kept.add(step.ref);
    return true;
  });
}

if (!hasRealData) skip('../shared/data is not here');
const file = REAL_FILES[0];
const dataset = await openDataset(file);
const texts = new Texts(dataset.recorded);
const seeds = Array.from({ length: Number(values.scripts) }, (_, index) => Number(values.seed) + index);
const scripts = seeds.map((seed) => limitsOf(scriptOf(dataset, seed, Number(values.orders), RULES).steps));
const ids = scripts.map((steps) => new Map([...new Set(steps.map(({ ref }) => ref))].map((ref, at) => [ref, at + 1])));
const told = {
  frames: realPath(file),
  entryUs: RULES.entryUs,
  responseUs: RULES.responseUs,
  endUs: dataset.market.hft.endUs - 100_000,
  tick: Number(texts.price(1)),
  lot: Number(texts.quantity(1)),
  scripts: scripts.map((steps, index) =>
    steps.map((step) => ({
      us: step.us,
      id: ids[index]?.get(step.ref),
      kind: step.kind === 'cancel' ? 'cancel' : step.side,
      price: step.kind === 'cancel' ? 0 : Number(texts.price(step.price ?? 0)),
      quantity: step.kind === 'cancel' ? 0 : Number(texts.quantity(step.quantity)),
    })),
  ),
};
const python = spawnSync(values.python, [join(import.meta.dirname, 'play.py')], {
  input: JSON.stringify(told),
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
if (python.error !== undefined) skip(`${values.python} does not start: ${python.error.message}`);
if (python.status === ABSENT)
  skip(`${values.python} has no hftbacktest; install it, or name another Python with --python`);
if (python.status !== 0) {
  process.stderr.write(python.stderr);
  process.exit(1);
}
const answer = JSON.parse(python.stdout) as Answer;
const sum = { orders: 0, filled: 0, maker: 0, different: 0 };
for (const [index, steps] of scripts.entries()) {
  const theirs = new Map(answer.scripts[index]?.map((row) => [row[0], row] as const));
  for (const order of playVenue(dataset, steps, RULES).orders) {
    const row = theirs.get(ids[index]?.get(order.ref) ?? 0);
    const [mine, other] = [textOf(order), rowText(row)];
    sum.orders += 1;
    if (order.state === 'filled') sum.filled += 1;
    if (order.fills[0]?.liquidity === 'maker') sum.maker += 1;
    if (mine === other) continue;
    sum.different += 1;
    process.stdout.write(`seed ${seeds[index]}, ${order.ref}: tidewire ${mine}; hftbacktest ${other}\n`);
  }
}
dataset.close();
process.stdout.write(
  `hftbacktest ${answer.version}, ${file}, ${answer.rows} rows: ${scripts.length} scripts, ${sum.orders} orders, ` +
    `${sum.filled} filled (${sum.maker} as maker), ${sum.different} different\n`,
);
process.exitCode = sum.different > 0 ? 1 : 0;

function textOf({ state, fills }: PlayedOrder): string {
  const fill = fills[0];
  if (state !== 'filled' || fill === undefined) return state;
  return `filled ${fill.us} us at ${fill.price} ${fill.liquidity}`;
}

function rowText(row: Row | undefined): string {
  if (row === undefined) return 'unknown';
  const [, status, us, ticks, , maker] = row;
  const state = STATES[status] ?? `status ${status}`;
  return state === 'filled' ? `filled ${us} us at ${ticks} ${maker ? 'maker' : 'taker'}` : state;
}
