/** Fiat applications over plain http: every state and every illegal step, with the clock moved by the test. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import { send } from './raw-client.ts';

const DRAFT = '/api/v1/processing/fiat-application';
const SUBMIT = '/api/v1/processing/create-and-submit-fiat-application';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';
const MINUTE = 60_000;

interface Application {
  readonly applicationId: string;
  readonly status: string;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(34);
});
afterAll(() => desk.stop());

const deposit = { type: 'deposit', currency: 'RUB', amount: '5000', method: 'card' };
const withdrawal = { ...deposit, type: 'withdrawal' };

function create(path: string, body: object): Promise<Application> {
  return desk.good(desk.alice, 'POST', path, body);
}

function rubles(): Promise<{ available: number; locked: number }> {
  return desk.balance(desk.alice, 'funding', 'RUB');
}

async function statusOf({ applicationId }: Application): Promise<string | undefined> {
  const page = await desk.good<{ items: { transactionId: string; status: string }[] }>(desk.alice, 'GET', TRANSACTIONS);
  return page.items.find((row) => row.transactionId === applicationId)?.status;
}

/** No step of the user is allowed any more. */
async function expectClosed({ applicationId }: Application): Promise<void> {
  await desk.refused(409, 'illegal_transition', desk.alice, 'PATCH', DRAFT, { applicationId });
  await desk.refused(409, 'illegal_transition', desk.alice, 'DELETE', DRAFT, { applicationId });
}

describe('fiat applications', () => {
  it('a deposit: draft, confirmed, processed, credited', async () => {
    const before = await rubles();
    const draft = await create(DRAFT, { ...deposit, details: { card: '1234' } });
    expect(draft).toEqual({
      ...deposit,
      details: { card: '1234' },
      applicationId: expect.any(String),
      status: 'created',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const { applicationId } = draft;
    await desk.advance(60 * MINUTE);
    expect(await statusOf(draft)).toBe('created');
    expect(await desk.good(desk.alice, 'PATCH', DRAFT, { applicationId })).toMatchObject({
      applicationId,
      status: 'submitted',
    });
    await desk.refused(409, 'illegal_transition', desk.alice, 'PATCH', DRAFT, { applicationId });
    await desk.advance(2 * MINUTE);
    expect(await statusOf(draft)).toBe('processing');
    await expectClosed(draft);
    expect(await rubles()).toEqual(before);
    await desk.advance(5 * MINUTE);
    expect(await statusOf(draft)).toBe('completed');
    await expectClosed(draft);
    expect(await rubles()).toEqual({ available: before.available + 5000, locked: 0 });
  });

  it('gives details back digit by digit, also a number longer than a double holds', async () => {
    const body = JSON.stringify({ ...deposit, details: { account: 0 } }).replace(':0', ':40817810099910004312');
    const headers = { Authorization: `Bearer ${await desk.login(0)}` };
    const { status, text } = await send(desk.running.restUrl, 'POST', DRAFT, headers, body);
    expect([status, text.includes('"details":{"account":40817810099910004312}')]).toEqual([200, true]);
  });

  it('a withdrawal: its draft holds nothing, its submission locks, its completion debits', async () => {
    const before = await rubles();
    const draft = await create(DRAFT, withdrawal);
    expect(await rubles()).toEqual(before);
    await desk.good(desk.alice, 'PATCH', DRAFT, { applicationId: draft.applicationId });
    expect(await rubles()).toEqual({ available: before.available - 5000, locked: 5000 });
    await desk.advance(7 * MINUTE);
    expect(await statusOf(draft)).toBe('completed');
    expect(await rubles()).toEqual({ available: before.available - 5000, locked: 0 });
  });

  it('are rejected or fail, and what was locked is free again', async () => {
    const before = await rubles();
    for (const [method, status] of [
      ['sandbox-reject', 'rejected'],
      ['sandbox-fail', 'failed'],
    ] as const) {
      for (const body of [deposit, withdrawal]) {
        const application = await create(SUBMIT, { ...body, method });
        expect(application.status).toBe('submitted');
        await desk.advance(7 * MINUTE);
        expect(await statusOf(application)).toBe(status);
        await expectClosed(application);
        expect(await rubles()).toEqual(before);
      }
    }
  });

  it('are deleted as draft and while submitted, never later', async () => {
    const before = await rubles();
    for (const path of [DRAFT, SUBMIT]) {
      for (const body of [deposit, withdrawal]) {
        const application = await create(path, body);
        const { applicationId } = application;
        expect(await desk.good(desk.alice, 'DELETE', DRAFT, { applicationId })).toMatchObject({ status: 'canceled' });
        expect(await rubles()).toEqual(before);
        await expectClosed(application);
        await desk.advance(10 * MINUTE);
        expect(await statusOf(application)).toBe('canceled');
      }
    }
    expect(await rubles()).toEqual(before);
  });

  it('are refused below the minimum, for want of money, for strangers and for malformed fields', async () => {
    await desk.refused(422, 'below_minimum', desk.alice, 'POST', DRAFT, { ...deposit, amount: '99.99' });
    await desk.refused(422, 'insufficient_balance', desk.alice, 'POST', SUBMIT, { ...withdrawal, amount: '99999999' });
    const tooMuch = await create(DRAFT, { ...withdrawal, amount: '99999999' });
    const { applicationId } = tooMuch;
    await desk.refused(422, 'insufficient_balance', desk.alice, 'PATCH', DRAFT, { applicationId });
    expect(await statusOf(tooMuch)).toBe('created');
    await desk.refused(422, 'not_owner', desk.bob, 'PATCH', DRAFT, { applicationId });
    await desk.refused(422, 'not_owner', desk.bob, 'DELETE', DRAFT, { applicationId });
    for (const method of ['PATCH', 'DELETE']) {
      await desk.refused(404, 'not_found', desk.alice, method, DRAFT, { applicationId: 'none' });
      await desk.refused(400, 'bad_request', desk.alice, method, DRAFT, {});
    }
    for (const change of [
      { currency: 'USDT' },
      { amount: '100.001' },
      { amount: 'much' },
      { type: 'loan' },
      { method: null },
      { details: 'x'.repeat(2000) },
    ]) {
      await desk.refused(400, 'bad_request', desk.alice, 'POST', SUBMIT, { ...deposit, ...change });
    }
  });

  it('ask for fiat_processing full', async () => {
    const reader = await desk.key(0, { fiat_processing: 'read_only' }, true);
    const { applicationId } = await create(DRAFT, deposit);
    for (const reply of [
      await desk.request(reader, 'POST', DRAFT, deposit),
      await desk.request(reader, 'POST', SUBMIT, deposit),
      await desk.request(reader, 'PATCH', DRAFT, { applicationId }),
      await desk.request(reader, 'DELETE', DRAFT, { applicationId }),
    ]) {
      expect([reply.status, reply.text]).toEqual([401, 'insufficient permissions for this route']);
    }
  });
});
