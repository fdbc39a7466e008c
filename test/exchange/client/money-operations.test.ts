/** The typed money operations against the real sandbox: values, refusals, unknown outcomes, nothing sent twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import type { Answer } from '../../../src/exchange/client/operations/answer.ts';
import type { OnMoneyOutcome } from '../../../src/exchange/client/operations/money.ts';
import type { Dispatch } from '../../../src/exchange/client/operations/orders.ts';
import { createExchange, type Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { denied } from '../../../src/model/trading/deny-reason.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { MoneyOutcome, Reading } from '../../../src/model/result.ts';
import { totp } from '../../model-check/signing.ts';
import { startSandbox, type RunningSandbox } from '../../../src/sandbox/server.ts';
import { realClock } from '../clocks.ts';
import { json, startServer, type TestServer } from './http-server.ts';

const lane = { lane: 'reconcile' } as const;
const outside = { currency: 'USDT', network: 'TRC20', address: 'Toutside', amount: '100.0' };

let running: RunningSandbox;
let alice: Exchange;
let bob: Exchange;
/** Without a key. */
let visitor: Exchange;
const open: Exchange[] = [];

function exchangeAt(url: string, key: { publicKey: string; secretKey: string } | null): Exchange {
  const exchange = createExchange({
    options: exchangeOptions.parse({
      baseUrl: url,
      gatewayUrl: url,
      wsUrl: url,
      budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 },
    }),
    credentials: key === null ? null : createCredentials(key.publicKey, key.secretKey),
    clock: realClock,
    random: seededRandom(1),
    logger: silentLogger,
  });
  open.push(exchange);
  return exchange;
}

beforeAll(async () => {
  running = await startSandbox({ clock: realClock, seed: 41, market: 'none' });
  [alice, bob] = running.users.map(({ apiKey }) => exchangeAt(running.restUrl, apiKey)) as [Exchange, Exchange];
  visitor = exchangeAt(running.restUrl, null);
});
afterAll(async () => {
  for (const exchange of open) await exchange.close();
  await running.stop();
});

function code(index = 0): string {
  return totp(running.users[index]!.auth2faSecret, running.sandbox.now());
}

function outcome<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<MoneyOutcome<T>> {
  return new Promise((resolve) => send(lane, resolve));
}

async function accepted<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<T> {
  const result = await outcome(send);
  if (result.kind !== 'accepted') throw new Error(JSON.stringify(result));
  return result.value;
}

async function value<T>(answer: Promise<Answer<T>>): Promise<T> {
  const result = await answer;
  if (result.kind === 'failed') throw result.error;
  return result.value;
}

async function items<T>(reading: Promise<Reading<T>>): Promise<readonly T[]> {
  const result = await reading;
  if (result.kind !== 'complete') throw new Error(result.reason);
  return result.items;
}

async function available(exchange: Exchange, account: string, currency: string): Promise<number> {
  const rows = await items(exchange.account.balances());
  return Number(rows.find((row) => row.account === account && row.currency === currency)?.available ?? 0);
}

async function setFaults(rules: readonly object[]): Promise<void> {
  const reply = await new Promise<number>((resolve) => {
    running.sandbox.handle(
      {
        method: 'POST',
        target: '/sandbox/faults',
        headers: {},
        body: Buffer.from(JSON.stringify({ rules })),
        address: '127.0.0.1',
      },
      (answer) => resolve(answer?.status ?? 0),
    );
  });
  expect(reply).toBe(200);
}

/** The clocks of all clients follow. */
async function advance(ms: number): Promise<void> {
  running.advance(ms);
  for (const exchange of [alice, bob, visitor]) await exchange.clockOffset.measure();
}

