/**
 * Other engines on the same data and the same kind of strategy, as far as they are installed. None is a dependency: name a
 * Python that has them, and the rest is skipped, saying so.
 *
 *   python3 -m venv peers && peers/bin/pip install hftbacktest backtesting nautilus_trader
 *   TIDEWIRE_BENCH_PYTHON=peers/bin/python npm run bench peers
 *
 * Several environments are separated by commas. What each does not do stands in docs/benchmarks.md: read it with the figures.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../src/model/ports.ts';
import { openTape } from '../src/recording/open-tape.ts';
import { backtest } from '../src/session/backtest.ts';
import { loadConfig } from '../src/session/config/load.ts';
import { prepareStrategies } from '../src/session/strategies.ts';
import { print, RUNS, spread, type Measured } from './harness.ts';
import { benchData, CANDLE_SYMBOL, candleData, EMA_CROSS, REAL_FILE, SPREAD_MAKER } from './recordings.ts';

const SCRIPTS = join(import.meta.dirname, 'peers');

/** A script says with this code that its package is absent. */
const ABSENT = 3;

interface Answer {
  readonly version: string;
  /** Of its own form of the data. */
  readonly rows: number;
  readonly orders: number;
  readonly seconds: readonly number[];
}

function pythons(): readonly string[] {
  return (process.env['TIDEWIRE_BENCH_PYTHON'] ?? 'python3').split(',');
}

/** The answer of the first Python that has what the script needs; null, with a word to the user, when none has. */
function ask(script: string, told: Readonly<Record<string, string | number>>): Answer | null {
  for (const python of pythons()) {
    const input = JSON.stringify({ ...told, runs: RUNS });
    const done = spawnSync(python, [join(SCRIPTS, script)], { input, encoding: 'utf8', maxBuffer: 2 ** 24 });
    if (done.error !== undefined || done.status === ABSENT) continue;
    if (done.status !== 0) throw new Error(`${script} failed in ${python}: ${done.stderr.slice(-2000)}`);
    return JSON.parse(done.stdout) as Answer;
  }
  console.log(`${script}: skipped, no Python with its package; name one in TIDEWIRE_BENCH_PYTHON`);
  return null;
}

/** Events a second of a peer, by tidewire's count of the events, so that a row that it doubles counts once. */
function peer({ version, rows, orders, seconds }: Answer, events: number): Measured {
  const name = `${version}, ${orders.toLocaleString('en')} orders, ${rows.toLocaleString('en')} rows`;
  return { name, values: spread(seconds.map((each) => events / each)) };
}

interface Own {
  readonly measured: Measured;
  readonly events: number;
}

async function own(file: string, path: string, repeat: number, params: Readonly<Record<string, string>>): Promise<Own> {
  const { config } = loadConfig({ file: null, environment: {} });
  const rates: number[] = [];
  let orders = 0;
  let events = 0;
  for (let run = -1; run < RUNS; run++) {
    const strategies = await prepareStrategies({ file, params, entries: [] });
    const { result } = await backtest({ config, strategies, data: [path], seed: 1, repeat, logger: silentLogger });
    orders = result.orderCounts.submitted;
    events = result.events.total;
    if (run >= 0) rates.push(result.eventsPerSecond);
  }
  const times = repeat === 1 ? 'once' : `${repeat} times`;
  const name = `tidewire, ${orders.toLocaleString('en')} orders, ${times} through`;
  return { measured: { name, values: spread(rates) }, events };
}

async function makers(folder: string): Promise<void> {
  const data = await benchData(folder);
  if (data === null || !existsSync(REAL_FILE)) return;
  const ours = await own(SPREAD_MAKER, data.path, 1, {});
  const longer = await own(SPREAD_MAKER, data.path, data.repeat, {});
  const theirs = ask('hftbacktest-maker.py', {
    frames: REAL_FILE,
    tick: 0.1,
    lot: 0.001,
    quantity: 0.001,
    halfSpreadBps: 0.5,
    maxPosition: 0.01,
    everyMs: 250,
    latencyUs: 25_000,
  });
  const peers = theirs === null ? [] : [peer(theirs, ours.events)];
  print('A market maker on the real USD-M file, looking every 250 ms', 'events/s', [
    ours.measured,
    longer.measured,
    ...peers,
  ]);
}

async function crosses(folder: string): Promise<void> {
  const data = await candleData(folder);
  if (data === null) return;
  const csv = join(folder, 'candles.csv');
  const tape = await openTape([data.path]);
  const lines: string[] = [];
  for (const cursor = tape.cursor('exchange'); cursor.nextUs !== Infinity;) {
    const event = cursor.next();
    if (event.kind !== 'candle') continue;
    const { openTime, open, high, low, close, volume } = event;
    lines.push([openTime, open, high, low, close, volume].join(','));
  }
  tape.close();
  writeFileSync(csv, `${lines.join('\n')}\n`);
  const ours = await own(EMA_CROSS, data.path, 1, { symbol: CANDLE_SYMBOL });
  const told = { candles: csv, repeat: 1, fast: 12, slow: 26 };
  const answers = [ask('backtesting-cross.py', told), ask('nautilus-cross.py', told)];
  const peers = answers.flatMap((answer) => (answer === null ? [] : [peer(answer, ours.events)]));
  print('Two averages on a month of real minutes', 'candles/s', [ours.measured, ...peers]);
}

export async function peersBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    await makers(folder);
    await crosses(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
