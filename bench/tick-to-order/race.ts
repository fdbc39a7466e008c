/**
 * Tick to order over loopback, by the server's clock: from the send of a depth update to the arrival of the whole create
 * request, so that both clients pay for the same sockets. tidewire is the real `run` command in a process of its own:
 * live stack, executor with risk, SQLite journal with `synchronous=FULL`, raw recording; the bare client does nothing
 * that is not needed. Turns of 100 ticks change between all.
 *
 *   bare             ws + undici.request + HMAC
 *   bare-durable     the same with one 4 kB append and fdatasync before each send: the least that "intent before effect"
 *                    can cost on this disk
 *   tidewire         journal.durability full, the default
 *   tidewire-normal  journal.durability normal: the same code without waiting for the disk
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUNS, print, spread } from '../harness.ts';
import { MAIN } from '../recordings.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

const CLIENTS = ['bare', 'bare-durable', 'tidewire', 'tidewire-normal'] as const;
const TITLES: Readonly<Record<Client, string>> = {
  bare: 'peer: bare ws + undici + HMAC',
  'bare-durable': 'the same with a durable 4 kB append before each send',
  tidewire: 'tidewire run, risk on, journal full',
  'tidewire-normal': 'tidewire run, risk on, journal normal',
};
type Client = (typeof CLIENTS)[number];

const PUBLIC_KEY = 'a1'.repeat(32);
const SECRET_KEY = 'b2'.repeat(32);
const TICKS_A_TURN = 100;
const TURNS_A_RUN = 5;
const WARM_UP_TURNS = 6;
/** Between two ticks, so that each finds both sides at rest. */
const PAUSE_MS = 3;
const START_MS_MAX = 30_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function startBare(exchange: ScriptedExchange, client: Client, folder: string): ChildProcess {
  const file = join(import.meta.dirname, 'bare-client.ts');
  const durable = client === 'bare-durable' ? [join(folder, client)] : [];
  const args = [file, exchange.url, exchange.socketUrl(client), PUBLIC_KEY, SECRET_KEY, ...durable];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Limits that such a pace of orders needs are raised; everything else is as it comes. */
function startTidewire(exchange: ScriptedExchange, client: Client, folder: string): ChildProcess {
  const config = join(folder, `${client}.yaml`);
  writeFileSync(
    config,
    `exchange:
  baseUrl: ${exchange.url}
  gatewayUrl: ${exchange.url}
  wsUrl: ${exchange.socketUrl(client)}
  budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 }
risk: { messagesPerSecond: 1000 }
journal: { dir: ${join(folder, client)}, durability: ${client === 'tidewire' ? 'full' : 'normal'} }
`,
  );
  const strategy = join(import.meta.dirname, 'strategy.ts');
  const args = [MAIN, 'run', strategy, '--live', '--confirm', 'bench', '--config', config, '--json'];
  const env = { ...process.env, TIDEWIRE_API_KEY: PUBLIC_KEY, TIDEWIRE_API_SECRET: SECRET_KEY };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function untilTrading(exchange: ScriptedExchange, client: Client): Promise<void> {
  const end = performance.now() + START_MS_MAX;
  while ((await exchange.tick(client)) === null) {
    if (performance.now() > end) throw new Error(`${client} has sent no order within ${START_MS_MAX} ms`);
    await pause(50);
  }
}

/** Times of one turn, µs. */
async function turn(exchange: ScriptedExchange, client: Client): Promise<readonly number[]> {
  const times: number[] = [];
  for (let tick = 0; tick < TICKS_A_TURN; tick++) {
    const tookUs = await exchange.tick(client);
    if (tookUs === null) throw new Error(`${client} did not answer a tick`);
    times.push(tookUs);
    await pause(PAUSE_MS);
  }
  return times;
}

function percentile(times: readonly number[], fraction: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

async function measure(exchange: ScriptedExchange): Promise<void> {
  for (const client of CLIENTS) await untilTrading(exchange, client);
  for (let warm = 0; warm < WARM_UP_TURNS; warm++) for (const client of CLIENTS) await turn(exchange, client);
  const runs = new Map<Client, number[][]>(CLIENTS.map((client) => [client, []]));
  for (let run = 0; run < RUNS; run++) {
    const times = new Map<Client, number[]>(CLIENTS.map((client) => [client, []]));
    for (let count = 0; count < TURNS_A_RUN; count++) {
      for (const client of CLIENTS) times.get(client)?.push(...(await turn(exchange, client)));
    }
    for (const client of CLIENTS) runs.get(client)?.push(times.get(client) ?? []);
  }
  for (const [name, fraction] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const results = [...runs].map(([client, each]) => ({
      name: TITLES[client],
      values: spread(each.map((times) => percentile(times, fraction))),
    }));
    print(`Tick to order, ${name} of ${TICKS_A_TURN * TURNS_A_RUN} ticks`, 'µs', results);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
}

export async function tickToOrderBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const exchange = await ScriptedExchange.open();
  const children = CLIENTS.map((client) =>
    client.startsWith('bare') ? startBare(exchange, client, folder) : startTidewire(exchange, client, folder),
  );
  try {
    await measure(exchange);
  } finally {
    for (const child of children) await ended(child);
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
