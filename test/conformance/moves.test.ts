/** Moves that the exchange makes by itself, each seen in both of its states: staff, chain, blocking of a key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';

const MINUTE = 60_000;
const SUBMIT = '/api/v1/processing/create-and-submit-fiat-application';
const WITHDRAW = '/api/v1/wallet/create-and-submit-crypto-out';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';

interface Row {
  readonly transactionId: string;
  readonly applicationId: string;
  readonly status: string;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(72);
});
afterAll(() => desk.stop());

async function statusOf(id: string): Promise<string | undefined> {
  const { items } = await desk.good<{ items: Row[] }>(desk.alice, 'GET', `${TRANSACTIONS}?limit=1000`);
  return items.find((row) => row.transactionId === id)?.status;
}

describe('by itself', () => {
  it.each([
    ['sandbox-reject', 'rejected'],
    ['sandbox-fail', 'failed'],
    ['card', 'completed'],
  ])('the staff takes an application and ends it: %s is %s', async (method, end) => {
    const body = { type: 'withdrawal', currency: 'RUB', amount: '100', method };
    const { applicationId } = await desk.good<Row>(desk.alice, 'POST', SUBMIT, body);
    await desk.advance(3 * MINUTE);
    expect(await statusOf(applicationId)).toBe('processing');
    await desk.advance(5 * MINUTE);
    expect(await statusOf(applicationId)).toBe(end);
  });

  it.each([
    ['Toutside-fail', 'failed'],
    ['Toutside', 'completed'],
  ])('a withdrawal to %s is processed and %s', async (address, end) => {
    const body = { currency: 'USDT', network: 'TRC20', address, amount: '10' };
    const { transactionId } = await desk.good<Row>(desk.alice, 'POST', WITHDRAW, body);
    await desk.advance(2 * MINUTE);
    expect(await statusOf(transactionId)).toBe('processing');
    await desk.advance(MINUTE);
    expect(await statusOf(transactionId)).toBe(end);
  });

  it('the exchange blocks a key, and its owner sees it', async () => {
    const key = await desk.key(0, { trading_spot: 'full' });
    desk.running.sandbox.exchange.identity.keys.setBlocked(key.publicKey, true);
    const reply = await desk.request(key, 'GET', '/api/v1/auth/me');
    expect([reply.status, reply.text]).toEqual([401, 'api key is not active']);
    const list = await desk.asUser(await desk.login(0), 'GET', '/api/v1/identity/client/api-key/list');
    expect(list.json).toContainEqual(expect.objectContaining({ publicKey: key.publicKey, status: 'blocked' }));
  });
});