describe('transfers and history', () => {
  it('lists routes, transfers, and finds it in the history', async () => {
    const routes = await value(alice.money.transfers.routes());
    expect(routes).toContainEqual({ from: 'funding', to: 'p2p', currencies: null });
    const request = { from: 'funding', to: 'p2p', currency: 'BTC', amount: '0.50' } as const;
    const made = await accepted<object>((dispatch, done) =>
      alice.money.send({ kind: 'transfer', ...request }, dispatch, done),
    );
    expect(made).toMatchObject({ ...request, amount: '0.5' });
    const rows = await items(alice.money.transfers.transactions({ type: 'transfer', status: 'completed', from: 0.5 }));
    expect(rows).toMatchObject([{ type: 'transfer', currency: 'BTC', amount: '0.5', fee: '0', account: 'funding' }]);
    expect(await items(bob.money.transfers.transactions({ to: 1 }))).toEqual([]);
  });

  it('ends refused with the code and field of the exchange', async () => {
    const request = { from: 'funding', to: 'p2p', currency: 'BTC', amount: '1000' } as const;
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'transfer', ...request }, dispatch, done)),
    ).toMatchObject({
      kind: 'refused',
      code: 'insufficient_balance',
      field: 'amount',
    });
    expect(
      await outcome((dispatch, done) =>
        alice.money.send({ kind: 'transfer', ...request, to: 'overdraft' }, dispatch, done),
      ),
    ).toMatchObject({ kind: 'refused', code: 'route_not_available' });
  });

  it('refuses amounts that are none before anything is sent, and never inside the call', async () => {
    for (const amount of ['0', '-1', '1e3', '', 'NaN', ' 1', '0x10']) {
      const request = { from: 'funding', to: 'p2p', currency: 'BTC', amount } as const;
      let inside = true;
      const result = await outcome((dispatch, done) => {
        alice.money.send({ kind: 'transfer', ...request }, dispatch, (ended) => {
          expect(inside).toBe(false);
          done(ended);
        });
        inside = false;
      });
      expect(result).toMatchObject({ kind: 'refused', code: 'bad_request', field: 'amount' });
    }
  });

  it('asks before the bytes leave', async () => {
    const before = await available(alice, 'funding', 'BTC');
    const request = { from: 'funding', to: 'p2p', currency: 'BTC', amount: '1' } as const;
    const result = await new Promise((resolve) => {
      alice.money.send(
        { kind: 'transfer', ...request },
        { ...lane, onDispatch: () => denied('killed', 'no') },
        resolve,
      );
    });
    expect(result).toMatchObject({ kind: 'denied', denied: { reason: 'killed' } });
    expect(await available(alice, 'funding', 'BTC')).toBe(before);
  });
});

describe('unknown outcomes', () => {
  it('a lost answer is unknown, the money moved once, nothing was sent again', async () => {
    const before = await available(alice, 'funding', 'USDT');
    await setFaults([{ match: { method: 'POST' }, fault: 'dropAfterEffect' }]);
    const transfer = { from: 'funding', to: 'p2p', currency: 'USDT', amount: '1' } as const;
    const results = [
      await outcome((dispatch, done) => alice.money.send({ kind: 'transfer', ...transfer }, dispatch, done)),
      await outcome((dispatch, done) =>
        alice.money.send({ kind: 'codeCreate', currency: 'USDT', amount: '2' }, dispatch, done),
      ),
      await outcome((dispatch, done) => alice.money.send({ kind: 'withdraw', ...outside }, dispatch, done)),
    ];
    await setFaults([]);
    expect(results.map((result) => result.kind)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(await available(alice, 'funding', 'USDT')).toBe(before - 1 - 2 - 101);
  });

  it('a lost request and a failing service are unknown too', async () => {
    const before = await available(alice, 'funding', 'USDT');
    const send = (): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) =>
        alice.money.send({ kind: 'codeCreate', currency: 'USDT', amount: '2' }, dispatch, done),
      );
    for (const fault of [{ fault: 'drop' }, { fault: 'status', status: 503 }, { fault: 'status', status: 501 }]) {
      await setFaults([{ match: { method: 'POST' }, ...fault }]);
      expect(await send()).toMatchObject({ kind: 'unknown' });
    }
    await setFaults([]);
    expect(await available(alice, 'funding', 'USDT')).toBe(before);
  });

  it('an answer about something else is unknown', async () => {
    const server: TestServer = await startServer();
    const client = exchangeAt(server.url, running.users[0]!.apiKey);
    const good = { codeId: '1', code: 'secret', currency: 'USDT', amount: '2', status: 'active' };
    const answers: readonly [object, string][] = [
      [good, 'accepted'],
      [{ ...good, amount: '3' }, 'unknown'],
      [{ ...good, currency: 'BTC' }, 'unknown'],
      [{ ...good, status: 'strange' }, 'unknown'],
      [{}, 'unknown'],
    ];
    for (const [body, kind] of answers) {
      server.handle = (_request, response) => json(response, 200, body);
      const result = await outcome((dispatch, done) =>
        client.money.send({ kind: 'codeCreate', currency: 'USDT', amount: '2' }, dispatch, done),
      );
      expect([body, result.kind]).toEqual([body, kind]);
      if (result.kind === 'unknown') expect(result.reason).not.toContain('secret');
    }
    expect(server.seen).toHaveLength(answers.length);
    await client.close();
    await server.close();
  });
});

