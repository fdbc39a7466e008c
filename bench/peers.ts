/**
 * Other engines on the same data and the same kind of strategy, as far as they are installed. None is a dependency: name a
 * Python that has them, and the rest is skipped, saying so.
 *
 *   python3 -m venv peers && peers/bin/pip install hftbacktest backtesting nautilus_trader
 *   TIDEWIRE_BENCH_PYTHON=peers/bin/python npm run bench peers
 *
 * The runs are taken in turn. Several environments are separated by commas. What each does not do stands in docs/benchmarks.md: read it with the figures.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { silentLogger } from '../src/model/ports.ts';
import { openTape } from '../src/recording/open-tape.ts';
import { backtest, type BacktestRun } from '../src/session/backtest.ts';
import { loadConfig } from '../src/session/config/load.ts';
import { prepareStrategies } from '../src/session/strategies.ts';
import { print, race, RUNS, shown, type Contestant } from './harness.ts';
import { benchData, CANDLE_SYMBOL, candleData, EMA_CROSS, REAL_FILE, SPREAD_MAKER } from './recordings.ts';

const SCRIPTS = join(import.meta.dirname, 'peers');

/** A script says with this code that its package is absent. */
const ABSENT = 3;

/** V8 compiles while it runs, so the first rounds are not those of a program at work. They do not count for anybody. */
const WARMUPS = 6;

interface Hello {
  readonly version: string;
  /** Of its own form of the data. */
  readonly rows: number;
  readonly orders: number;
}

function pythons(): readonly string[] {
  return (process.env['TIDEWIRE_BENCH_PYTHON'] ?? 'python3').split(',');
}

/** A script of `peers/` in a process of its own, asked for one run after the other (`peers/turns.py`). */
class Peer implements Contestant {
  readonly name: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #events: number;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    lines: AsyncIterator<string>,
    hello: Hello,
    events: number,
  ) {
    const { version, rows, orders } = hello;
    this.name = `${version}, ${orders.toLocaleString('en')} orders, ${rows.toLocaleString('en')} rows`;
    this.#child = child;
    this.#lines = lines;
    this.#events = events;
  }

  /**
   * In the first Python that has what the script needs; null, with a word to the user, when none has. `events`: tidewire's count
   * of those of a run, so that a row that a peer doubles counts once.
   */
  static async start(script: string, told: Readonly<Record<string, unknown>>, events: number): Promise<Peer | null> {
    for (const python of pythons()) {
      const child = spawn(python, [join(SCRIPTS, script)], { stdio: 'pipe' });
      const ended = once(child, 'close');
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
      child.stdin.on('error', () => {});
      child.on('error', () => {});
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      child.stdin.write(`${JSON.stringify(told)}\n`);
      const first = await lines.next();
      if (first.done !== true) return new Peer(child, lines, JSON.parse(first.value) as Hello, events);
      const [code] = (await ended) as [number | null];
      if (code !== ABSENT && child.pid !== undefined) throw new Error(`${script} failed in ${python}: ${errors}`);
    }
    console.log(`${script}: skipped, no Python with its package; name one in TIDEWIRE_BENCH_PYTHON`);
    return null;
  }

  async run(): Promise<number> {
    this.#child.stdin.write('run\n');
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`${this.name} has ended`);
    return this.#events / (JSON.parse(line.value) as { readonly seconds: number }).seconds;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    await ended;
  }
}

/** A backtest of ours, one for each run. */
class Own implements Contestant {
  readonly name: string;
  /** Of a run. */
  readonly events: number;
  /** The rate of the very first run in this process, when V8 has compiled nothing yet. */
  readonly first: number;
  readonly #make: () => Promise<BacktestRun>;

  private constructor(name: string, { result }: BacktestRun, make: () => Promise<BacktestRun>) {
    this.name = name;
    this.events = result.events.total;
    this.first = result.eventsPerSecond;
    this.#make = make;
  }

  static async start(
    file: string,
    path: string,
    repeat: number,
    params: Readonly<Record<string, string>>,
  ): Promise<Own> {
    const { config } = loadConfig({ file: null, environment: {} });
    const make = async (): Promise<BacktestRun> => {
      const strategies = await prepareStrategies({ file, params, entries: [] });
      return backtest({ config, strategies, data: [path], seed: 1, repeat, logger: silentLogger });
    };
    const first = await make();
    const orders = first.result.orderCounts.submitted.toLocaleString('en');
    return new Own(`tidewire, ${orders} orders, ${repeat === 1 ? 'once' : `${repeat} times`} through`, first, make);
  }

  async run(): Promise<number> {
    return (await this.#make()).result.eventsPerSecond;
  }
}

async function compare(
  title: string,
  unit: string,
  own: readonly Own[],
  peers: readonly (Peer | null)[],
): Promise<void> {
  const present = peers.filter((peer) => peer !== null);
  try {
    print(title, unit, await race([...own, ...present], RUNS, WARMUPS));
    for (const { name, first } of own) console.log(`  ${name}, the first time: ${shown(first)}`);
  } finally {
    for (const peer of present) await peer.end();
  }
}

async function makers(folder: string): Promise<void> {
  const data = await benchData(folder);
  if (data === null || !existsSync(REAL_FILE)) return;
  const whole = await Own.start(SPREAD_MAKER, data.path, 1, {});
  const longer = await Own.start(SPREAD_MAKER, data.path, data.repeat, {});
  const told = {
    frames: REAL_FILE,
    tick: 0.1,
    lot: 0.001,
    quantity: 0.001,
    halfSpreadBps: 0.5,
    maxPosition: 0.01,
    everyMs: 250,
    latencyUs: 25_000,
  };
  const theirs = await Peer.start('hftbacktest-maker.py', told, whole.events);
  await compare('A market maker on the real USD-M file, looking every 250 ms', 'events/s', [whole, longer], [theirs]);
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
  const ours = await Own.start(EMA_CROSS, data.path, 1, { symbol: CANDLE_SYMBOL });
  const told = { candles: csv, repeat: 1, fast: 12, slow: 26 };
  const peers = [
    await Peer.start('backtesting-cross.py', told, ours.events),
    await Peer.start('nautilus-cross.py', told, ours.events),
  ];
  await compare('Two averages on a month of real minutes', 'candles/s', [ours], peers);
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
