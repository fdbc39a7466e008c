/** Overdrafts over plain http: drawn by transfer, interest on the clock, repaid interest first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import { witness } from './sightings.ts';

const BASE = '/api/v2/credit/client/overdraft';
const TRANSFER = '/api/v1/accounting/client/transfer/account';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const draw = { from: 'overdraft', to: 'unified-trading', currency: 'USDT' };
const nothing = { principal: '0', interest: '0', total: '0', openedAt: null };

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(35);
});
afterAll(() => desk.stop());

function loan(): Promise<object> {
  return desk.good(desk.alice, 'GET', `${BASE}/loan`);
}

describe('the overdraft', () => {
  it('is enabled and unused at first', async () => {
    expect(await desk.good(desk.alice, 'GET', `${BASE}/me`)).toEqual({
      enabled: true,
      limit: '10000',
      used: '0',
      available: '10000',
      interestRateDaily: '0.0005',
      currency: 'USDT',
    });
    expect(await loan()).toEqual(nothing);
    expect(await desk.good(desk.alice, 'GET', `${BASE}/credit-fee?amount=2000.0`)).toEqual({
      amount: '2000',
      feePerDay: '1',
    });
    expect(await desk.good(desk.alice, 'GET', `${BASE}/documents`)).toEqual([
      { documentId: expect.any(String), title: expect.any(String), url: expect.any(String) },
    ]);
    await desk.refused(400, 'bad_request', desk.alice, 'GET', `${BASE}/credit-fee`);
    await desk.refused(400, 'bad_request', desk.alice, 'GET', `${BASE}/credit-fee?amount=-1`);
    witness('sandbox/overdraft-enabled');
  });

  it('is drawn, accrues hour by hour, and is repaid interest first', async () => {
    const before = await desk.balance(desk.alice, 'unified-trading', 'USDT');
    await desk.good(desk.alice, 'POST', TRANSFER, { ...draw, amount: '2000' });
    expect((await desk.balance(desk.alice, 'unified-trading', 'USDT')).available).toBe(before.available + 2000);
    expect(await loan()).toEqual({ principal: '2000', interest: '0', total: '2000', openedAt: expect.any(Number) });
    await desk.advance(HOUR - 60_000);
    expect(await loan()).toMatchObject({ interest: '0' });
    await desk.advance(60_000);
    expect(await loan()).toMatchObject({ interest: '0.04166667' });
    await desk.advance(HOUR);
    expect(await loan()).toMatchObject({ interest: '0.08333333' });
    await desk.advance(DAY - 2 * HOUR);
    expect(await loan()).toMatchObject({ interest: '1', total: '2001' });
    await desk.advance(2 * DAY);
    expect(await loan()).toMatchObject({ principal: '2000', interest: '3', total: '2003' });
    expect(await desk.good(desk.alice, 'GET', `${BASE}/me`)).toMatchObject({ used: '2003', available: '7997' });
    expect(await desk.good(desk.alice, 'POST', `${BASE}/pay`, { amount: '2' })).toMatchObject({
      principal: '2000',
      interest: '1',
    });
    expect(await desk.good(desk.alice, 'POST', `${BASE}/pay`, { amount: '1001' })).toMatchObject({
      principal: '1000',
      interest: '0',
    });
    await desk.refused(422, 'above_maximum', desk.alice, 'POST', `${BASE}/pay`, { amount: '1000.01' });
    expect(await desk.good(desk.alice, 'POST', `${BASE}/pay`, { amount: '1000' })).toEqual(nothing);
    expect((await desk.balance(desk.alice, 'unified-trading', 'USDT')).available).toBe(before.available - 3);
    await desk.advance(3 * DAY);
    expect(await loan()).toEqual(nothing);
    const list = async (type: string): Promise<unknown[]> =>
      (await desk.good<{ items: { amount: string }[] }>(desk.alice, 'GET', `${TRANSACTIONS}?type=${type}`)).items.map(
        (row) => row.amount,
      );
    const hours = await list('overdraft_interest');
    expect(hours).toHaveLength(3 * 24);
    expect(hours.slice(-3)).toEqual(['0.04166667', '0.04166666', '0.04166667']);
    expect(await list('overdraft_repayment')).toEqual(['1000', '1001', '2']);
  });

  it('is refused beyond its limit, for want of money, without a loan, and for malformed fields', async () => {
    await desk.refused(422, 'insufficient_balance', desk.alice, 'POST', TRANSFER, { ...draw, amount: '10000.01' });
    await desk.refused(422, 'route_not_available', desk.alice, 'POST', TRANSFER, {
      ...draw,
      currency: 'BTC',
      amount: '1',
    });
    await desk.refused(422, 'above_maximum', desk.bob, 'POST', `${BASE}/pay`, { amount: '1' });
    await desk.refused(422, 'below_minimum', desk.bob, 'POST', `${BASE}/pay`, { amount: '0' });
    await desk.refused(400, 'bad_request', desk.bob, 'POST', `${BASE}/pay`, {});
    await desk.good(desk.bob, 'POST', TRANSFER, { ...draw, amount: '10000' });
    const { available } = await desk.balance(desk.bob, 'unified-trading', 'USDT');
    await desk.good(desk.bob, 'POST', TRANSFER, {
      from: 'unified-trading',
      to: 'p2p',
      currency: 'USDT',
      amount: String(available),
    });
    await desk.refused(422, 'insufficient_balance', desk.bob, 'POST', `${BASE}/pay`, { amount: '1' });
  });

  it('is read with any key and repaid with crypto_processing full', async () => {
    const none = await desk.key(0, {});
    for (const path of ['me', 'loan', 'credit-fee?amount=1', 'documents']) {
      expect((await desk.request(none, 'GET', `${BASE}/${path}`)).status).toBe(200);
    }
    const reader = await desk.key(0, { crypto_processing: 'read_only' }, true);
    for (const key of [none, reader]) {
      expect((await desk.request(key, 'POST', `${BASE}/pay`, { amount: '1' })).text).toBe(
        'insufficient permissions for this route',
      );
    }
  });
});
