/**
 * `strategies/p2p-maker.ts` live against a sandbox: the advertisement follows the spot book inside the price bounds, the
 * trade of a second user is started at once and released by nobody but a human, a killed process never doubles it.
 */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger } from '../../src/model/ports.ts';
import type { Advertisement, P2pTrade } from '../../src/model/funds/p2p.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { MoneyOutcome } from '../../src/model/result.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { listSessions } from '../../src/session/store/store.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { documentOf, freshFolder, run, start, strategyFile, type Running } from './cli.ts';
import { writeExchangeConfig } from './exchange-process.ts';
import { entriesOf, sessions } from './session-view.ts';

interface Replayed {
  readonly left: number;
  readonly right: number;
  readonly equal: number;
  readonly first: unknown;
}

const clock = createSystemClock();
const maker = strategyFile('p2p-maker');

class World {
  readonly cwd = freshFolder();
  readonly sandbox: RunningSandbox;
  readonly alice: Exchange;
  readonly bob: Exchange;
  readonly config: string;
  #orders: string[] = [];

  private constructor(sandbox: RunningSandbox) {
    this.sandbox = sandbox;
    [this.alice, this.bob] = sandbox.users.map(({ apiKey }) =>
      createExchange({
        options: exchangeOptions.parse({
          baseUrl: sandbox.restUrl,
          gatewayUrl: sandbox.gatewayUrl,
          wsUrl: sandbox.wsUrl,
        }),
        credentials: createCredentials(apiKey.publicKey, apiKey.secretKey),
        clock,
        random: seededRandom(1),
        logger: silentLogger,
      }),
    ) as [Exchange, Exchange];
    const entry = { file: maker, params: { everyMs: 100, amount: '300' }, limits: { p2p: true } };
    // No request of these tests is under way for longer.
    const reconcile = { signatureWindowMs: 4000, fenceMarginMs: 500, urgentIntervalMs: 200 };
    const more = `strategies: ${JSON.stringify([entry])}\nreconcile: ${JSON.stringify(reconcile)}\n`;
    this.config = writeExchangeConfig(this.cwd, sandbox, more);
  }

  static async open(): Promise<World> {
    return new World(await startSandbox({ port: 0, seed: 7, clock, market: 'none', logger: silentLogger }));
  }

  async close(): Promise<void> {
    await this.alice.close();
    await this.bob.close();
    await this.sandbox.stop();
  }

  /** Bob makes the spot book. */
  async spot(bid: string, ask: string): Promise<void> {
    const old = this.#orders;
    this.#orders = [];
    if (old.length > 0) await new Promise((resolve) => this.bob.orders.cancelMany(old, { lane: 'create' }, resolve));
    for (const [side, price] of [
      ['buy', bid],
      ['sell', ask],
    ] as const) {
      const order = { market: 'spot', symbol: 'USDTRUB', side, type: 'limit', timeInForce: 'gtc', price } as const;
      const clientOrderId = `bob-${side}-${price}-${performance.now()}`;
      const outcome = await new Promise<{ kind: string; order?: { orderId: string } }>((resolve) =>
        this.bob.orders.create({ ...order, quantity: '100', clientOrderId }, { lane: 'create' }, resolve),
      );
      if (outcome.order === undefined) throw new Error(JSON.stringify(outcome));
      this.#orders.push(outcome.order.orderId);
    }
  }

  /** By another gateway when one is given. */
  run(gatewayUrl?: string): Running {
    const { publicKey, secretKey } = this.sandbox.users[0]!.apiKey;
    const gateway: Record<string, string> =
      gatewayUrl === undefined ? {} : { TIDEWIRE_EXCHANGE_GATEWAY_URL: gatewayUrl };
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey, ...gateway };
    const args = ['run', maker, '--config', this.config, '--live', '--confirm', 'alice', '--json'];
    return start(args, { cwd: this.cwd, env });
  }

  /** Every decision of the session is made again from what it was told. */
  async replays(): Promise<void> {
    const replayed = await run(['replay', '--config', this.config, '--json'], { cwd: this.cwd });
    expect(replayed.code).toBe(0);
    const { left, right, equal, first } = documentOf<Replayed>(replayed);
    expect({ first, right, equal }).toEqual({ first: null, right: left, equal: left });
    expect(left).toBeGreaterThan(0);
  }

  async faults(...rules: readonly object[]): Promise<void> {
    const body = JSON.stringify({ rules });
    const answer = await fetch(`${this.sandbox.restUrl}/sandbox/faults`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }

  async ads(): Promise<readonly Advertisement[]> {
    const reading = await this.alice.money.p2p.myAdvertisements();
    if (reading.kind !== 'complete') throw new Error(reading.reason);
    return reading.items;
  }

  async trade(tradeId: string): Promise<P2pTrade> {
    const answer = await this.alice.money.p2p.trade(tradeId);
    if (answer.kind === 'failed') throw answer.error;
    return answer.value;
  }
}

function accepted<T>(send: (done: (outcome: MoneyOutcome<T>) => void) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    send((outcome) => {
      if (outcome.kind === 'accepted') resolve(outcome.value);
      else reject(new Error(JSON.stringify(outcome)));
    }),
  );
}

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const lane = { lane: 'create' } as const;

