/**
 * A position of two strategies that the exchange liquidates, over a real sandbox, a real journal and the command line: `plan` shows
 * what was seen and the choices, `plan --yes --choose` books the shares, once, and sends nothing.
 */
import { afterEach, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import type { ExecutorEvent } from '../../src/spine/events.ts';
import { Executor } from '../../src/execution/executor.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { executionSchema } from '../../src/execution/options.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows } from '../../src/spine/replay.ts';
import type { Market } from '../../src/model/market/instrument.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { MoneyOutcome, Outcome } from '../../src/model/result.ts';
import type { Decision } from '../../src/operations/plan/decisions.ts';
import { connect, type Connection } from '../../src/session/connection/connection.ts';
import { createSession } from '../../src/session/store/store.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { fastReconcile, until } from './live-stack.ts';
import { join } from 'node:path';

const PERPETUAL = 'BTCUSDTPERP';
const lane = { lane: 'reconcile' } as const;
const cleanups: (() => Promise<void> | void)[] = [];
let desk: CliDesk;
let session: string;
let place: string;

interface Plan {
  readonly decisions: readonly Decision[];
  readonly disagreements: readonly object[];
  readonly refuse: readonly { readonly reason: string }[];
  readonly nothingToDo: boolean;
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Two strategies have bought 0.3 and 0.2, `then` something happened, and the process has ended. */
async function bought(then: (of: Bought) => Promise<void>): Promise<void> {
  desk = await openCliDesk(5);
  cleanups.push(() => desk.stop());
  const alice = await connected('alice');
  const bob = await connected('bob');
  await accepted((done) =>
    alice.exchange.futures.setMarginType({ symbol: PERPETUAL, marginType: 'isolated' }, lane, done),
  );
  await accepted((done) => alice.exchange.futures.setLeverage({ symbol: PERPETUAL, leverage: 50 }, lane, done));
  const strategies = ['maker', 'taker'].map((tag) => ({ tag, name: tag, file: `${tag}.ts`, params: {} }));
  const folder = createSession(join(desk.folder, 'data/sessions'), {
    mode: 'live',
    strategies,
    seed: 5,
    account: 'alice',
    exchange: desk.running.restUrl,
    now: systemClock.now(),
    suffix: 'a',
  });
  session = folder.record.id;
  place = folder.path;
  const journal = openJournal(place);
  const venue = alice.exchange.venue([{ symbol: PERPETUAL, market: 'derivative' }]);
  const { book, instrument } = desk.running.sandbox.exchange.markets.get(PERPETUAL)!;
  const executor = new Executor({
    venue,
    journal,
    clock: alice.clock,
    instruments: alice.instruments,
    market: {
      best: () => ({ bidTicks: book.bidTicks, bidLots: 1e6, askTicks: book.askTicks, askLots: 1e6 }),
      sweep: () => undefined,
      mid: () => ((book.bidTicks + book.askTicks) * instrument.tick) / 2,
    },
    gates: [],
    options: executionSchema.parse({ reconcile: fastReconcile }),
    strategies: strategies.map(({ tag, name }) => ({ tag, name, limits: limitsSchema.parse({}) })),
    logger: silentLogger,
    bootId: 'b1',
    reporting: 'USDT',
    facts: { mode: 'live', account: 'alice', exchange: desk.running.restUrl, session },
  });
  const events: ExecutorEvent[] = [];
  executor.listen((event) => void events.push(event));
  executor.restore();
  const reconciler = createReconciler(executor);
  venue.start();
  reconciler.start();
  const index = [await offer(bob, 'spot', 'buy', '59990', '0.5'), await offer(bob, 'spot', 'sell', '60010', '0.5')];
  await offer(bob, 'derivative', 'buy', '50000', '5');
  const high = await offer(bob, 'derivative', 'buy', '59990', '1');
  await offer(bob, 'derivative', 'sell', '60010', '1');
  await until(() => reconciler.gate.closedBecause(PERPETUAL) === null, 'the gate opens');
  executor.submit('maker', { kind: 'target', symbol: PERPETUAL, quantity: '0.3' });
  executor.submit('taker', { kind: 'target', symbol: PERPETUAL, quantity: '0.2' });
  const heldBy = (tag: string): string => executor.account(tag).position(PERPETUAL).quantity;
  await until(() => heldBy('maker') === '0.3' && heldBy('taker') === '0.2', 'both positions');
  await then({ alice, bob, executor, reconciler, events, bids: [...index, high] });
  reconciler.stop();
  executor.close();
  await venue.stop();
  journal.close();
}

interface Bought {
  readonly alice: Connection;
  readonly bob: Connection;
  readonly executor: Executor;
  readonly reconciler: Reconciler;
  readonly events: readonly ExecutorEvent[];
  readonly bids: readonly string[];
}

async function liquidated({ bob, executor, reconciler, events, bids }: Bought): Promise<void> {
  for (const orderId of bids)
    await new Promise<Outcome>((resolve) => bob.exchange.orders.cancel(orderId, { lane: 'cancel' }, resolve));
  await offer(bob, 'spot', 'buy', '56990', '0.5');
  await offer(bob, 'spot', 'sell', '57010', '0.5');
  desk.running.advance(1000);
  await until(() => executor.state.undivided.all.length === 1, 'the liquidation of both');
  await reconciler.runNow();
  const alarms = events.flatMap((event) => (event.kind === 'alarm' ? [event.code] : []));
  expect(alarms).toEqual(['liquidated', 'undivided']);
  executor.submit('maker', { kind: 'target', symbol: PERPETUAL, quantity: '0.4' });
  const denied = events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));
  expect(denied).toEqual(['liquidated']);
}