describe('login and keys', () => {
  it('needs a login for keys, and says so', async () => {
    expect(await visitor.money.identity.keys()).toMatchObject({ kind: 'failed', error: { code: 'login_required' } });
    const request = { name: 'x', auth2faCode: code(), permissions: [], ipAddresses: [] };
    expect(await outcome((dispatch, done) => alice.money.identity.createKey(request, dispatch, done))).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('no login'),
    });
  });

  it('refuses a wrong login with typed errors', async () => {
    const { login, password } = running.users[0]!;
    const { identity } = visitor.money;
    expect(await identity.login({ login, password: 'wrong', auth2faCode: code() })).toMatchObject({
      kind: 'failed',
      error: { code: 'login_refused', details: { code: 'login_failed' } },
    });
    expect(await identity.login({ login, password, auth2faCode: '000000' })).toMatchObject({
      kind: 'failed',
      error: { code: 'exchange_refused', details: { code: 'two_factor_invalid', field: 'auth2fa_code' } },
    });
    expect(visitor.login.token()).toBeNull();
  });

  it('tells a broken token from an old one, and drops one that is over', async () => {
    const expiresAt = running.sandbox.now() + 3_600_000;
    visitor.login.set({ token: 'broken', expiresAt });
    expect(await visitor.account.me()).toMatchObject({
      kind: 'failed',
      error: { code: 'login_refused', details: { code: 'token_invalid' } },
    });
    const { login, password } = running.users[0]!;
    const { token } = await value(visitor.money.identity.login({ login, password, auth2faCode: code() }));
    expect((await value(visitor.account.me())).login).toBe(login);
    await advance(3_600_000);
    expect(visitor.login.token()).toBeNull();
    visitor.login.set({ token, expiresAt: Number.MAX_SAFE_INTEGER });
    expect(await visitor.account.me()).toMatchObject({
      kind: 'failed',
      error: { code: 'login_refused', details: { code: 'token_expired' } },
    });
    visitor.login.clear();
    expect(await visitor.account.me()).toMatchObject({ kind: 'failed' });
  });

  it('creates, lists, uses and deletes a key', async () => {
    const { login, password } = running.users[0]!;
    const { identity } = alice.money;
    await value(identity.login({ login, password, auth2faCode: code() }));
    const pair = await accepted<{ publicKey: string; secretKey: string }>((dispatch, done) =>
      identity.createKey(
        {
          name: 'reader',
          auth2faCode: code(),
          permissions: [{ category: 'transfer', accessLevel: 'read_only' }],
          ipAddresses: ['127.0.0.1'],
        },
        dispatch,
        done,
      ),
    );
    expect(await value(identity.keys())).toContainEqual({
      publicKey: pair.publicKey,
      name: 'reader',
      permissions: [{ category: 'transfer', accessLevel: 'read_only' }],
      ipAddresses: ['127.0.0.1'],
      createdAt: expect.any(Number),
      expiresAt: null,
      status: 'active',
    });
    const reader = exchangeAt(running.restUrl, pair);
    await reader.clockOffset.measure();
    expect((await value(reader.money.transfers.routes())).length).toBeGreaterThan(0);
    expect(await reader.money.crypto.currencies()).toMatchObject({ kind: 'failed', error: { code: 'key_refused' } });
    const wrong = await outcome((dispatch, done) => identity.deleteKey(pair.publicKey, '000000', dispatch, done));
    expect(wrong).toMatchObject({ kind: 'refused', code: 'two_factor_invalid' });
    await accepted<object>((dispatch, done) => identity.deleteKey(pair.publicKey, code(), dispatch, done));
    expect(await reader.money.transfers.routes()).toMatchObject({ kind: 'failed', error: { code: 'key_refused' } });
  });

  it('knows the rules of keys before it sends', async () => {
    const { identity } = alice.money;
    const create = (change: object): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) => {
        const request = { name: 'x', auth2faCode: '000000', permissions: [], ipAddresses: [], ...change };
        identity.createKey(request, dispatch, done);
      });
    const permission = { category: 'fiat_processing', accessLevel: 'read_only' };
    expect(await create({ permissions: [permission] })).toMatchObject({
      code: 'whitelist_required',
      field: 'ipAddresses',
    });
    expect(await create({ permissions: [permission, permission] })).toMatchObject({ code: 'bad_request' });
    expect(await create({ name: '' })).toMatchObject({ code: 'bad_request', field: 'name' });
    // This one has to be asked.
    expect(await create({ permissions: [{ ...permission, accessLevel: 'none' }] })).toMatchObject({
      code: 'two_factor_invalid',
    });
  });

  it('never sends an order with a login', async () => {
    visitor.login.set({ token: 'x', expiresAt: Number.MAX_SAFE_INTEGER });
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '1' };
    for (const endpoint of ['createSpotOrder', 'cancelManyOrders', 'closePosition'] as const) {
      expect(await visitor.http.read({ endpoint, lane: 'create', body: order })).toMatchObject({ kind: 'not-sent' });
    }
    visitor.login.clear();
  });

  it('names what the service does not offer', async () => {
    const server = await startServer();
    server.handle = (_request, response) => json(response, 501, { code: 'not_available', message: 'not here' });
    const client = exchangeAt(server.url, running.users[0]!.apiKey);
    expect(await client.money.overdraft.status()).toMatchObject({
      kind: 'failed',
      error: { code: 'exchange_not_available' },
    });
    expect(
      await outcome((dispatch, done) => client.money.send({ kind: 'codeRedeem' }, dispatch, done, { code: 'x' })),
    ).toMatchObject({
      kind: 'refused',
      code: 'not_available',
    });
    await client.close();
    await server.close();
  });
});

