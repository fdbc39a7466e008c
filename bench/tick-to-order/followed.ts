/**
 * Tick to order of the real `run` command by how many follow it: without a dashboard, with one that nobody looks at, and
 * with ten clients that read the whole stream. The last two are one session, whose clients come and go between the turns, so
 * that a machine whose speed drifts slows all alike.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { print, spread } from '../harness.ts';
import { DASHBOARD_TOKEN, ownClient, ownFolder, type Client } from './clients.ts';
import type { FollowersOrder } from './followers.ts';
import { ended, percentile, turn, untilTrading } from './race.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

const TREE = resolve(import.meta.dirname, '../..');
const FOLLOWERS = 10;
const WARM_UP_TURNS = 6;
/** The 99th percentile of one run has five ticks above it, and the machine moves it by half: it takes many. */
const RUNS = 30;
const TURNS_A_RUN = 5;
/** Of a turn. */
const TRIES_MAX = 10;

const of = (name: string, more: { readonly dashboard?: true } = {}): Client =>
  ownClient(TREE, { name, title: name, durability: 'full', strategy: 'strategy', ...more });

const ALONE = of('alone');
const SERVED = of('served', { dashboard: true });

interface Case {
  readonly title: string;
  readonly client: Client;
  readonly isFollowed: boolean;
}

const CASES: readonly Case[] = [
  { title: 'a dashboard, nobody looks', client: SERVED, isFollowed: false },
  { title: `a dashboard, ${FOLLOWERS} clients`, client: SERVED, isFollowed: true },
  { title: 'no dashboard', client: ALONE, isFollowed: false },
];

async function addressIn(folder: string): Promise<string> {
  const sessions = join(folder, 'sessions');
  const [id = ''] = readdirSync(sessions).filter((name) => name.startsWith('live-'));
  const file = join(sessions, id, 'dashboard.json');
  for (let looks = 0; !existsSync(file) && looks < 300; looks++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { readonly url: string };
  return url;
}

class Followers {
  readonly child: ChildProcess;
  readonly #ended: Promise<never>;
  #areHere = false;
  #answered: () => void = () => {};

  constructor(url: string) {
    const args = [url, DASHBOARD_TOKEN, String(FOLLOWERS)];
    const file = join(import.meta.dirname, 'followers.ts');
    this.child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.child.on('message', () => this.#answered());
    this.#ended = new Promise((_, reject) => {
      this.child.once('exit', () => reject(new Error('the clients that follow have ended')));
    });
    this.#ended.catch(() => {});
  }

  async be(here: boolean): Promise<void> {
    if (this.#areHere === here) return;
    this.#areHere = here;
    const order: FollowersOrder = here ? 'come' : 'go';
    const answered = new Promise<void>((resolve) => (this.#answered = resolve));
    this.child.send(order);
    await Promise.race([answered, this.#ended]);
  }
}

/** Times by run, µs. */
async function measured(exchange: ScriptedExchange, followers: Followers): Promise<ReadonlyMap<Case, number[][]>> {
  const one = async (each: Case): Promise<readonly number[]> => {
    await followers.be(each.isFollowed);
    // It had no data while the others had their turns, and trusts its book again with the next ones.
    for (let tries = 1; ; tries++) {
      await untilTrading(exchange, each.client);
      try {
        return await turn(exchange, each.client);
      } catch (thrown) {
        // A tick without an answer within half a second: something else has the machine.
        if (tries === TRIES_MAX) throw thrown;
      }
    }
  };
  for (let warm = 0; warm < WARM_UP_TURNS; warm++) for (const each of CASES) await one(each);
  const runs = new Map<Case, number[][]>(CASES.map((each) => [each, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const each of CASES) runs.get(each)!.push([]);
    for (let count = 0; count < TURNS_A_RUN; count++)
      for (const each of CASES) runs.get(each)![run]!.push(...(await one(each)));
  }
  return runs;
}

/** Each run against the run beside it: what slows the machine for minutes slows both. */
function sayRatios(name: string, times: ReadonlyMap<Case, number[][]>, fraction: number): void {
  const [[, nobody = []] = [], ...others] = times;
  for (const [{ title }, runs] of others) {
    const ratios = runs.map((run, at) => percentile(run, fraction) / percentile(nobody[at] ?? [], fraction));
    const { median, low, high } = medianOf(ratios);
    const figures = [median, low, high].map((ratio) => ratio.toFixed(3));
    console.log(`  ${name} run by run, ${title} to nobody: ${figures[0]} (95 %: ${figures[1]} … ${figures[2]})`);
  }
}

/** The median and its interval of 95 % by ranks (binomial, normal approximation), which asks for no distribution. */
function medianOf(values: readonly number[]): { readonly median: number; readonly low: number; readonly high: number } {
  const sorted = values.toSorted((left, right) => left - right);
  const half = 0.98 * Math.sqrt(sorted.length);
  const at = (rank: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, rank))] ?? Number.NaN;
  const middle = sorted.length / 2;
  return {
    median: at(Math.floor(middle)),
    low: at(Math.floor(middle - half) - 1),
    high: at(Math.ceil(middle + half)),
  };
}

export async function followedBench(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const exchange = await ScriptedExchange.open();
  const clients = [ALONE, SERVED];
  const children = clients.map((client) => client.start(exchange, ownFolder(root, client)));
  let followers: Followers | null = null;
  try {
    for (const client of clients) await untilTrading(exchange, client);
    followers = new Followers(await addressIn(join(root, SERVED.name)));
    const times = await measured(exchange, followers);
    for (const [name, fraction] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const results = [...times].map(([{ title }, runs]) => {
        return { name: title, values: spread(runs.map((run) => percentile(run, fraction))) };
      });
      print(`Tick to order by who follows, ${name} of ${TURNS_A_RUN * 100} ticks`, 'µs', results, RUNS);
      sayRatios(name, times, fraction);
    }
    const all = [...times].map(([{ title }, runs]) => {
      return { name: title, values: spread([percentile(runs.flat(), 0.99)]) };
    });
    print(`Tick to order by who follows, p99 of all ${RUNS * TURNS_A_RUN * 100} ticks`, 'µs', all, 1);
  } finally {
    followers?.child.kill('SIGKILL');
    for (const child of children) await ended(child);
    await exchange.close();
    rmSync(root, { recursive: true, force: true });
  }
}
