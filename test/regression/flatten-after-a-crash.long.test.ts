/**
 * Found by a stranger: `panic --flatten` sold what the journal of a session that was killed said, and not what had filled since: it
 * ended with 0 and nothing named, with the rest still held. Real processes on a real sandbox without agents.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { documentOf, freshFolder, run, start, until, type Running } from '../e2e/cli.ts';
import { World } from '../e2e/live-stack.ts';
import { CREATE } from '../e2e/scenario.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

const CLIENT = '/api/v2/exchange/client';
const SPOT = 'BTCUSDT';
const PERP = 'BTCUSDTPERP';

interface Order {
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

class Setting {
  readonly world: World;
  readonly cwd = freshFolder();
  readonly #config: string;

  constructor(world: World) {
    this.world = world;
    const { restUrl, gatewayUrl, wsUrl } = world.sandbox;
    const exchange = `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n  clientOrderIds: ${world.clientOrderIds}\n`;
    // Seldom enough that what the stream does not tell is not learnt before the kill.
    const reconcile = 'reconcile:\n  urgentIntervalMs: 5000\n  historyLagMs: 300\n';
    this.#config = join(this.cwd, 'live.yaml');
    writeFileSync(this.#config, exchange + reconcile);
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
    const args = ['run', file, '--config', this.#config, '--live', '--confirm', 'alice', '--json'];
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
      const [session] = await sessions(this.cwd, ['--config', this.#config]);
      return session !== undefined && kinds.some((kind) => entriesOf(session.path, kind).length > 0) ? true : undefined;
    });
  }

  /** What others traded stands in its journal. */
  async booked(bot: Running): Promise<void> {
    await bot.during('a trade of others', async () => {
      const [session] = await sessions(this.cwd, ['--config', this.#config]);
      const rows = session === undefined ? [] : entriesOf(session.path, 'adjustment');
      return rows.some(({ cause }) => cause === 'trade of others') ? true : undefined;
    });
  }

  async panic(): Promise<Panic> {
    const args = ['panic', '--flatten', '--json', '--config', this.#config];
    const ended = await run(args, { cwd: this.cwd, env: this.env() });
    const { openAfter, flattened, problems } = documentOf<PanicDocument>(ended);
    expect(openAfter, ended.stdout).toBe(0);
    return { code: ended.code, openAfter, flattened, problems };
  }

  get orders(): number {
    return this.world.alice.orders.length;
  }
}

async function crash(
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

const RESTING: Order = { symbol: SPOT, side: 'buy', price: '59995', quantity: '0.05' };
/** 0.05 less the maker's fee, in lots. */
const BOUGHT = { symbol: SPOT, quantity: 'sell 0.04999', outcome: 'accepted' };

/** Killed with an order that rests, which fills before anybody cancels it. */
async function filledSince(setting: Setting): Promise<void> {
  const bot = setting.start(RESTING);
  await setting.journalled(bot, 'order');
  await bot.signal('SIGKILL');
  await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
}

it('closes what filled between the kill and the panic, and nothing twice', () =>
  crash(async (setting) => {
    await filledSince(setting);
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [BOUGHT], problems: [] });
    expect(setting.orders).toBe(2);
    const again = await setting.panic();
    expect(again).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);
  }));

it('sells back no more than is left when the session had sold meanwhile', () =>
  crash(async (setting) => {
    const bot = setting.start(
      { symbol: SPOT, side: 'buy', type: 'market', quantity: '0.05' },
      { ...RESTING, side: 'sell', price: '60005', quantity: '0.03' },
    );
    await setting.journalled(bot, 'fill');
    await setting.orderOfAlice(({ status }) => status === 'new');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: SPOT, side: 'buy', price: '60005', quantity: '0.02' });
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [{ quantity: 'sell 0.02997' }], problems: [] });
  }));

it.each([{ clientOrderIds: true }, { clientOrderIds: false }])(
  'finds the order whose answer never came, by its client order id or its terms: $clientOrderIds',
  (options) =>
    crash(async (setting) => {
      await setting.world.faults(
        { match: CREATE, fault: 'dropAfterEffect' },
        { match: { channel: `${SPOT}@order*` }, fault: 'mute' },
        { match: { channel: `${SPOT}@my-trades` }, fault: 'mute' },
      );
      const bot = setting.start(RESTING);
      await setting.orderOfAlice(({ status }) => status === 'new');
      await bot.signal('SIGKILL');
      await setting.world.faults();
      const [session] = await sessions(setting.cwd, ['--config', join(setting.cwd, 'live.yaml')]);
      expect(entriesOf(session!.path, 'order')).toEqual([]);
      await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
      expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [BOUGHT], problems: [] });
      expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    }, options),
);

it('closes what the journal knows and ends with 4 when the trades cannot be read; the next one closes the rest', () =>
  crash(async (setting) => {
    const bot = setting.start({ symbol: SPOT, side: 'buy', type: 'market', quantity: '0.02' }, RESTING);
    await setting.journalled(bot, 'fill');
    await setting.orderOfAlice(({ status }) => status === 'new');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
    await setting.world.faults({ match: { path: `${CLIENT}/trade/spot/list/my` }, fault: 'status', status: 503 });
    const first = await setting.panic();
    expect(first).toMatchObject({ code: 4, flattened: [{ quantity: 'sell 0.01999', outcome: 'accepted' }] });
    expect(first.problems).toEqual([
      expect.stringMatching(/own trades of the spot market could not be read .*more may be held/),
    ]);
    await setting.world.faults();
    const second = await setting.panic();
    expect(second).toMatchObject({
      code: 0,
      flattened: [{ quantity: 'sell 0.04999', outcome: 'accepted' }],
      problems: [],
    });
  }));

