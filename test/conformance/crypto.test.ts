/** Deposit addresses and crypto withdrawals over plain http, with the clock moved by the test. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyPair } from './raw-client.ts';
import { openDesk, type Desk } from './money-desk.ts';
import { witness } from './sightings.ts';

const ADDRESS = '/api/v1/wallet/crypto/address';
const NEW_ADDRESS = '/api/v1/wallet/get-new-crypto-address';
const CURRENCIES = '/api/v2/withdrawals/currencies';
const WITHDRAW = '/api/v1/wallet/create-and-submit-crypto-out';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';
const cancelPath = (transactionId: string): string => `/api/v1/wallet/create-crypto-out/${transactionId}`;

interface Withdrawal {
  readonly transactionId: string;
  readonly status: string;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(33);
});
afterAll(() => desk.stop());

const outside = { currency: 'USDT', network: 'TRC20', address: 'Toutside0000000000', amount: '100' };

function withdraw(change: object = {}, key: KeyPair = desk.alice): Promise<Withdrawal> {
  return desk.good(key, 'POST', WITHDRAW, { ...outside, ...change });
}

async function statusOf(transactionId: string, key: KeyPair = desk.alice): Promise<string | undefined> {
  const page = await desk.good<{ items: Withdrawal[] }>(key, 'GET', `${TRANSACTIONS}?type=withdrawal`);
  return page.items.find((row) => row.transactionId === transactionId)?.status;
}

describe('deposit addresses', () => {
  it('are 404 before one is issued, then the latest one; each new one differs', async () => {
    const query = `${ADDRESS}?currency=BTC&network=BTC`;
    await desk.refused(404, 'no_address', desk.alice, 'GET', query);
    const first = await desk.good(desk.alice, 'POST', NEW_ADDRESS, { currency: 'BTC', network: 'BTC' });
    expect(first).toEqual({ currency: 'BTC', network: 'BTC', address: expect.stringMatching(/^bc1q/) });
    expect(await desk.good(desk.alice, 'GET', query)).toEqual(first);
    const second = await desk.good(desk.alice, 'POST', NEW_ADDRESS, { currency: 'BTC', network: 'BTC' });
    expect(second['address']).not.toBe(first['address']);
    expect(await desk.good(desk.alice, 'GET', query)).toEqual(second);
    await desk.refused(404, 'no_address', desk.bob, 'GET', query);
  });

  it('carry a memo where one address serves all', async () => {
    const body = { currency: 'USDT', network: 'TON' };
    const [a, b] = [
      await desk.good(desk.alice, 'POST', NEW_ADDRESS, body),
      await desk.good(desk.bob, 'POST', NEW_ADDRESS, body),
    ];
    expect(a['address']).toBe(b['address']);
    expect(a['memo']).not.toBe(b['memo']);
    await withdraw({ ...body, address: a['address'], memo: b['memo'], amount: '7' }, desk.alice);
    const before = await desk.balance(desk.bob, 'funding', 'USDT');
    await desk.advance(10 * 60_000);
    expect((await desk.balance(desk.bob, 'funding', 'USDT')).available).toBe(before.available + 7);
  });

  it('refuse what has no network', async () => {
    for (const [currency, network] of [
      ['BTC', 'TRC20'],
      ['RUB', 'BTC'],
      ['DOGE', 'BTC'],
    ]) {
      await desk.refused(400, 'bad_request', desk.alice, 'GET', `${ADDRESS}?currency=${currency}&network=${network}`);
      await desk.refused(400, 'bad_request', desk.alice, 'POST', NEW_ADDRESS, { currency, network });
    }
    await desk.refused(400, 'bad_request', desk.alice, 'GET', ADDRESS);
  });
});

describe('withdrawals', () => {
  it('list currencies with networks, minima and fees; the first of USDT costs at most 20', async () => {
    const rows = await desk.good<
      { currency: string; networks: { network: string; minAmount: string; fee: string; confirmations: number }[] }[]
    >(desk.alice, 'GET', CURRENCIES);
    const [first] = rows.find((row) => row.currency === 'USDT')?.networks ?? [];
    expect(first).toEqual({
      network: expect.any(String),
      minAmount: expect.any(String),
      fee: expect.any(String),
      confirmations: expect.any(Number),
    });
    expect(Number(first?.minAmount) + Number(first?.fee)).toBeLessThanOrEqual(20);
    expect(rows.map((row) => row.currency).toSorted()).toEqual(['BTC', 'ETH', 'USDT']);
    witness('sandbox/first-network');
  });

  it('lock amount and fee, stay submitted a minute, are processed, and leave', async () => {
    const before = await desk.balance(desk.alice, 'funding', 'USDT');
    const made = await withdraw();
    expect(made).toEqual({
      ...outside,
      transactionId: expect.any(String),
      status: 'submitted',
      fee: '1',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual({
      available: before.available - 101,
      locked: 101,
    });
    await desk.advance(60_000);
    expect(await statusOf(made.transactionId)).toBe('submitted');
    await desk.advance(60_000);
    expect(await statusOf(made.transactionId)).toBe('processing');
    await desk.refused(409, 'already_processing', desk.alice, 'DELETE', cancelPath(made.transactionId));
    await desk.advance(60_000);
    expect(await statusOf(made.transactionId)).toBe('completed');
    await desk.refused(409, 'already_processing', desk.alice, 'DELETE', cancelPath(made.transactionId));
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual({ available: before.available - 101, locked: 0 });
    witness('sandbox/funding-debits');
  });

  it('are canceled before processing only, and the money is free again', async () => {
    const before = await desk.balance(desk.alice, 'funding', 'USDT');
    const { transactionId } = await withdraw();
    await desk.refused(422, 'not_owner', desk.bob, 'DELETE', cancelPath(transactionId));
    const canceled = await desk.good(desk.alice, 'DELETE', cancelPath(transactionId));
    expect(canceled).toMatchObject({ transactionId, status: 'canceled', amount: '100' });
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual(before);
    await desk.refused(409, 'illegal_transition', desk.alice, 'DELETE', cancelPath(transactionId));
    await desk.refused(404, 'not_found', desk.alice, 'DELETE', cancelPath('none'));
    await desk.advance(10 * 60_000);
    expect(await statusOf(transactionId)).toBe('canceled');
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual(before);
  });

  it('that fail on the chain come back whole', async () => {
    const before = await desk.balance(desk.alice, 'funding', 'USDT');
    const { transactionId } = await withdraw({ address: 'Toutside-fail' });
    await desk.advance(10 * 60_000);
    expect(await statusOf(transactionId)).toBe('failed');
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual(before);
  });

  it('to an own address become a deposit after its confirmations', async () => {
    const network = { currency: 'ETH', network: 'ERC20' };
    const { address } = await desk.good(desk.bob, 'POST', NEW_ADDRESS, network);
    const before = await desk.balance(desk.bob, 'funding', 'ETH');
    await withdraw({ ...network, address, amount: '2' }, desk.alice);
    await desk.advance(150_000);
    const deposits = `${TRANSACTIONS}?type=deposit`;
    const newest = async (): Promise<object | undefined> =>
      (await desk.good<{ items: object[] }>(desk.bob, 'GET', deposits)).items[0];
    expect(await newest()).toMatchObject({ status: 'processing', currency: 'ETH', amount: '2' });
    expect(await desk.balance(desk.bob, 'funding', 'ETH')).toEqual(before);
    await desk.advance(143_000);
    expect(await newest()).toMatchObject({ status: 'processing' });
    await desk.advance(2000);
    expect(await newest()).toMatchObject({ status: 'completed', account: 'funding' });
    expect((await desk.balance(desk.bob, 'funding', 'ETH')).available).toBe(before.available + 2);
    witness('sandbox/withdrawal-minute');
  });

  it('and everything else that is due move in order of time when the clock is moved far', async () => {
    const first = await withdraw();
    const second = await withdraw({ address: 'Tother' });
    await desk.good(desk.alice, 'POST', '/api/v1/processing/create-and-submit-fiat-application', {
      type: 'deposit',
      currency: 'RUB',
      amount: '100',
      method: 'card',
    });
    await desk.advance(24 * 3_600_000);
    const { items } = await desk.good<{
      items: { transactionId: string; type: string; status: string; createdAt: number; updatedAt: number }[];
    }>(desk.alice, 'GET', `${TRANSACTIONS}?limit=3`);
    const [fiat, last, before] = items;
    expect([before?.transactionId, last?.transactionId]).toEqual([first.transactionId, second.transactionId]);
    expect(items.map((row) => [row.type, row.status, row.updatedAt - row.createdAt])).toEqual([
      ['deposit', 'completed', 7 * 60_000],
      ['withdrawal', 'completed', 150_000],
      ['withdrawal', 'completed', 150_000],
    ]);
    expect(before!.updatedAt).toBeLessThanOrEqual(last!.updatedAt);
    expect(last!.updatedAt).toBeLessThan(fiat!.updatedAt);
  });

  it('are refused below the minimum, for want of money, and for malformed fields', async () => {
    const cases: readonly [number, string, object][] = [
      [422, 'below_minimum', { amount: '9.9999' }],
      [422, 'insufficient_balance', { amount: '10000000' }],
      [422, 'two_factor_invalid', { auth2fa_code: '000000' }],
      [400, 'bad_request', { currency: 'DOGE' }],
      [400, 'bad_request', { currency: 'RUB' }],
      [400, 'bad_request', { network: 'BTC' }],
      [400, 'bad_request', { address: '' }],
      [400, 'bad_request', { address: 'with blanks in it' }],
      [400, 'bad_request', { amount: '10.00001' }],
      [400, 'bad_request', { amount: '-10' }],
    ];
    for (const [status, code, change] of cases) {
      await desk.refused(status, code, desk.alice, 'POST', WITHDRAW, { ...outside, ...change });
    }
    const { transactionId } = await withdraw({ auth2fa_code: desk.secondFactor(0) });
    await desk.good(desk.alice, 'DELETE', cancelPath(transactionId));
  });

  it('ask for crypto_processing at the right level, which needs a whitelist', async () => {
    const reader = await desk.key(0, { crypto_processing: 'read_only' }, true);
    const other = await desk.key(0, { transfer: 'full', dictionary: 'full' });
    expect((await desk.request(reader, 'GET', CURRENCIES)).status).toBe(200);
    expect((await desk.request(reader, 'GET', `${ADDRESS}?currency=BTC&network=BTC`)).status).toBe(200);
    for (const reply of [
      await desk.request(reader, 'POST', WITHDRAW, outside),
      await desk.request(reader, 'POST', NEW_ADDRESS, { currency: 'BTC', network: 'BTC' }),
      await desk.request(reader, 'DELETE', cancelPath('none')),
      await desk.request(other, 'GET', CURRENCIES),
      await desk.request(other, 'GET', `${ADDRESS}?currency=BTC&network=BTC`),
    ]) {
      expect([reply.status, reply.text]).toEqual([401, 'insufficient permissions for this route']);
    }
    const reply = await desk.asUser(await desk.login(0), 'POST', '/api/v1/identity/client/api-key/create', {
      name: 'bare',
      auth2fa_code: desk.secondFactor(0),
      permissions: [{ category: 'crypto_processing', accessLevel: 'read_only' }],
    });
    expect([reply.status, reply.json]).toMatchObject([422, { code: 'whitelist_required', field: 'ipAddresses' }]);
  });
});
