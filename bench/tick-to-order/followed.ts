/**
 * Tick to order of the real `run` command by how many follow it: without a dashboard, with one that nobody looks at, and
 * with ten clients that read the whole stream, on this machine too. Turns change between the three, as in `race.ts`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { print, spread } from '../harness.ts';
import { DASHBOARD_TOKEN, ownClient, ownFolder } from './clients.ts';
import { ended, measured, percentile, untilTrading } from './race.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

const TREE = resolve(import.meta.dirname, '../..');
const FOLLOWERS = 10;

const of = (name: string, title: string, more: { readonly dashboard?: true } = {}) =>
  ownClient(TREE, { name, title, durability: 'full', strategy: 'strategy', ...more });

const ALONE = of('alone', 'no dashboard');
const SERVED = of('served', 'a dashboard, nobody looks', { dashboard: true });
const FOLLOWED = of('followed', `a dashboard, ${FOLLOWERS} clients`, { dashboard: true });

async function addressIn(folder: string): Promise<string> {
  const sessions = join(folder, 'sessions');
  const [id = ''] = readdirSync(sessions).filter((name) => name.startsWith('live-'));
  const file = join(sessions, id, 'dashboard.json');
  for (let looks = 0; !existsSync(file) && looks < 300; looks++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { readonly url: string };
  return url;
}

function follow(url: string): ChildProcess {
  const args = [join(import.meta.dirname, 'followers.ts'), url, DASHBOARD_TOKEN, String(FOLLOWERS)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

export async function followedBench(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const exchange = await ScriptedExchange.open();
  const clients = [ALONE, SERVED, FOLLOWED];
  const children = clients.map((client) => client.start(exchange, ownFolder(root, client)));
  let followers: ChildProcess | null = null;
  try {
    for (const client of clients) await untilTrading(exchange, client);
    followers = follow(await addressIn(join(root, FOLLOWED.name)));
    const times = await measured(exchange, clients);
    if (followers.exitCode !== null) throw new Error('the clients that follow have ended');
    for (const [name, fraction] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const results = clients.map((client) => {
        const runs = times.get(client) ?? [];
        return { name: client.title, values: spread(runs.map((run) => percentile(run, fraction))) };
      });
      print(`Tick to order by who follows, ${name}`, 'µs', results);
    }
  } finally {
    followers?.kill('SIGKILL');
    for (const child of children) await ended(child);
    await exchange.close();
    rmSync(root, { recursive: true, force: true });
  }
}
