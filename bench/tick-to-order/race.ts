/**
 * Tick to order over loopback, by the server's clock: from the send of a depth update to the arrival of the last request
 * that answers it, whole, so that all clients pay for the same sockets (`clients.ts`). Turns of 100 ticks change between
 * all. With `--before DIR`, another checkout of this project with this bench in it, its figures stand beside ours.
 *
 *   bare             ws + undici.request + HMAC
 *   bare-durable     the same with one 4 kB append and fdatasync before each send: the least that "intent before effect"
 *                    can cost on this disk
 *   full             journal.durability full, the default
 *   normal           journal.durability normal: the same code without waiting for the disk
 *   one-sided        journal full: a requote of a cancel and a create
 *   two-sided        the same of both sides: two cancels and two creates
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RUNS, print, spread } from '../harness.ts';
import { bareClient, ownClient, ownFolder, type Client, type OwnClient } from './clients.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

const HERE = resolve(import.meta.dirname, '../..');

const BARE = bareClient('bare', 'peer: bare ws + undici + HMAC', false);
const BARE_DURABLE = bareClient('bare-durable', 'peer with a durable 4 kB append before each send', true);
const OWN = {
  full: { name: 'full', title: 'tidewire run, journal full', durability: 'full', strategy: 'strategy' },
  normal: { name: 'normal', title: 'tidewire run, journal normal', durability: 'normal', strategy: 'strategy' },
  'one-sided': { name: 'one-sided', title: 'cancel + create', durability: 'full', strategy: 'requote', sides: 1 },
  'two-sided': { name: 'two-sided', title: '2 cancels + 2 creates', durability: 'full', strategy: 'requote', sides: 2 },
} as const satisfies Readonly<Record<string, OwnClient>>;

const TICKS_A_TURN = 100;
const TURNS_A_RUN = 3;
const WARM_UP_TURNS = 8;
/** Between two ticks, so that each finds both sides at rest. */
const PAUSE_MS = 3;
const START_MS_MAX = 30_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Of one checkout. */
type OwnClients = Readonly<Record<keyof typeof OWN, Client>>;

function ownClients(tree: string, suffix: string): OwnClients {
  const of = (own: OwnClient): Client =>
    ownClient(tree, { ...own, name: `${own.name}${suffix}`, title: `${own.title}${suffix.replace('-', ', ')}` });
  return {
    full: of(OWN.full),
    normal: of(OWN.normal),
    'one-sided': of(OWN['one-sided']),
    'two-sided': of(OWN['two-sided']),
  };
}

export async function untilTrading(exchange: ScriptedExchange, { name, requests }: Client): Promise<void> {
  const end = performance.now() + START_MS_MAX;
  while ((await exchange.tick(name, requests)) === null) {
    if (performance.now() > end) throw new Error(`${name} has sent no order within ${START_MS_MAX} ms`);
    await pause(50);
  }
}

/** Times of one turn, µs. */
export async function turn(exchange: ScriptedExchange, { name, requests }: Client): Promise<readonly number[]> {
  const times: number[] = [];
  for (let tick = 0; tick < TICKS_A_TURN; tick++) {
    const tookUs = await exchange.tick(name, requests);
    if (tookUs === null) throw new Error(`${name} did not answer a tick`);
    times.push(tookUs);
    await pause(PAUSE_MS);
  }
  return times;
}

export function percentile(times: readonly number[], fraction: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

/** Times of each run, µs. */
type Times = ReadonlyMap<Client, readonly (readonly number[])[]>;

async function measured(exchange: ScriptedExchange, clients: readonly Client[]): Promise<Times> {
  for (const client of clients) await untilTrading(exchange, client);
  for (let warm = 0; warm < WARM_UP_TURNS; warm++) for (const client of clients) await turn(exchange, client);
  const runs = new Map<Client, number[][]>(clients.map((client) => [client, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const client of clients) runs.get(client)?.push([]);
    for (let count = 0; count < TURNS_A_RUN; count++) {
      for (const client of clients) runs.get(client)?.[run]?.push(...(await turn(exchange, client)));
    }
  }
  return runs;
}

function report(times: Times, own: OwnClients, before: OwnClients | null): void {
  const table = (title: string, clients: readonly (Client | undefined)[]): void => {
    for (const [name, fraction] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const results = clients.flatMap((client) => {
        const runs = client === undefined ? undefined : times.get(client);
        if (client === undefined || runs === undefined) return [];
        return [{ name: client.title, values: spread(runs.map((run) => percentile(run, fraction))) }];
      });
      print(`${title}, ${name} of ${TICKS_A_TURN * TURNS_A_RUN} ticks`, 'µs', results);
    }
  };
  table('Tick to order, durable', [BARE_DURABLE, before?.full, own.full]);
  table('Tick to order, not waiting for the disk', [BARE, before?.normal, own.normal]);
  table('Requote, last byte', [own['one-sided'], own['two-sided']]);
  if (before !== null) table('Requote, last byte, before', [before['one-sided'], before['two-sided']]);
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
}

export async function tickToOrderBench(before: string | null): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const exchange = await ScriptedExchange.open();
  const own = ownClients(HERE, '');
  const older = before === null ? null : ownClients(resolve(before), '-before');
  const clients = [BARE, BARE_DURABLE, ...Object.values(older ?? {}), ...Object.values(own)];
  const children = clients.map((client) => client.start(exchange, ownFolder(root, client)));
  try {
    report(await measured(exchange, clients), own, older);
  } finally {
    for (const child of children) await ended(child);
    await exchange.close();
    rmSync(root, { recursive: true, force: true });
  }
}