it('says 4 for an order that may have filled, when the orders cannot be read', () =>
  crash(async (setting) => {
    await setting.world.faults(
      { match: CREATE, fault: 'dropAfterEffect' },
      { match: { channel: `${SPOT}@order*` }, fault: 'mute' },
      { match: { channel: `${SPOT}@my-trades` }, fault: 'mute' },
    );
    const bot = setting.start(RESTING);
    await setting.orderOfAlice(({ status }) => status === 'new');
    await bot.signal('SIGKILL');
    await setting.world.faults();
    await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
    await setting.world.faults({ match: { path: `${CLIENT}/order/history` }, fault: 'status', status: 503 });
    const { code, flattened, problems } = await setting.panic();
    expect({ code, flattened }).toEqual({ code: 4, flattened: [] });
    expect(problems).toEqual([
      expect.stringMatching(/0\.05 BTCUSDT of order .* never answered.*could not be read.*may be held/),
    ]);
  }));

it('learns what became of the order of an earlier panic, or says that it does not know', () =>
  crash(async (setting) => {
    await filledSince(setting);
    await setting.world.faults({ match: CREATE, fault: 'dropAfterEffect', times: 1 });
    expect(await setting.panic()).toMatchObject({ code: 4, flattened: [{ ...BOUGHT, outcome: 'unknown' }] });
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);
  }));

it('does not end with 0 while the order of an earlier panic may not have arrived', () =>
  crash(async (setting) => {
    await filledSince(setting);
    await setting.world.faults({ match: CREATE, fault: 'status', status: 503, times: 1 });
    expect(await setting.panic()).toMatchObject({ code: 4, flattened: [{ ...BOUGHT, outcome: 'unknown' }] });
    const again = await setting.panic();
    expect(again).toMatchObject({ code: 4, flattened: [] });
    expect(again.problems).toEqual([expect.stringMatching(/not known what became of -0\.04999 BTCUSDT/)]);
  }));

it('counts no trade of a human', () =>
  crash(async (setting) => {
    await filledSince(setting);
    setting.world.trade('alice', 'buy', '60010', '0.4', true);
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [BOUGHT], problems: [] });
  }));

it.each([{ mode: 'one-way' }, { mode: 'hedge' }])('closes a perpetual that filled since: $mode', ({ mode }) =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const side = mode === 'hedge' ? ({ positionSide: 'long' } as const) : {};
    if (mode === 'hedge') {
      const path = `${CLIENT}/positions/mode`;
      const reply = await signed(setting.world.sandbox.restUrl, setting.key('alice'), 'POST', path, { mode });
      expect(reply.status, reply.text).toBeLessThan(300);
    }
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '59995', quantity: '0.05', ...side });
    await setting.journalled(bot, 'order');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: PERP, side: 'sell', price: '59995', quantity: '0.05' });
    expect(await setting.positions()).toMatchObject([{ symbol: PERP, quantity: '0.05' }]);
    const name = mode === 'hedge' ? `${PERP}/long` : PERP;
    const flattened = [{ symbol: name, quantity: 'sell 0.05', outcome: 'accepted' }];
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened, problems: [] });
    expect(await setting.positions()).toEqual([]);
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [], problems: [] });
  }),
);

it('closes what the account has of a perpetual that a human has partly closed, and then nothing more', () =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.05' });
    await setting.journalled(bot, 'fill');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: PERP, side: 'sell', price: '59990', quantity: '0.02' }, 'alice');
    const { code, flattened, problems } = await setting.panic();
    expect(flattened).toEqual([
      { symbol: PERP, quantity: 'sell 0.05', outcome: 'refused' },
      { symbol: PERP, quantity: 'sell 0.03', outcome: 'accepted' },
    ]);
    expect([code, problems.join()]).toEqual([0, expect.stringContaining('reduce_only_violation')]);
    expect(await setting.positions()).toEqual([]);
    expect(await setting.panic()).toMatchObject({
      code: 0,
      flattened: [{ quantity: 'sell 0.02', outcome: 'refused' }],
    });
  }));

it('leaves alone what a human holds, where a session that is gone was closed by others', () =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.02' });
    await setting.journalled(bot, 'fill');
    await setting.trade({ symbol: PERP, side: 'sell', price: '59990', quantity: '0.02' }, 'alice');
    await setting.booked(bot);
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.05' }, 'alice');
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [], problems: [] });
    expect(await setting.positions()).toMatchObject([{ symbol: PERP, quantity: '0.05' }]);
  }));

it('does not take a refusal for another reason as a word of the position', () =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.05' });
    await setting.journalled(bot, 'fill');
    await bot.signal('SIGKILL');
    const market = setting.world.sandbox.sandbox.exchange.markets.get(PERP);
    if (market === undefined) throw new Error('no market');
    Object.assign(market, { halted: true });
    // An older list, as it may be shown.
    setting.world.answers = (body) => (body.includes('"liquidationPrice"') ? '[]' : body);
    const flattened = [{ symbol: PERP, quantity: 'sell 0.05', outcome: 'refused' }];
    expect(await setting.panic()).toMatchObject({ code: 1, flattened });
  }));