describe('codes', () => {
  it('are created, seen in full, redeemed once and listed', async () => {
    const { codes } = alice.money;
    const made = await accepted<{ codeId: string; code: string }>((dispatch, done) =>
      alice.money.send(
        { kind: 'codeCreate', currency: 'USDT', amount: '5', recipient: 'bob', comment: 'thanks' },
        dispatch,
        done,
      ),
    );
    expect(await value(codes.full(made.codeId))).toMatchObject({ code: made.code, status: 'active', recipient: 'bob' });
    const before = await available(bob, 'funding', 'USDT');
    const redeem = (exchange: Exchange, text: string): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) => exchange.money.send({ kind: 'codeRedeem' }, dispatch, done, { code: text }));
    expect(await redeem(alice, made.code)).toMatchObject({ kind: 'refused', code: 'not_owner' });
    expect(await redeem(bob, made.code)).toMatchObject({ kind: 'accepted', value: { amount: '5' } });
    expect(await available(bob, 'funding', 'USDT')).toBe(before + 5);
    expect(await redeem(bob, made.code)).toMatchObject({ kind: 'refused', code: 'code_already_activated' });
    expect(await redeem(bob, 'nothing')).toMatchObject({ kind: 'refused', code: 'code_not_found' });
    expect(await redeem(bob, '')).toMatchObject({ kind: 'refused', code: 'bad_request' });
    const ids = async (activated?: boolean): Promise<string[]> =>
      (await items(codes.list(activated))).map((row) => row.codeId);
    expect(await ids(true)).toContain(made.codeId);
    expect(await ids(false)).not.toContain(made.codeId);
    expect((await ids()).length).toBe((await ids(true)).length + (await ids(false)).length);
    expect(await value(bob.money.codes.full(made.codeId))).toMatchObject({ code: null, activatedBy: 'bob' });
    expect(await codes.full('nothing')).toMatchObject({ error: { details: { code: 'code_not_found' } } });
  });
});

describe('crypto', () => {
  it('issues addresses', async () => {
    const { crypto } = bob.money;
    expect(await crypto.address('ETH', 'ERC20')).toMatchObject({ error: { details: { code: 'no_address' } } });
    const issued = await accepted<object>((dispatch, done) => crypto.newAddress('ETH', 'ERC20', dispatch, done));
    expect(issued).toMatchObject({ currency: 'ETH', network: 'ERC20', memo: null });
    expect(await value(crypto.address('ETH', 'ERC20'))).toEqual(issued);
  });

  it('withdraws, cancels before processing only, and follows it in the history', async () => {
    const { crypto, transfers } = alice.money;
    const [first] = await value(crypto.currencies());
    expect(first).toMatchObject({ currency: 'USDT', networks: expect.arrayContaining([expect.any(Object)]) });
    const submit = (change: object = {}, secrets = {}): Promise<MoneyOutcome<{ transactionId: string }>> =>
      outcome((dispatch, done) =>
        alice.money.send({ kind: 'withdraw', ...outside, ...change }, dispatch, done, secrets),
      );
    const cancel = (transactionId: string): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) => alice.money.send({ kind: 'cancelWithdrawal', transactionId }, dispatch, done));
    expect(await submit({ amount: '1' })).toMatchObject({ kind: 'refused', code: 'below_minimum' });
    expect(await submit({}, { auth2faCode: '000000' })).toMatchObject({ kind: 'refused', code: 'two_factor_invalid' });
    expect(await submit({ address: '' })).toMatchObject({ kind: 'refused', field: 'address' });
    const [one, two] = [await submit(), await submit({}, { auth2faCode: code() })];
    if (one.kind !== 'accepted' || two.kind !== 'accepted') throw new Error('not accepted');
    expect(one.value).toMatchObject({ status: 'submitted', amount: '100', fee: '1', memo: null });
    expect(await cancel(one.value.transactionId)).toMatchObject({ kind: 'accepted', value: { status: 'canceled' } });
    expect(await cancel(one.value.transactionId)).toMatchObject({ kind: 'refused', code: 'illegal_transition' });
    await advance(120_000);
    expect(await cancel(two.value.transactionId)).toMatchObject({ kind: 'refused', code: 'already_processing' });
    // A bare 404 proves nothing.
    expect(await cancel('none')).toMatchObject({ kind: 'unknown' });
    const rows = await items(transfers.transactions({ type: 'withdrawal', status: 'processing' }));
    expect(rows.map((row) => row.transactionId)).toContain(two.value.transactionId);
  });
});

