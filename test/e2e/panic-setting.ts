/** A session that holds a position, on a real sandbox, and `panic --flatten` beside it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callCli } from '../cli/call-cli.ts';
import { flattenEverything, type FlattenOptions } from '../../src/session/emergency/panic-flatten.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { takePanicOrders } from '../../src/session/emergency/panic-orders.ts';
import { Problems } from '../../src/session/emergency/panic.ts';
import { createSession, type NewSession } from '../../src/session/store/store.ts';
import { market } from './scenario.ts';
import { Stack, tempDir, until, World } from './live-stack.ts';

export const LIVE = { mode: 'live' as const, strategies: [], seed: 1, account: 'alice', suffix: 'a' };

export interface Setting {
  readonly stack: Stack;
  /** Where the sessions are, and the list of what panics sent. */
  readonly root: string;
  readonly world: World;
  /** Ends the session and starts it anew, as `run` does. */
  readonly restart: () => Promise<Stack>;
  readonly flatten: (over?: Partial<FlattenOptions['owner']>) => Promise<readonly string[]>;
}

/** `watches`: the session takes over what a panic sends while it runs. */
export async function holding(
  run: (setting: Setting) => Promise<void>,
  { watches = false }: { readonly watches?: boolean } = {},
): Promise<void> {
  const world = await World.open();
  try {
    const { dir: root, remove } = tempDir();
    world.later(remove);
    const exchange = world.sandbox.restUrl;
    const session: NewSession = { ...LIVE, exchange, now: Date.now() };
    const folder = createSession(root, session);
    const stack = await Stack.start(world, { dir: folder.path, ...(watches ? { watches: folder } : {}) });
    await stack.whenReady();
    stack.act('taker', market('buy', '0.05'));
    await until(() => stack.executor.account('taker').position('BTCUSDT').quantity === '0.049975', 'the position');
    const { connection } = stack;
    let count = 0;
    const flatten: Setting['flatten'] = async (over = {}) => {
      const owner = { account: 'alice', exchange, ...over };
      const options = {
        exchange: connection.exchange,
        instruments: connection.instruments,
        root,
        owner,
        unique: `p${count++}`,
        clock: connection.clock,
        clientOrderIds: world.clientOrderIds,
      };
      const { flattened } = await flattenEverything(options, new Problems());
      return flattened.map(({ quantity, outcome }) => `${quantity} ${outcome}`);
    };
    const restart = async (): Promise<Stack> => {
      await stack.stop();
      const wrap = (journal: JournalStore): JournalStore => {
        takePanicOrders(journal, folder, Date.now());
        return journal;
      };
      const next = await Stack.start(world, { dir: folder.path, bootId: 'b2', wrap });
      await next.whenReady();
      return next;
    };
    await run({ world, stack, root, flatten, restart });
  } finally {
    await world.close();
  }
}

export interface Panic {
  readonly code: number;
  readonly said: string;
  readonly document: {
    readonly told: readonly string[];
    readonly running: readonly string[];
    readonly openAfter: number | null;
    readonly flattened: readonly object[];
    readonly unprotected: readonly object[];
    readonly problems: readonly string[];
    readonly unwritten: readonly string[];
  };
}

/** A folder with `c.yaml`, and the key of alice, for the world's exchange. */
export function panicFolder(
  world: World,
  root: string,
): { readonly dir: string; readonly env: Readonly<Record<string, string>> } {
  const { dir, remove } = tempDir();
  world.later(remove);
  const { restUrl, gatewayUrl, wsUrl, users } = world.sandbox;
  const addresses = `  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`;
  writeFileSync(
    join(dir, 'c.yaml'),
    `exchange:\n${addresses}journal:\n  dir: ${root}\nreconcile:\n  historyLagMs: 200\n`,
  );
  const { publicKey, secretKey } = users.find(({ login }) => login === 'alice')!.apiKey;
  return { dir, env: { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey } };
}

/** `tidewire panic` of alice on the world's exchange. */
export async function panic(world: World, root: string, ...more: readonly string[]): Promise<Panic> {
  const { dir, env } = panicFolder(world, root);
  const { code, stdout, stderr } = await callCli(['panic', '--json', '--config', 'c.yaml', ...more], dir, { env });
  return { code, said: stderr, document: JSON.parse(stdout) as Panic['document'] };
}
