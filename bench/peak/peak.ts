/**
 * A live session at a multiple of the rates that a real recording holds (reliability §2.7 row 17: stress at twice the
 * highest message rate): a sandbox plays the recording over real sockets, `run --live` trades on it with journal and
 * recording on. Shown: frames a second at the peak, time from the exchange's stamp to the strategy's side of the socket
 * (both processes on one clock), gaps, and whether the exchange was left with an order. Beside the recorded pace.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { RUNS, print, race, spread, type Measured } from '../harness.ts';
import { MAIN, SPREAD_MAKER, benchData } from '../recordings.ts';

const execute = promisify(execFile);
/** Twice 2,466 frames a second, the highest of that exchange with its best quotes, of which depth and trades are 185. */
const SPEED = 27;
/** The recording, played so fast, is over after 13 s, of which a session takes some to start. */
const SECONDS = 8;
const OUT_BYTES_MAX = 64 * 1024 * 1024;

interface Exchange {
  readonly child: ChildProcess;
  readonly config: string;
  readonly login: string;
  readonly keys: Readonly<Record<string, string>>;
}

async function exchange(cwd: string, recording: string, speed: number): Promise<Exchange> {
  const args = [MAIN, 'sandbox', '--json', '--market', `replay:${recording}`, '--speed', String(speed)];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { restUrl, gatewayUrl, wsUrl, users } = JSON.parse(line) as {
    readonly [url in 'restUrl' | 'gatewayUrl' | 'wsUrl']: string;
  } & {
    readonly users: readonly [
      { readonly login: string; readonly apiKey: { readonly publicKey: string; readonly secretKey: string } },
    ];
  };
  const [{ login, apiKey }] = users;
  const config = join(cwd, 'peak.yaml');
  writeFileSync(config, `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`);
  const keys = { TIDEWIRE_API_KEY: apiKey.publicKey, TIDEWIRE_API_SECRET: apiKey.secretKey };
  return { child, config, login, keys };
}

interface Seen {
  readonly framesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly orders: number;
  readonly gaps: number;
  readonly differences: number;
}

/** What the session's own recording says of the frames that reached it. */
async function delays(recording: string): Promise<Pick<Seen, 'p50Ms' | 'p99Ms'>> {
  const tape = await openTape([recording]);
  const cursor = tape.cursor('receive');
  const late: number[] = [];
  while (cursor.nextUs !== Number.POSITIVE_INFINITY) {
    const { exchangeUs, receiveUs } = cursor.next();
    late.push((receiveUs - exchangeUs) / 1000);
  }
  tape.close();
  const sorted = Float64Array.from(late).sort();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function session(recording: string, speed: number): Promise<Seen> {
  const cwd = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const { child, config, login, keys } = await exchange(cwd, recording, speed);
  const command = async (...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, ...keys };
    const options = { cwd, env, maxBuffer: OUT_BYTES_MAX };
    return (await execute(process.execPath, [MAIN, ...args, '--json'], options)).stdout;
  };
  try {
    const live = ['--config', config, '--live', '--confirm', login, '--for', `${SECONDS}s`];
    const { orders, files } = JSON.parse(await command('run', SPREAD_MAKER, ...live)) as {
      readonly orders: { readonly accepted: number };
      readonly files: { readonly recording: string };
    };
    const { symbols } = JSON.parse(await command('data', 'info', files.recording)) as {
      readonly symbols: Readonly<Record<string, { readonly gaps: number; readonly peakPerSecond: number }>>;
    };
    const { changes } = JSON.parse(await command('reconcile', '--dry-run', '--config', config)) as {
      readonly changes: readonly unknown[];
    };
    const rows = Object.values(symbols);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return {
      framesPerSecond: sum(rows.map((row) => row.peakPerSecond)),
      ...(await delays(files.recording)),
      orders: orders.accepted,
      gaps: sum(rows.map((row) => row.gaps)),
      differences: changes.length,
    };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(cwd, { recursive: true, force: true });
  }
}

export async function peakBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const data = await benchData(folder);
  if (data === null) return;
  const courses = [
    { name: 'at the recorded pace', speed: 1, seen: [] as Seen[] },
    { name: `${SPEED} times as fast`, speed: SPEED, seen: [] as Seen[] },
  ];
  await race(
    courses.map(({ name, speed, seen }) => ({
      name,
      run: async () => seen.push(await session(data.path, speed)),
    })),
    RUNS,
  );
  const show = (title: string, unit: string, figure: (seen: Seen) => number): void =>
    print(
      title,
      unit,
      courses.map(({ name, seen }): Measured => ({ name, values: spread(seen.slice(1).map(figure)) })),
    );
  show(`A live session on ${data.name}, the fastest second`, 'frames', (seen) => seen.framesPerSecond);
  show('The same, p50 from the stamp of the exchange to the session', 'ms', (seen) => seen.p50Ms);
  show('The same, p99', 'ms', (seen) => seen.p99Ms);
  show('The same, orders that the exchange took', 'orders', (seen) => seen.orders);
  for (const { name, seen } of courses) {
    const count = (figure: (each: Seen) => number): number => seen.reduce((total, each) => total + figure(each), 0);
    console.log(
      `  ${name}: gaps ${count((each) => each.gaps)}, differences from the exchange ${count((each) => each.differences)}`,
    );
    if (count((each) => each.gaps + each.differences) > 0) process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
}
