/**
 * `npm run test:chaos -- --kills 500 [--seed S] [--workers 2] [--per-run 20] [--borders FROM..TO [--from trading]] [--only KIND] [--programs]`: real processes,
 * sockets and journals behind a faulty proxy, killed as often as asked. One line per run, then a summary as one line of JSON; a
 * failure prints the command that repeats its choices.
 */
import { parseArgs } from 'node:util';
import { campaign, type CampaignOptions, type CampaignResult } from './campaign.ts';
import { lifeKinds, type Border } from './lives.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    'per-run': { type: 'string', default: '20' },
    borders: { type: 'string' },
    from: { type: 'string', default: 'start' },
    only: { type: 'string' },
    programs: { type: 'boolean', default: false },
  },
});

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    process.stderr.write(`--${name} ${text}: expected a whole number from 1\n`);
    process.exit(2);
  }
  return Number(text);
}

const from = values.from === 'trading' ? 'trading' : 'start';

function bordersOf(text: string): readonly Border[] {
  const [low = '', high = ''] = text.split('..');
  const lowest = whole('borders', low);
  return Array.from({ length: whole('borders', high) - lowest + 1 }, (_, index) => ({ border: lowest + index, from }));
}

const first = whole('seed', values.seed);
const perRun = whole('per-run', values['per-run']);
const borders = values.borders === undefined ? null : bordersOf(values.borders);
const only = lifeKinds.find((kind) => kind === values.only);
if (values.only !== undefined && only === undefined) {
  process.stderr.write(`--only ${values.only}: expected one of ${lifeKinds.join(', ')}\n`);
  process.exit(2);
}
const total = borders === null ? whole('kills', values.kills) : borders.length;
const tasks: CampaignOptions[] = [];
for (let done = 0; done < total; done += perRun) {
  const kills = Math.min(perRun, total - done);
  const own = borders === null ? {} : { borders: borders.slice(done, done + kills) };

  tasks.push({
    seed: first + tasks.length,
    kills,
    ...own,
    ...(only === undefined ? {} : { only }),
    programs: values.programs,
  });
}

const sum = { kills: 0, lives: 0, traded: 0, ordersSent: 0, ordersAtExchange: 0, fills: 0, lost: 0, doubled: 0 };
const sumOfPrograms = { programs: 0, lateExpected: 0, lateSaid: 0 };
const reached = new Map<string, number>();
const failures: string[] = [];
const started = performance.now();

function commandOf({ seed, kills, borders: own, only: kind }: CampaignOptions): string {
  const range =
    own === undefined ? `--kills ${kills}` : `--borders ${own[0]?.border}..${own.at(-1)?.border} --from ${from}`;
  return `npm run test:chaos -- --seed ${seed} ${range} --per-run ${kills} --workers 1${kind === undefined ? '' : ` --only "${kind}"`}${values.programs ? ' --programs' : ''}`;
}

function add(result: CampaignResult): void {
  for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += result[name];
  const { programs } = result;
  if (programs !== null) {
    for (const name of Object.keys(sumOfPrograms) as (keyof typeof sumOfPrograms)[])
      sumOfPrograms[name] += programs[name];
    for (const [end, times] of programs.ends)
      reached.set(`program ${end}`, (reached.get(`program ${end}`) ?? 0) + times);
  }
  for (const [name, times] of result.reached) reached.set(name, (reached.get(name) ?? 0) + times);
}

async function work(): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    try {
      const result = await campaign(task);
      add(result);
      const { kills, lives, ordersSent, ordersAtExchange, fills, wallMs } = result;
      process.stdout.write(
        `seed ${task.seed}: ok, ${kills} kills in ${lives} lives, ${ordersSent} orders sent, ${ordersAtExchange} at the exchange, ${fills} fills, ${(wallMs / 1000).toFixed(0)} s\n`,
      );
    } catch (thrown) {
      failures.push(commandOf(task));
      process.stdout.write(`seed ${task.seed}: FAILED ${String(thrown)}\n  again: ${commandOf(task)}\n`);
    }
  }
}

// Ctrl-C: runs that are under way come to their end, then the sum of what was done is printed.
process.once('SIGINT', () => tasks.splice(0));
process.once('SIGTERM', () => process.exit(143));

await Promise.all(Array.from({ length: whole('workers', values.workers) }, work));
for (const [name, times] of [...reached].toSorted(([left], [right]) => left.localeCompare(right)))
  process.stdout.write(`reached ${times} × ${name}\n`);
const wallMs = Math.round(performance.now() - started);
process.stdout.write(
  `${JSON.stringify({ ...sum, ...(values.programs ? sumOfPrograms : {}), failed: failures, wallMs })}\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
