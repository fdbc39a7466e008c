/**
 * Other engines on the same data and the same kind of strategy, as far as they are installed. None is a dependency: name a
 * Python that has them, and the rest is skipped, saying so.
 *
 *   python3 -m venv peers && peers/bin/pip install hftbacktest backtesting nautilus_trader
 *   TIDEWIRE_BENCH_PYTHON=peers/bin/python npm run bench peers
 *
 * Each is a process of its own, ours too, and they take turns. Several environments are separated by commas. What each does not do
 * stands in docs/benchmarks.md: read it with the figures.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openTape } from '../src/recording/tape/open-tape.ts';
import { print, race, shown, type Contestant } from './harness.ts';
import type { OwnTask } from './peers/tidewire.ts';
import {
  benchData,
  CANDLE_SYMBOL,
  candleData,
  EMA_CROSS,
  MAKER_BY_CLOCK,
  REAL_FILE,
  SPREAD_MAKER,
} from './recordings.ts';

const SCRIPTS = join(import.meta.dirname, 'peers');

/** A script says with this code that its package is absent. */
const ABSENT = 3;

/** V8 compiles while it runs, so the first rounds are not those of a program at work. They do not count for anybody. */
const WARMUPS = 6;
/** One turn swings by half on a shared machine. */
const TURNS = 11;

interface Hello {
  readonly version: string;
  /** Of its own form of the data. */
  readonly rows: number;
  readonly orders: number;
  /** Seconds of its very first run, where it says them. */
  readonly first?: number;
}

function pythons(): readonly string[] {
  return (process.env['TIDEWIRE_BENCH_PYTHON'] ?? 'python3').split(',');
}

/** An engine in a process of its own, asked for one run after the other (`peers/turns.py`). */
class Engine implements Contestant {
  readonly name: string;
  /** Of a run, as tidewire counts them: a row that a peer doubles counts once. */
  readonly events: number;
  /** The rate of its very first run; null where it does not say. */
  readonly first: number | null;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    lines: AsyncIterator<string>,
    { version, rows, orders, first }: Hello,
    events = rows,
  ) {
    this.name = `${version}, ${orders.toLocaleString('en')} orders, ${rows.toLocaleString('en')} rows`;
    this.events = events;
    this.first = first === undefined ? null : events / first;
    this.#child = child;
    this.#lines = lines;
  }

  /** `form`: how the strategy looks at the market, for its name. */
  static async own(task: OwnTask, form?: string): Promise<Engine> {
    const own = await Engine.#start(process.execPath, 'tidewire.ts', { ...task, form });
    if (own === null) throw new Error('no tidewire');
    return own;
  }

  /** In the first Python that has what the script needs; null, with a word to the user, when none has. */
  static async peer(script: string, task: Readonly<Record<string, unknown>>, events: number): Promise<Engine | null> {
    for (const python of pythons()) {
      const peer = await Engine.#start(python, script, task, events);
      if (peer !== null) return peer;
    }
    console.log(`${script}: skipped, no Python with its package; name one in TIDEWIRE_BENCH_PYTHON`);
    return null;
  }

  /** Null where the script says that its package is absent. */
  static async #start(command: string, script: string, task: object, events?: number): Promise<Engine | null> {
    const child = spawn(command, [join(SCRIPTS, script)], { stdio: 'pipe' });
    const ended = once(child, 'close');
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
    child.stdin.on('error', () => {});
    child.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify(task)}\n`);
    const first = await lines.next();
    if (first.done !== true) return new Engine(child, lines, JSON.parse(first.value) as Hello, events);
    const [code] = (await ended) as [number | null];
    if (code === ABSENT || child.pid === undefined) return null;
    throw new Error(`${script} failed in ${command}: ${errors}`);
  }

  /**
   * Two runs, of which the second counts: a virtual core that slept while another contestant ran is slower for the next quarter of a
   * second.
   */
  async run(): Promise<number> {
    await this.#seconds();
    return this.events / (await this.#seconds());
  }

  async #seconds(): Promise<number> {
    this.#child.stdin.write('run\n');
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`${this.name} has ended`);
    return (JSON.parse(line.value) as { readonly seconds: number }).seconds;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    await ended;
  }
}

/** Ratios are against the first that is present. */
async function compare(title: string, unit: string, engines: readonly (Engine | null)[]): Promise<void> {
  const present = engines.filter((engine) => engine !== null);
  try {
    print(title, unit, await race(present, TURNS, WARMUPS), TURNS);
    for (const { name, first } of present)
      if (first !== null) console.log(`  ${name}, the first time: ${shown(first)}`);
  } finally {
    for (const engine of present) await engine.end();
  }
}

async function makers(folder: string): Promise<void> {
  const data = await benchData(folder);
  if (data === null || !existsSync(REAL_FILE)) return;
  const sampled = { strategy: SPREAD_MAKER, data: data.path, params: {} };
  const viewed = { strategy: MAKER_BY_CLOCK, data: data.path, params: { form: 'view' } };
  const whole = await Engine.own({ ...sampled, repeat: 1 }, 'by market.top({ every })');
  const longer = await Engine.own({ ...sampled, repeat: data.repeat }, 'by market.top({ every })');
  const byClock = await Engine.own({ ...viewed, repeat: data.repeat }, 'by clock and market.view');
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
  const theirs = await Engine.peer('hftbacktest-maker.py', told, whole.events);
  await compare('A market maker on the real USD-M file, looking every 250 ms', 'events/s', [
    theirs,
    whole,
    longer,
    byClock,
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
  const params = { symbol: CANDLE_SYMBOL };
  const ours = await Engine.own({ strategy: EMA_CROSS, data: data.path, repeat: 1, params });
  const told = { candles: csv, repeat: 1, fast: 12, slow: 26 };
  await compare('Two averages on a month of real minutes', 'candles/s', [
    await Engine.peer('backtesting-cross.py', told, ours.events),
    ours,
    await Engine.peer('nautilus-cross.py', told, ours.events),
  ]);
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