/** A human closes 0.4 of the account's 0.5 at the exchange. */
async function closedByHand({ alice, executor, reconciler, events }: Bought): Promise<void> {
  const order = { market: 'derivative', symbol: PERPETUAL, side: 'sell', type: 'market', timeInForce: 'ioc' } as const;
  const terms = { ...order, price: null, quantity: '0.4', clientOrderId: 'by-hand' };
  const outcome = await new Promise<Outcome>((done) => alice.exchange.orders.create(terms, { lane: 'create' }, done));
  expect(outcome.kind).toBe('accepted');
  const isBooked = (): boolean => replayRows(readJournal(place)).state.explainedPosition(PERPETUAL).toFixed() === '0.1';
  await until(() => isBooked() && reconciler.gate.closedBecause(PERPETUAL) === null, 'the trade by hand');
  executor.submit('maker', { kind: 'target', symbol: PERPETUAL, quantity: '0' });
  const denials = events.flatMap((event) => (event.kind === 'denied' ? [event.denied] : []));
  expect(denials).toMatchObject([{ reason: 'reduce_only', message: expect.stringContaining('`tidewire plan`') }]);
}

async function connected(login: 'alice' | 'bob'): Promise<Connection> {
  const { restUrl, gatewayUrl, wsUrl, users } = desk.running;
  const { publicKey, secretKey } = users.find((each) => each.login === login)!.apiKey;
  const budget = { requestsPerSecond: 1000, ordersPerSecond: 1000 };
  const connection = await connect({
    exchange: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl, wsUrl, budget }),
    credentials: createCredentials(publicKey, secretKey),
    clock: systemClock,
    random: seededRandom(1),
    logger: silentLogger,
    seed: 1,
  });
  cleanups.push(() => connection.close());
  return connection;
}

async function accepted(send: (done: (outcome: MoneyOutcome<object>) => void) => void): Promise<void> {
  const outcome = await new Promise<MoneyOutcome<object>>(send);
  expect(outcome.kind).toBe('accepted');
}

let offers = 0;