describe('p2p-maker, live', () => {
  it('follows the spot book inside the bounds, starts trades, and leaves the release to a human', async () => {
    world = await World.open();
    const { bob, alice } = world;
    const here = world;
    await here.spot('94.9', '95.1');
    const running = here.run();
    const standing = (what: string, fits: (ad: Advertisement) => boolean): Promise<Advertisement> =>
      running.during(what, async () => {
        const rows = await here.ads();
        expect(rows.length).toBeLessThanOrEqual(1);
        return rows.find(fits);
      });
    const active = (price: string) => (ad: Advertisement) => ad.status === 'active' && ad.price === price;
    await standing('an advertisement 1 % above the ask', active('96.051'));
    await here.spot('95.9', '96.1');
    const moved = await standing('the new price', active('97.061'));
    // 104.03 plus the margin would be above 104.5: it is not worth showing.
    await here.spot('103.9', '104.03');
    await standing('out of sight beyond the bounds', (ad) => ad.status === 'deactivated');
    // Far below, the bound itself is the better price.
    await here.spot('79.9', '80');
    await standing('the lower bound', active('85.5'));
    await here.spot('95.9', '96.1');
    await standing('the old price', active('97.061'));

    const { advertisementId } = moved;
    const terms = { advertisementId, amount: '20', paymentMethodId: '1' };
    const trade = await accepted<P2pTrade>((done) => bob.money.send({ kind: 'respond', ...terms }, lane, done));
    const asked = performance.now();
    await running.during('the start of the trade', async () =>
      (await here.trade(trade.tradeId)).status === 'open' ? true : undefined,
    );
    expect(performance.now() - asked).toBeLessThan(20_000);
    await accepted<P2pTrade>((done) => bob.money.send({ kind: 'payTrade', tradeId: trade.tradeId }, lane, done));
    await running.during('a note to the human', async () => {
      const [session] = await sessions(here.cwd);
      const notes = session === undefined ? [] : entriesOf(session.path, 'note');
      return notes.some(({ text }) => text.startsWith('check the payment')) ? true : undefined;
    });
    expect((await here.trade(trade.tradeId)).status).toBe('send-payment-document');
    await accepted<P2pTrade>((done) => alice.money.send({ kind: 'confirmTrade', tradeId: trade.tradeId }, lane, done));
    expect((await here.trade(trade.tradeId)).status).toBe('complete');

    const ended = await running.signal('SIGINT');
    expect(ended.code).toBe(0);
    // Stopped by its policy: nothing is offered while nobody answers.
    expect((await here.ads()).map(({ status }) => status)).toEqual(['deactivated']);
    const [session] = await sessions(here.cwd);
    const requests = entriesOf(session!.path, 'money-intent').map(({ request }) => request);
    const prices = requests.flatMap((request) => ('price' in request ? [Number(request.price)] : []));
    expect(prices.every((price) => price >= 85.5 && price <= 104.5)).toBe(true);
    expect(requests.filter(({ kind }) => kind === 'advertise')).toHaveLength(1);
    expect(requests.filter(({ kind }) => kind === 'confirmTrade')).toEqual([]);
    expect(documentOf(ended)['command']).toBe('run');
    await here.replays();
  });

  it('is not doubled by a kill -9 between the intent and its answer', async () => {
    world = await World.open();
    const here = world;
    await here.spot('94.9', '95.1');
    const gateway = await holdFirstOffer(here.sandbox.gatewayUrl);
    const first = here.run(gateway.url);
    const path = await first.during('an offer on its way', async () => {
      const [session] = listSessions(join(here.cwd, 'data', 'sessions'));
      return session !== undefined && gateway.holds && (await here.ads()).length > 0 ? session.path : undefined;
    });
    await first.signal('SIGKILL');
    gateway.close();
    expect(entriesOf(path, 'money-sending')).toHaveLength(1);
    expect(entriesOf(path, 'money-outcome')).toEqual([]);
    await here.spot('96.9', '97.1');
    const second = here.run();
    await second.during('the advertisement at the new price', async () => {
      const rows = await here.ads();
      expect(rows).toHaveLength(1);
      return rows.some((ad) => ad.status === 'active' && ad.price === '98.071') ? true : undefined;
    });
    expect((await second.signal('SIGINT')).code).toBe(0);
    const [resumed] = await sessions(here.cwd);
    expect(resumed).toMatchObject({ path, clean: true, boots: 2 });
    expect(entriesOf(resumed!.path, 'money-resolved')).toMatchObject([{ verdict: 'happened', by: 'readings' }]);
    expect(await here.ads()).toHaveLength(1);
    await here.replays();
  });
});

/** A gateway in between that passes everything on and keeps the answer to the first new advertisement for itself. */
async function holdFirstOffer(target: string): Promise<{ url: string; readonly holds: boolean; close: () => void }> {
  let holds = false;
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const onward = httpRequest(`${target}${url}`, { method, headers }, (answer) => {
      if (method === 'POST' && url.endsWith('/advertisement') && !holds) {
        holds = true;
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get holds() {
      return holds;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
