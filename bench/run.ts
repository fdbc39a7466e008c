/**
 * `npm run bench [name…]`: the figures of docs/benchmarks.md on this machine. Without names all but the long ones run.
 * `--minutes` is the length of `sandbox-memory`, `--before DIR` another checkout for `orders` and `tick-to-order`. With `--json` stdout is one
 * object `{"name", "machine", "rows"}`, and the rest goes to stderr.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine, rows } from './harness.ts';

interface Bench {
  readonly run: () => Promise<void>;
  /** Runs only when named: takes minutes and a few gigabytes of disk. */
  readonly long?: true;
}

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    before: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);

const benches: Readonly<Record<string, Bench>> = {
  'journal-growth': { run: async () => (await import('./journal-growth.ts')).journalGrowthBench() },
  restart: { run: async () => (await import('./restart.ts')).restartBench() },
  replay: { run: async () => (await import('./replay.ts')).replayBench() },
  'replay-length': { run: async () => (await import('./replay/length.ts')).replayLengthBench(), long: true },
  peers: { run: async () => (await import('./peers.ts')).peersBench(), long: true },
  orders: {
    run: async () => (await import('./orders/orders.ts')).ordersBench(values.before ?? null),
    long: true,
  },
  matching: { run: async () => (await import('./matching.ts')).matchingBench() },
  decode: { run: async () => (await import('./decode.ts')).decodeBench() },
  'tick-to-order': {
    run: async () => (await import('./tick-to-order/race.ts')).tickToOrderBench(values.before ?? null),
  },
  'tick-to-order-clients': {
    run: async () => (await import('./tick-to-order/followed.ts')).followedBench(),
    long: true,
  },
  journal: { run: async () => (await import('./journal.ts')).journalBench() },
  frames: { run: async () => (await import('./frames.ts')).framesBench(), long: true },
  report: { run: async () => (await import('./report.ts')).reportBench() },
  'sandbox-core': { run: async () => (await import('./sandbox/core.ts')).sandboxCoreBench() },
  'sandbox-rest': { run: async () => (await import('./sandbox/rest.ts')).sandboxRestBench(), long: true },
  'sandbox-subscribers': {
    run: async () => (await import('./sandbox/subscribers.ts')).sandboxSubscribersBench(),
    long: true,
  },
  'sandbox-memory': {
    run: async () => (await import('./sandbox/memory.ts')).sandboxMemoryBench(minutes),
    long: true,
  },
  peak: { run: async () => (await import('./peak/peak.ts')).peakBench(), long: true },
  sweep: { run: async () => (await import('./sweep/sweep.ts')).sweepBench(), long: true },
  memory: { run: async () => (await import('./memory/peak.ts')).memoryBench(), long: true },
};

const unknown = names.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exitCode = 2;
} else if (!(minutes > 0)) {
  console.error(`--minutes ${values.minutes}: expected a number above zero`);
  process.exitCode = 2;
} else if (values.before !== undefined && !existsSync(join(values.before, 'bench/tick-to-order/requote.ts'))) {
  console.error(`--before ${values.before}: no checkout of this project that has these benches`);
  process.exitCode = 2;
} else {
  // What a bench says beside its rows is for people.
  if (values.json) console.log = console.error;
  console.log(machine());
  const chosen = names.length > 0 ? names : Object.keys(benches).filter((name) => benches[name]?.long !== true);
  for (const name of chosen) await benches[name]?.run();
  if (values.json) process.stdout.write(`${JSON.stringify({ name: chosen.join(' '), machine: machine(), rows })}\n`);
}