async function offer(bob: Connection, market: Market, side: 'buy' | 'sell', price: string, quantity: string) {
  const symbol = market === 'spot' ? 'BTCUSDT' : PERPETUAL;
  const terms = { market, symbol, side, type: 'limit', timeInForce: 'gtc', price, quantity } as const;
  const order = { ...terms, clientOrderId: `bob-${++offers}` };
  const outcome = await new Promise<Outcome>((resolve) =>
    bob.exchange.orders.create(order, { lane: 'create' }, resolve),
  );
  if (outcome.kind !== 'accepted' || outcome.order === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.order.orderId;
}

/** Exit code and document of a call with `--json`. */
async function call<T = Json>(...argv: readonly string[]): Promise<readonly [number, T]> {
  const { code, stdout } = await desk.call('alice', [...argv, '--json']);
  return [code, JSON.parse(stdout) as T];
}

const positions = (): string[] =>
  replayRows(readJournal(place))
    .state.positions.all()
    .map(({ strategy, position }) => `${strategy} ${position.quantity.toFixed()}`);

it('is shown with its choices, and divided by the one that is chosen, once', async () => {
  await bought(liquidated);
  const [exit, plan] = await call<Plan>('plan', session);
  expect([exit, plan.disagreements, plan.nothingToDo]).toEqual([5, [], false]);
  expect(plan.refuse).toMatchObject([{ reason: 'liquidated' }]);
  const [decision] = plan.decisions;
  expect(plan.decisions).toHaveLength(1);
  expect(decision?.seen.slice(-2)).toEqual(['maker held 0.3 then', 'taker held 0.2 then']);
  expect(decision?.choices).toMatchObject([
    {
      name: 'pro-rata',
      shares: [
        { strategy: 'maker', quantity: '0.3', before: '0.3', after: '0' },
        { strategy: 'taker', quantity: '0.2', before: '0.2', after: '0' },
      ],
    },
    { name: 'all:maker', shares: [{ strategy: 'maker', quantity: '0.5', before: '0.3', after: '-0.2' }] },
    { name: 'all:taker' },
    { name: 'none', shares: [] },
  ]);
  const { stdout } = await desk.call('alice', ['plan', session]);
  expect(stdout).toContain('? for you to decide (`tidewire plan --yes --choose ID=CHOICE`)');
  expect(stdout).toContain('=pro-rata: booked to maker 0.3 (0.3 → 0), taker 0.2 (0.2 → 0)');

  const { id } = decision!;
  const { rows } = verifyJournal(place);
  const choose = (wish: string, ...more: readonly string[]) =>
    call('plan', session, '--choose', wish, '--reason', 'each bears its part', ...more);
  expect(await choose(`${id}=pro-rata`)).toMatchObject([3, { error: { code: 'not_confirmed' } }]);
  expect(await choose(`${id}=half`, '--yes')).toMatchObject([2, { error: { code: 'decision_choice' } }]);
  expect(await choose('liquidation/x/1=none', '--yes')).toMatchObject([2, { error: { code: 'decision_not_open' } }]);
  expect(await choose('order/4711=ours', '--yes')).toMatchObject([2, { error: { code: 'decision_not_open' } }]);
  expect(await choose(`${id}=none`, '--choose', `${id}=pro-rata`, '--yes')).toMatchObject([
    2,
    { error: { code: 'decision_not_open' } },
  ]);
  expect(verifyJournal(place)).toMatchObject({ ok: true, rows });

  interface Shown {
    readonly sessions: readonly { readonly fills: number; readonly lastFillAt: number; readonly fees: number }[];
  }
  const [, before] = await call<Shown>('status', session);
  const [done, applied] = await choose(`${id}=pro-rata`, '--yes');
  expect(done).toBe(0);
  expect(applied).toMatchObject({
    healed: { divisions: [{ id, choice: 'pro-rata' }], undivided: 0, disagreements: [] },
  });
  expect(positions()).toEqual(['maker 0', 'taker 0']);
  const since = [...readJournal(place)].slice(rows).map(({ entry }) => entry);
  expect(since.filter(({ kind }) => kind === 'divided')).toMatchObject([
    { choice: 'pro-rata', reason: 'each bears its part', shares: [{ strategy: 'maker' }, { strategy: 'taker' }] },
  ]);
  // Nothing was sent.
  expect(since.filter(({ kind }) => kind === 'intent' || kind === 'sending')).toEqual([]);
  const whole = verifyJournal(place);
  expect(whole.ok).toBe(true);
  // Both parts of the liquidation are trades of the strategies.
  const [, after] = await call<Shown>('status', session);
  expect(after.sessions[0]?.fills).toBe(before.sessions[0]!.fills + 2);
  expect(after.sessions[0]?.fees).toBeGreaterThan(before.sessions[0]!.fees);

  expect(await choose(`${id}=pro-rata`, '--yes')).toMatchObject([
    2,
    { error: { code: 'decision_not_open', message: expect.stringContaining('was decided: pro-rata') } },
  ]);
  expect(await call<Plan>('plan', session)).toMatchObject([0, { decisions: [], refuse: [], nothingToDo: true }]);
});

it('stays open without a choice, also where the rest is healed', async () => {
  await bought(liquidated);
  const [exit, applied] = await call<Plan & Json>('plan', session, '--yes');
  expect([exit, applied['healed']]).toMatchObject([5, { undivided: 1, divisions: [] }]);
  expect(positions()).toEqual(['maker 0.3', 'taker 0.2']);
  expect((await call('reconcile', session))[0]).toBe(5);
});

it('of what a human closed it is said of whom it was, at a price, and the books hold what the account holds', async () => {
  await bought(closedByHand);
  const [exit, plan] = await call<Plan>('plan', session);
  expect([exit, plan.disagreements, plan.nothingToDo]).toEqual([0, [], true]);
  const [decision] = plan.decisions;
  expect(decision).toMatchObject({ kind: 'position', id: `closed/${PERPETUAL}/0.5/-0.4` });
  expect(decision?.choices).toMatchObject([
    {
      name: 'pro-rata',
      shares: [
        { quantity: '0.24', after: '0.06' },
        { quantity: '0.16', after: '0.04' },
      ],
    },
    { name: 'none', shares: [] },
  ]);
  const { id } = decision!;
  const choose = (choice: string, ...more: readonly string[]) =>
    call('plan', session, '--choose', `${id}=${choice}`, ...more);
  expect(await choose('all:maker', '--yes')).toMatchObject([2, { error: { code: 'decision_choice' } }]);
  expect(await choose('pro-rata@-1', '--yes')).toMatchObject([2, { error: { code: 'decision_choice' } }]);
  const { rows } = verifyJournal(place);
  expect(await choose('pro-rata@59000.5', '--yes')).toMatchObject([
    0,
    { healed: { disagreements: [], divisions: [{ id, choice: 'pro-rata@59000.5' }] } },
  ]);
  expect(positions()).toEqual(['maker 0.06', 'taker 0.04']);
  const { state } = replayRows(readJournal(place));
  expect(state.explainedPosition(PERPETUAL).toFixed()).toBe('0.1');
  const since = [...readJournal(place)].slice(rows).map(({ entry }) => entry);
  expect(since.flatMap((entry) => (entry.kind === 'liquidation' ? [[entry.strategy, entry.fill]] : []))).toMatchObject([
    ['maker', { side: 'sell', quantity: '0.24', price: '59000.5', fee: '0' }],
    ['taker', { side: 'sell', quantity: '0.16', price: '59000.5', fee: '0' }],
  ]);
  expect(since.filter(({ kind }) => kind === 'intent' || kind === 'sending')).toEqual([]);
  expect(await choose('pro-rata', '--yes')).toMatchObject([2, { error: { code: 'decision_not_open' } }]);
  expect(await call<Plan>('plan', session)).toMatchObject([0, { decisions: [], nothingToDo: true }]);
});

it('what a human closed is booked at the mark without a price, or left to others by word', async () => {
  await bought(closedByHand);
  const id = `closed/${PERPETUAL}/0.5/-0.4`;
  const left = await call('plan', session, '--choose', `${id}=none`, '--yes');
  expect(left).toMatchObject([0, { healed: { disagreements: [] } }]);
  expect(positions()).toEqual(['maker 0.3', 'taker 0.2']);
  expect(await call<Plan>('plan', session)).toMatchObject([0, { decisions: [] }]);
  const [code, applied] = await call<Plan>('plan', session, '--choose', `${id}=pro-rata`, '--yes');
  expect([code, applied]).toMatchObject([
    0,
    { healed: { divisions: [{ id, choice: expect.stringMatching(/^pro-rata@\d{5}/) }] } },
  ]);
  expect(positions()).toEqual(['maker 0.06', 'taker 0.04']);
});
