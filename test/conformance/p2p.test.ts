/** P2P over plain http: advertisements and trades of two users, every documented step, limit and refusal. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import type { KeyPair } from './raw-client.ts';
import { witness } from './sightings.ts';

const ROOT = '/api/v1/p2p/client';
const ADS = `${ROOT}/advertisement`;
const TRADES = `${ROOT}/trade`;
const MINUTE = 60_000;

type Json = Readonly<Record<string, unknown>>;

const terms = {
  marketId: 'USDTRUB',
  side: 'sell',
  price: '95.5',
  amount: '100',
  minLimit: '500',
  maxLimit: '9550',
  paymentMethodIds: ['1', '2'],
  comment: 'quick',
};

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(61);
});
afterAll(() => desk.stop());

async function clear(key: KeyPair): Promise<void> {
  for (const trade of await desk.good<readonly Json[]>(key, 'GET', `${TRADES}/list/my`)) {
    if (trade['status'] === 'open' || trade['status'] === 'open:wait-confirm') {
      await desk.good(key, 'POST', `${TRADES}/cancel`, { tradeId: trade['id'] });
    }
  }
  for (const row of await desk.good<readonly Json[]>(key, 'GET', `${ADS}/my`)) {
    if (row['status'] === 'active' || row['status'] === 'deactivated') {
      await desk.good(key, 'DELETE', `${ADS}/${String(row['id'])}`);
    }
  }
}

beforeEach(async () => {
  await clear(desk.alice);
  await clear(desk.bob);
});

async function advertise(change: object = {}, key = desk.alice): Promise<string> {
  return String((await desk.good(key, 'POST', ADS, { ...terms, ...change }))['id']);
}

async function respond(advertisementId: string, amount = '100', key = desk.bob): Promise<string> {
  const body = { advertisementId, amount, paymentMethodId: '1' };
  return String((await desk.good(key, 'POST', TRADES, body))['id']);
}

function step(name: string, key: KeyPair, tradeId: string, more: object = {}): Promise<Json> {
  return desk.good(key, 'POST', `${TRADES}/${name}`, { tradeId, ...more });
}

function statusOf(path: string, key = desk.alice): Promise<unknown> {
  return desk.good(key, 'GET', path).then((row) => row['status']);
}

describe('P2P pairs, methods and profiles', () => {
  it('are told: documented limits, both spellings of the active counts, the anchor rule', async () => {
    const [market] = await desk.good<readonly Json[]>(desk.alice, 'GET', `${ROOT}/market/list`);
    expect(market).toMatchObject({
      marketId: 'USDTRUB',
      baseCurrencyId: 'USDT',
      quoteCurrencyId: 'RUB',
      baseCurrencyPrecision: 4,
      quoteCurrencyPrecision: 2,
      pricePrecision: 4,
      advertisementMaxCountSell: 3,
      advertisementMaxCountBuy: 3,
      advertisementMaxCountActiveSell: 3,
      advertisementMaxCountActiveBuy: 3,
      tradeActiveMaxCount: 5,
      baseCurrency: { id: 'USDT', isCoin: true, precision: 4 },
      quoteCurrency: { id: 'RUB', isCoin: false, precision: 2 },
      marketPriceValidationRule: { ruleType: 'anchor', params: { ask: 10, bid: 10, price: 95 } },
    });
    expect(await desk.good(desk.alice, 'GET', `${ROOT}/payment-method/list`)).toContainEqual({
      id: '1',
      name: expect.any(String),
    });
    expect(await desk.good(desk.bob, 'GET', `${ROOT}/profile`)).toMatchObject({
      username: 'bob',
      tradesCount: expect.any(Number),
    });
    witness('sandbox/p2p-pair');
  });
});

describe('a P2P advertisement', () => {
  it('is created active with every documented field, listed, hidden, edited, shown and deleted', async () => {
    const made = await desk.good(desk.alice, 'POST', ADS, terms);
    expect(made).toMatchObject({
      id: expect.any(String),
      idNumber: expect.any(String),
      availableAmount: 100,
      maxLimit: 9550,
      minLimit: 500,
      price: 95.5,
      quote: 'RUB',
      base: 'USDT',
      user: { username: 'alice', role: 'maker', trades: { buy: expect.any(Number) } },
      side: 'sell',
      paymentMethods: [
        { id: '1', name: expect.any(String), deletedAt: null },
        { id: '2', name: expect.any(String), deletedAt: null },
      ],
      difference: '0',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      comment: 'quick',
      status: 'active',
      market: { marketId: 'USDTRUB' },
      updatedAt: expect.any(String),
      trades: [],
    });
    const id = String(made['id']);
    const listed = async (query: string): Promise<readonly unknown[]> =>
      (await desk.good<{ items: Json[] }>(desk.bob, 'GET', `${ADS}/list${query}`)).items.map((row) => row['id']);
    expect(await listed('?marketId=USDTRUB&side=sell')).toContain(id);
    expect(await listed('?side=buy')).not.toContain(id);
    expect(await desk.good(desk.bob, 'GET', `${ADS}/${id}`)).toMatchObject({ id, trades: [] });
    await desk.refused(409, 'illegal_transition', desk.alice, 'PATCH', `${ADS}/${id}`, { price: '96' });
    await desk.refused(409, 'illegal_transition', desk.alice, 'POST', `${ADS}/${id}/activate`);
    expect(await desk.good(desk.alice, 'POST', `${ADS}/${id}/deactivate`)).toMatchObject({ status: 'deactivated' });
    expect(await listed('')).not.toContain(id);
    await desk.refused(404, 'not_found', desk.bob, 'GET', `${ADS}/${id}`);
    await desk.refused(422, 'price_out_of_bounds', desk.alice, 'PATCH', `${ADS}/${id}`, { price: '60' });
    const change = { price: 96, amount: '50', comment: 'slow' };
    expect(await desk.good(desk.alice, 'PATCH', `${ADS}/${id}`, change)).toMatchObject({
      price: 96,
      availableAmount: 50,
      comment: 'slow',
      minLimit: 500,
    });
    expect(await desk.good(desk.alice, 'POST', `${ADS}/${id}/activate`)).toMatchObject({ status: 'active' });
    expect(await desk.good(desk.alice, 'DELETE', `${ADS}/${id}`)).toMatchObject({ status: 'canceled' });
    for (const [method, path] of [
      ['DELETE', ''] as const,
      ['POST', '/activate'] as const,
      ['POST', '/deactivate'] as const,
    ]) {
      await desk.refused(409, 'illegal_transition', desk.alice, method, `${ADS}/${id}${path}`);
    }
    const canceled = await desk.good<Json[]>(desk.alice, 'GET', `${ADS}/my?status=canceled`);
    expect(canceled.map((row) => row['id'])).toContain(id);
    expect(await desk.good(desk.alice, 'GET', `${ADS}/my?status=active`)).toEqual([]);
    witness('sandbox/advertisement-side');
  });

  it('takes an empty comment as it shows one, and so gives a comment up', async () => {
    const path = `${ADS}/${await advertise({ comment: '' })}`;
    expect(await desk.good(desk.alice, 'GET', path)).toMatchObject({ comment: '' });
    await desk.good(desk.alice, 'POST', `${path}/deactivate`);
    for (const comment of ['slow', '']) {
      expect(await desk.good(desk.alice, 'PATCH', path, { comment })).toMatchObject({ comment });
    }
    await desk.refused(400, 'bad_request', desk.alice, 'PATCH', path, { comment: 7 });
  });

  it('is refused outside the bounds, too fine, too small, too big, uncovered or malformed', async () => {
    const refused = (status: number, code: string, change: object): Promise<void> =>
      desk.refused(status, code, desk.alice, 'POST', ADS, { ...terms, ...change });
    await refused(422, 'price_out_of_bounds', { price: '85.4999' });
    await refused(422, 'price_out_of_bounds', { price: '104.5001' });
    await refused(422, 'off_tick', { price: '95.00001' });
    await refused(422, 'below_minimum', { amount: '0' });
    await refused(422, 'above_maximum', { amount: '1000001' });
    await refused(422, 'below_minimum', { minLimit: '1' });
    await refused(422, 'below_minimum', { minLimit: '600', maxLimit: '599' });
    await refused(422, 'above_maximum', { maxLimit: '1000000000' });
    await refused(422, 'insufficient_balance', { amount: '999999' });
    await refused(400, 'bad_request', { amount: '1.00001' });
    await refused(400, 'bad_request', { marketId: 'BTCRUB' });
    await refused(400, 'bad_request', { side: 'both' });
    await refused(400, 'bad_request', { paymentMethodIds: [] });
    await refused(400, 'bad_request', { paymentMethodIds: ['none'] });
    await refused(400, 'bad_request', { price: '-95' });
    for (const price of ['85.5', '104.5']) await advertise({ price, side: 'buy' });
    await desk.refused(404, 'not_found', desk.alice, 'GET', `${ADS}/none`);
    await desk.refused(400, 'bad_request', desk.alice, 'GET', `${ADS}/list?side=up`);
    await desk.refused(400, 'bad_request', desk.alice, 'GET', `${ADS}/my?status=lost`);
  });

  it('is at most three times active per side and belongs to its maker', async () => {
    const ids = [await advertise(), await advertise(), await advertise()];
    await desk.refused(422, 'limit_reached', desk.alice, 'POST', ADS, terms);
    await advertise({ side: 'buy' });
    await desk.good(desk.alice, 'POST', `${ADS}/${ids[0]}/deactivate`);
    await advertise();
    await desk.refused(422, 'limit_reached', desk.alice, 'POST', `${ADS}/${ids[0]}/activate`);
    await desk.refused(422, 'not_owner', desk.bob, 'POST', `${ADS}/${ids[1]}/deactivate`);
    await desk.refused(422, 'not_owner', desk.bob, 'DELETE', `${ADS}/${ids[1]}`);
    await desk.refused(422, 'not_owner', desk.bob, 'PATCH', `${ADS}/${ids[1]}`, { comment: 'x' });
  });
});

describe('a P2P trade', () => {
  it('goes from response to completion: escrow, scaled integers in the taker view, the advertisement completed', async () => {
    const alice = await desk.balance(desk.alice, 'p2p', 'USDT');
    const bob = await desk.balance(desk.bob, 'p2p', 'USDT');
    const id = await advertise();
    const trade = await desk.good(desk.bob, 'POST', TRADES, { advertisementId: id, amount: 100, paymentMethodId: '2' });
    expect(trade).toMatchObject({
      volume: '1000000',
      volumeCurrencyId: 'USDT',
      amount: '955000',
      amountCurrencyId: 'RUB',
      price: '955000',
      status: 'open:wait-confirm',
      advertisementId: id,
      marketId: 'USDTRUB',
      paymentMethodId: '2',
      roomId: expect.any(String),
      idNumber: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(trade['sellUserId']).not.toBe(trade['buyUserId']);
    const tradeId = String(trade['id']);
    const escrowed = { available: alice.available - 100, locked: 100 };
    expect(await desk.balance(desk.alice, 'p2p', 'USDT')).toEqual(escrowed);
    expect(await desk.good(desk.alice, 'GET', `${ADS}/${id}`)).toMatchObject({
      availableAmount: 0,
      status: 'active',
      trades: [{ id: tradeId }],
    });
    await desk.refused(422, 'not_owner', desk.bob, 'POST', `${TRADES}/start`, { tradeId });
    await desk.refused(409, 'illegal_transition', desk.bob, 'POST', `${TRADES}/pay`, { tradeId });
    expect(await step('start', desk.alice, tradeId)).toMatchObject({ status: 'open' });
    await desk.refused(422, 'not_owner', desk.alice, 'POST', `${TRADES}/pay`, { tradeId });
    await desk.refused(409, 'illegal_transition', desk.alice, 'POST', `${TRADES}/confirm`, { tradeId });
    await desk.refused(409, 'illegal_transition', desk.alice, 'POST', `${TRADES}/dispute`, { tradeId, reason: 'x' });
    expect(await step('pay', desk.bob, tradeId)).toMatchObject({ status: 'send-payment-document' });
    await desk.refused(409, 'illegal_transition', desk.bob, 'POST', `${TRADES}/cancel`, { tradeId });
    await desk.refused(422, 'not_owner', desk.bob, 'POST', `${TRADES}/confirm`, { tradeId });
    // The ten minutes were for the start alone.
    await desk.advance(11 * MINUTE);
    expect(await step('confirm', desk.alice, tradeId)).toMatchObject({ status: 'complete' });
    for (const name of ['start', 'confirm', 'cancel', 'dispute']) {
      await desk.refused(409, 'illegal_transition', desk.alice, 'POST', `${TRADES}/${name}`, { tradeId });
    }
    expect(await desk.balance(desk.alice, 'p2p', 'USDT')).toEqual({ available: alice.available - 100, locked: 0 });
    expect(await desk.balance(desk.bob, 'p2p', 'USDT')).toEqual({ available: bob.available + 100, locked: 0 });
    expect(await statusOf(`${ADS}/${id}`)).toBe('completed');
    await desk.refused(409, 'illegal_transition', desk.alice, 'POST', `${ADS}/${id}/deactivate`);
    expect(await desk.good(desk.bob, 'GET', `${TRADES}/${tradeId}`)).toMatchObject({ status: 'complete' });
    expect(await desk.good(desk.bob, 'GET', '/api/v1/wallet/transactions/list/my?type=p2p')).toMatchObject({
      items: [{ amount: '100', currency: 'USDT', account: 'p2p', status: 'completed' }],
    });
    expect(await desk.good(desk.alice, 'GET', `${ROOT}/profile`)).toMatchObject({ trades: { sell: 1 } });
  });

  it('with an advertisement that buys takes the escrow from the taker and shows what the taker sends', async () => {
    const bob = await desk.balance(desk.bob, 'p2p', 'USDT');
    const id = await advertise({ side: 'buy', price: '90.0001' });
    const body = { advertisementId: id, amount: '33.3333', paymentMethodId: '1' };
    const trade = await desk.good(desk.bob, 'POST', TRADES, body);
    expect(trade).toMatchObject({
      volume: '300000',
      volumeCurrencyId: 'RUB',
      amount: '333333',
      amountCurrencyId: 'USDT',
      price: '900001',
    });
    expect((await desk.balance(desk.bob, 'p2p', 'USDT')).locked).toBe(33.3333);
    const tradeId = String(trade['id']);
    await step('start', desk.alice, tradeId);
    await desk.refused(422, 'not_owner', desk.bob, 'POST', `${TRADES}/pay`, { tradeId });
    await step('pay', desk.alice, tradeId);
    await step('confirm', desk.bob, tradeId);
    expect((await desk.balance(desk.bob, 'p2p', 'USDT')).available).toBeCloseTo(bob.available - 33.3333, 8);
    expect(await desk.good(desk.alice, 'GET', `${ADS}/${id}`)).toMatchObject({
      status: 'active',
      availableAmount: 66.6667,
    });
    witness('sandbox/p2p-taker-view');
  });

  it('is canceled after ten minutes without a start, and by either side before payment; liquidity comes back', async () => {
    const before = await desk.balance(desk.alice, 'p2p', 'USDT');
    const id = await advertise();
    const expired = await respond(id);
    await desk.advance(10 * MINUTE - 5000);
    expect(await statusOf(`${TRADES}/${expired}`)).toBe('open:wait-confirm');
    await desk.advance(5000);
    expect(await statusOf(`${TRADES}/${expired}`)).toBe('cancel');
    await desk.refused(409, 'illegal_transition', desk.alice, 'POST', `${TRADES}/start`, { tradeId: expired });
    expect(await step('cancel', desk.bob, await respond(id))).toMatchObject({ status: 'cancel' });
    const open = await respond(id);
    await step('start', desk.alice, open);
    expect(await step('cancel', desk.alice, open)).toMatchObject({ status: 'cancel' });
    expect(await desk.balance(desk.alice, 'p2p', 'USDT')).toEqual(before);
    expect(await desk.good(desk.alice, 'GET', `${ADS}/${id}`)).toMatchObject({
      availableAmount: 100,
      status: 'active',
    });
  });

  it('of an amount that was changed since gives nothing back to the new one', async () => {
    const path = `${ADS}/${await advertise()}`;
    const id = path.slice(ADS.length + 1);
    const before = await respond(id, '60');
    await desk.good(desk.alice, 'POST', `${path}/deactivate`);
    await desk.good(desk.alice, 'PATCH', path, { amount: '50' });
    await desk.good(desk.alice, 'POST', `${path}/activate`);
    const after = await respond(id, '20');
    await step('cancel', desk.bob, before);
    expect(await desk.good(desk.alice, 'GET', path)).toMatchObject({ availableAmount: 30 });
    await step('cancel', desk.bob, after);
    expect(await desk.good(desk.alice, 'GET', path)).toMatchObject({ availableAmount: 50 });
  });

  it('of an amount that was changed since completes the advertisement with its end, when the new one is bought', async () => {
    const path = `${ADS}/${await advertise()}`;
    const id = path.slice(ADS.length + 1);
    const before = await respond(id, '60');
    await desk.good(desk.alice, 'POST', `${path}/deactivate`);
    await desk.good(desk.alice, 'PATCH', path, { amount: '50' });
    await desk.good(desk.alice, 'POST', `${path}/activate`);
    const tradeId = await respond(id, '50');
    await step('start', desk.alice, tradeId);
    await step('pay', desk.bob, tradeId);
    await step('confirm', desk.alice, tradeId);
    expect(await desk.good(desk.alice, 'GET', path)).toMatchObject({ availableAmount: 0, status: 'active' });
    await step('cancel', desk.bob, before);
    expect(await desk.good(desk.alice, 'GET', path)).toMatchObject({ availableAmount: 0, status: 'completed' });
  });

  it.each([
    ['the seller appeals', 'alice', 'no money came', 'cancel'],
    ['the buyer appeals', 'bob', 'I paid', 'complete'],
    ['the arbiter is told to complete', 'alice', 'sandbox-complete', 'complete'],
    ['the arbiter is told to cancel', 'bob', 'sandbox-cancel', 'cancel'],
  ] as const)('in dispute is decided on the clock: %s', async (_, who, reason, end) => {
    const before = await desk.balance(desk.bob, 'p2p', 'USDT');
    const tradeId = await respond(await advertise(), '10');
    await step('start', desk.alice, tradeId);
    await step('pay', desk.bob, tradeId);
    expect(await step('dispute', desk[who], tradeId, { reason })).toMatchObject({ status: 'dispute:open' });
    await desk.refused(409, 'illegal_transition', desk[who], 'POST', `${TRADES}/dispute`, { tradeId, reason });
    await desk.advance(29 * MINUTE);
    expect(await statusOf(`${TRADES}/${tradeId}`)).toBe('dispute:open');
    await desk.advance(MINUTE);
    expect(await statusOf(`${TRADES}/${tradeId}`)).toBe(end);
    const gained = end === 'complete' ? 10 : 0;
    expect((await desk.balance(desk.bob, 'p2p', 'USDT')).available).toBeCloseTo(before.available + gained, 8);
    expect((await desk.balance(desk.alice, 'p2p', 'USDT')).locked).toBe(0);
  });

  it('in dispute may still be confirmed by the seller', async () => {
    const tradeId = await respond(await advertise(), '10');
    await step('start', desk.alice, tradeId);
    await step('pay', desk.bob, tradeId);
    await step('dispute', desk.bob, tradeId);
    expect(await step('confirm', desk.alice, tradeId)).toMatchObject({ status: 'complete' });
    await desk.advance(31 * MINUTE);
    expect(await statusOf(`${TRADES}/${tradeId}`)).toBe('complete');
  });

  it('is refused beyond limits and liquidity, for own, hidden and unknown advertisements and for malformed fields', async () => {
    const id = await advertise();
    const body = { advertisementId: id, amount: '10', paymentMethodId: '1' };
    const refused = (status: number, code: string, change: object, key = desk.bob): Promise<void> =>
      desk.refused(status, code, key, 'POST', TRADES, { ...body, ...change });
    await refused(400, 'bad_request', {}, desk.alice);
    await refused(422, 'below_minimum', { amount: '5' });
    await refused(422, 'above_maximum', { amount: '100.0001' });
    await refused(400, 'bad_request', { amount: '10.00001' });
    await refused(400, 'bad_request', { paymentMethodId: '3' });
    await refused(400, 'bad_request', { paymentMethodId: undefined });
    await refused(404, 'not_found', { advertisementId: 'none' });
    await desk.good(desk.alice, 'POST', `${ADS}/${id}/deactivate`);
    await refused(409, 'illegal_transition', {});
    await desk.good(desk.alice, 'POST', `${ADS}/${id}/activate`);
    const narrow = await advertise({ maxLimit: '600' });
    await refused(422, 'above_maximum', { advertisementId: narrow, amount: '7' });
    const rich = await advertise({ side: 'buy', amount: '100000', maxLimit: '99999999' });
    await refused(422, 'insufficient_balance', { advertisementId: rich, amount: '99999' });
    for (let count = 0; count < 5; count++) await respond(id, '10');
    await refused(422, 'limit_reached', {});
    await refused(422, 'limit_reached', { advertisementId: rich });
    for (const name of ['start', 'pay', 'cancel', 'confirm', 'dispute']) {
      await desk.refused(404, 'not_found', desk.bob, 'POST', `${TRADES}/${name}`, { tradeId: 'none' });
      await desk.refused(400, 'bad_request', desk.bob, 'POST', `${TRADES}/${name}`, {});
    }
    await desk.refused(404, 'not_found', desk.bob, 'GET', `${TRADES}/none`);
    expect(await desk.good<Json[]>(desk.bob, 'GET', `${TRADES}/list/my`)).toEqual(
      expect.arrayContaining([expect.objectContaining({ advertisementId: id, status: 'open:wait-confirm' })]),
    );
  });
});

describe('P2P permissions', () => {
  it('need a key with p2p, which needs a whitelist', async () => {
    const reader = await desk.key(0, { p2p: 'read_only' }, true);
    expect((await desk.request(reader, 'GET', `${ROOT}/profile`)).status).toBe(200);
    expect((await desk.request(reader, 'POST', ADS, terms)).text).toBe('insufficient permissions for this route');
    const body = {
      name: 'p',
      auth2fa_code: desk.secondFactor(0),
      permissions: [{ category: 'p2p', accessLevel: 'full' }],
    };
    const path = '/api/v1/identity/client/api-key/create';
    const reply = await desk.asUser(await desk.login(0), 'POST', path, body);
    expect([reply.status, reply.json]).toEqual([422, expect.objectContaining({ code: 'whitelist_required' })]);
  });
});
