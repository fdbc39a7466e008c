/**
 * The processes that take part, and how each is started. tidewire is the real `run` command: live stack, executor with
 * risk, SQLite journal, raw recording; the bare client does nothing that is not needed. Used by `race.ts`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedExchange } from './scripted-exchange.ts';

export interface Client {
  /** How the exchange knows it; no two are the same. */
  readonly name: string;
  readonly title: string;
  /** Creates and cancels that answer one tick. */
  readonly requests: number;
  /** `folder` is its own. */
  start(exchange: ScriptedExchange, folder: string): ChildProcess;
}

const SECRET_KEY = 'b2'.repeat(32);
const STRATEGIES = import.meta.dirname;

/** With `durable` it appends and waits for the disk before each send. */
export function bareClient(name: string, title: string, durable: boolean): Client {
  return {
    name,
    title,
    requests: 1,
    start: (exchange, folder) => {
      const args = [
        join(STRATEGIES, 'bare-client.ts'),
        exchange.url,
        exchange.socketUrl(name),
        exchange.publicKey(name),
        SECRET_KEY,
        ...(durable ? [join(folder, 'log')] : []),
      ];
      return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    },
  };
}

export interface OwnClient {
  readonly name: string;
  readonly title: string;
  readonly durability: 'full' | 'normal';
  readonly strategy: 'strategy' | 'requote';
  readonly sides?: 1 | 2;
  /** Serves the dashboard, with `DASHBOARD_TOKEN`. */
  readonly dashboard?: true;
}

export const DASHBOARD_TOKEN = 'bench-'.repeat(8);

/** `tree`: the checkout whose code runs. Limits that such a pace of orders needs are raised; the rest is as it comes. */
export function ownClient(tree: string, { name, title, durability, strategy, sides, dashboard }: OwnClient): Client {
  return {
    name,
    title,
    requests: 2 * (sides ?? 0.5),
    start: (exchange, folder) => {
      const config = join(folder, 'tidewire.yaml');
      const file = join(tree, 'bench/tick-to-order', `${strategy}.ts`);
      writeFileSync(config, configOf(exchange, { name, durability, folder }));
      const params = sides === undefined ? [] : ['--param', `sides=${sides}`];
      const command = ['run', file, '--live', '--confirm', 'bench', '--config', config, '--json', ...params];
      if (dashboard === true) command.push('--dashboard', '0');
      const env = {
        ...process.env,
        TIDEWIRE_API_KEY: exchange.publicKey(name),
        TIDEWIRE_API_SECRET: SECRET_KEY,
        TIDEWIRE_DASHBOARD_TOKEN: DASHBOARD_TOKEN,
        // Two processes of one account do not run at once.
        XDG_STATE_HOME: folder,
      };
      const main = join(tree, 'src/cli/main.ts');
      return spawn(process.execPath, [main, ...command], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    },
  };
}

interface ConfigParts {
  readonly name: string;
  readonly durability: string;
  readonly folder: string;
}

function configOf(exchange: ScriptedExchange, { name, durability, folder }: ConfigParts): string {
  return `exchange:
  baseUrl: ${exchange.url}
  gatewayUrl: ${exchange.url}
  wsUrl: ${exchange.socketUrl(name)}
  budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 }
risk: { messagesPerSecond: 1000 }
journal: { dir: ${join(folder, 'sessions')}, durability: ${durability} }
`;
}

export function ownFolder(root: string, { name }: Client): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}