describe('fiat', () => {
  it('drafts, confirms, submits and deletes', async () => {
    const request = { type: 'deposit', currency: 'RUB', amount: '500', method: 'card' } as const;
    const secrets = { details: { note: 'x' } };
    const draft = await accepted<{ applicationId: string; status: string }>((dispatch, done) =>
      alice.money.send({ kind: 'fiatCreate', ...request }, dispatch, done, secrets),
    );
    expect(draft).toMatchObject({ status: 'created', amount: '500', method: 'card' });
    const confirm = (): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) =>
        alice.money.send({ kind: 'fiatConfirm', applicationId: draft.applicationId }, dispatch, done),
      );
    expect(await confirm()).toMatchObject({ kind: 'accepted', value: { status: 'submitted' } });
    expect(await confirm()).toMatchObject({ kind: 'refused', code: 'illegal_transition' });
    const remove = (id: string): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) => alice.money.send({ kind: 'fiatDelete', applicationId: id }, dispatch, done));
    expect(await remove(draft.applicationId)).toMatchObject({ kind: 'accepted', value: { status: 'canceled' } });
    const big = { ...request, type: 'withdrawal', amount: '999999999' } as const;
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'fiatSubmit', ...big }, dispatch, done, secrets)),
    ).toMatchObject({
      kind: 'refused',
      code: 'insufficient_balance',
    });
    const submitted = await accepted<object>((dispatch, done) =>
      alice.money.send({ kind: 'fiatSubmit', ...request }, dispatch, done, secrets),
    );
    expect(submitted).toMatchObject({ status: 'submitted', type: 'deposit' });
  });
});

describe('overdraft, dictionaries and referrals', () => {
  it('shows terms and loan, and repays', async () => {
    const { overdraft } = alice.money;
    expect(await value(overdraft.status())).toMatchObject({ enabled: true, currency: 'USDT', used: '0' });
    expect(await value(overdraft.fee('1000'))).toEqual({ amount: '1000', feePerDay: '0.5' });
    expect(await value(overdraft.documents())).toHaveLength(1);
    const draw = { from: 'overdraft', to: 'unified-trading', currency: 'USDT', amount: '100' } as const;
    await accepted<object>((dispatch, done) => alice.money.send({ kind: 'transfer', ...draw }, dispatch, done));
    expect(await value(overdraft.loan())).toMatchObject({ principal: '100', openedAt: expect.any(Number) });
    const pay = (amount: string): Promise<MoneyOutcome<unknown>> =>
      outcome((dispatch, done) => alice.money.send({ kind: 'overdraftPay', amount }, dispatch, done));
    expect(await pay('101')).toMatchObject({ kind: 'refused', code: 'above_maximum' });
    expect(await pay('100')).toMatchObject({ kind: 'accepted', value: { total: '0', openedAt: null } });
  });

  it('lists assets, networks, link and reward', async () => {
    const { dictionaries, referrals } = alice.money;
    expect((await value(dictionaries.assets())).map((row) => row.currency)).toContain('RUB');
    expect((await items(dictionaries.networks())).map((row) => row.network)).toContain('TON');
    const { linkId } = await value(referrals.link());
    expect(await value(referrals.reward(linkId))).toEqual({ linkId, rewards: [] });
    expect(await referrals.reward('none')).toMatchObject({ kind: 'failed' });
  });
});
