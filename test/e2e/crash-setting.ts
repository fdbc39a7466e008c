/** A live session on a real sandbox without agents that dies, and `panic --flatten` after it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { documentOf, freshFolder, run, start, until, type Running } from './cli.ts';
import { World } from './live-stack.ts';
import { entriesOf, sessions } from './session-view.ts';

export const CLIENT = '/api/v2/exchange/client';
export const SPOT = 'BTCUSDT';
export const PERP = 'BTCUSDTPERP';

export interface Order {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type?: 'limit' | 'market';
  readonly price?: string;
  readonly quantity: string;
  readonly positionSide?: 'long' | 'short';
}

interface PanicDocument {
  readonly openAfter: number | null;
  readonly flattened: readonly { readonly symbol: string; readonly quantity: string; readonly outcome: string }[];
  readonly problems: readonly string[];
}

interface Panic extends PanicDocument {
  readonly code: number | null;
}

export class Setting {
  readonly world: World;
  readonly cwd = freshFolder();
  readonly config: string;

  constructor(world: World) {
    this.world = world;
    const { restUrl, gatewayUrl, wsUrl } = world.sandbox;
    const exchange = `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n  clientOrderIds: ${world.clientOrderIds}\n`;
    // Seldom enough that what the stream does not tell is not learnt before the kill.
    const reconcile = 'reconcile:\n  urgentIntervalMs: 5000\n  historyLagMs: 300\n';
    this.config = join(this.cwd, 'live.yaml');
    writeFileSync(this.config, exchange + reconcile);
  }

  key(login: 'alice' | 'bob') {
    return this.world.sandbox.users.find((user) => user.login === login)!.apiKey;
  }

  /** Bob's, who is everybody else. */
  async trade({ symbol, ...order }: Order, login: 'alice' | 'bob' = 'bob'): Promise<void> {
    const market = symbol === PERP ? 'derivative' : 'spot';
    const data = { symbol, type: 'limit', timeInForce: 'gtc', ...order };
    const reply = await signed(this.world.sandbox.restUrl, this.key(login), 'POST', `${CLIENT}/order/${market}`, data);
    expect(reply.status, reply.text).toBeLessThan(300);
  }

  async positions(): Promise<readonly { readonly symbol: string; readonly quantity: string }[]> {
    const path = `${CLIENT}/positions/list`;
    return (await signed(this.world.sandbox.restUrl, this.key('alice'), 'GET', path)).json as never;
  }

  env() {
    const { publicKey, secretKey } = this.key('alice');
    return {
      TIDEWIRE_API_KEY: publicKey,
      TIDEWIRE_API_SECRET: secretKey,
      TIDEWIRE_RECONCILE_HISTORY_LAG_MS: '300',
      XDG_STATE_HOME: join(this.cwd, 'state'),
    };
  }

  /** A live session that sends these. */
  start(...orders: readonly Order[]): Running {
    const places = orders.map(({ type = 'limit', ...order }) => `place(${JSON.stringify({ type, ...order })})`);
    const symbols = JSON.stringify([...new Set(orders.map(({ symbol }) => symbol))]);
    const file = join(this.cwd, 'sends.ts');
    writeFileSync(
      file,
      `import { defineStrategy, place } from 'tidewire';
import { map, merge, timer } from 'rxjs';

export default defineStrategy({
  name: 'sends',
  symbols: () => ${symbols},
  setup: ({ account }) => {
    const isIdle = (symbol) => account.openOrders(symbol).length === 0 && account.position(symbol).isFlat;
    // Again where the first was denied: there was no price yet.
    return merge(timer(500), timer(3000), timer(6000)).pipe(map(() => (${symbols}.every(isIdle) ? [${places.join(', ')}] : [])));
  },
});
`,
    );
    const args = ['run', file, '--config', this.config, '--live', '--confirm', 'alice', '--json'];
    return start(args, { cwd: this.cwd, env: this.env() });
  }

  async orderOfAlice(isThere: (order: { readonly status: string; readonly filledQuantity: string }) => boolean) {
    await until('an order of the session', async () => {
      const reply = await signed(this.world.sandbox.restUrl, this.key('alice'), 'GET', `${CLIENT}/order/active`);
      return (reply.json as never[]).some(isThere) ? true : undefined;
    });
  }

  /** A fill, or that an order was taken: the stream or the answer says so first, and what comes second changes nothing. */
  async journalled(bot: Running, what: 'fill' | 'order'): Promise<void> {
    const kinds = what === 'fill' ? (['fill'] as const) : (['order', 'outcome'] as const);
    await bot.during(`a row of ${kinds.join(' or ')}`, async () => {
      const [session] = await sessions(this.cwd, ['--config', this.config]);
      return session !== undefined && kinds.some((kind) => entriesOf(session.path, kind).length > 0) ? true : undefined;
    });
  }

  /** What others traded stands in its journal. */
  async booked(bot: Running): Promise<void> {
    await bot.during('a trade of others', async () => {
      const [session] = await sessions(this.cwd, ['--config', this.config]);
      const rows = session === undefined ? [] : entriesOf(session.path, 'adjustment');
      return rows.some(({ cause }) => cause === 'trade of others') ? true : undefined;
    });
  }

  async panic(): Promise<Panic> {
    const args = ['panic', '--flatten', '--json', '--config', this.config];
    const ended = await run(args, { cwd: this.cwd, env: this.env() });
    const { openAfter, flattened, problems } = documentOf<PanicDocument>(ended);
    expect(openAfter, ended.stdout).toBe(0);
    return { code: ended.code, openAfter, flattened, problems };
  }

  get orders(): number {
    return this.world.alice.orders.length;
  }
}

export async function crash(
  work: (setting: Setting) => Promise<void>,
  options: { clientOrderIds?: boolean } = {},
): Promise<void> {
  const world = await World.open(options);
  try {
    await work(new Setting(world));
  } finally {
    await world.close();
  }
}
