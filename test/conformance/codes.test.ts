/** Codes over plain http: created from funding, redeemed once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';

const CREATE = '/api/v1/code/create-api';
const REDEEM = '/api/v1/code/redeem';
const MY = '/api/v1/code/my';
const FULL = '/api/v1/code/full';

interface CodeRow {
  readonly codeId: string;
  readonly code: string;
  readonly status: string;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(32);
});
afterAll(() => desk.stop());

function create(change: object = {}): Promise<CodeRow> {
  return desk.good(desk.alice, 'POST', CREATE, { currency: 'USDT', amount: '25', ...change });
}

async function mine(query: string): Promise<readonly CodeRow[]> {
  return (await desk.good<{ items: CodeRow[] }>(desk.alice, 'GET', `${MY}${query}`)).items;
}

describe('codes', () => {
  it('debit funding, are redeemed once without a fee, and tell both sides', async () => {
    const before = await desk.balance(desk.alice, 'funding', 'USDT');
    const bobBefore = await desk.balance(desk.bob, 'funding', 'USDT');
    const made = await create({ comment: 'for lunch' });
    expect(made).toMatchObject({
      codeId: expect.any(String),
      code: expect.stringMatching(/^\w{16,}$/),
      currency: 'USDT',
      amount: '25',
      status: 'active',
    });
    expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual({ available: before.available - 25, locked: 0 });
    expect(await desk.good(desk.alice, 'POST', FULL, { codeId: made.codeId })).toMatchObject({
      code: made.code,
      comment: 'for lunch',
      createdAt: expect.any(Number),
      activatedAt: null,
      activatedBy: null,
    });
    const redeemed = await desk.good(desk.bob, 'POST', REDEEM, { code: made.code });
    expect(redeemed).toMatchObject({ codeId: made.codeId, currency: 'USDT', amount: '25', status: 'activated' });
    expect(redeemed).not.toHaveProperty('code');
    expect((await desk.balance(desk.bob, 'funding', 'USDT')).available).toBe(bobBefore.available + 25);
    await desk.refused(409, 'code_already_activated', desk.bob, 'POST', REDEEM, { code: made.code });
    expect((await desk.balance(desk.bob, 'funding', 'USDT')).available).toBe(bobBefore.available + 25);
    const full = await desk.good(desk.bob, 'POST', FULL, { codeId: made.codeId });
    expect(full).toMatchObject({ status: 'activated', activatedAt: expect.any(Number), activatedBy: 'bob' });
    expect(full).not.toHaveProperty('code');
    const transactions = '/api/v1/wallet/transactions/list/my';
    expect(await desk.good(desk.alice, 'GET', `${transactions}?type=code_create`)).toMatchObject({
      items: [{ amount: '25', account: 'funding', status: 'completed' }],
    });
    expect(await desk.good(desk.bob, 'GET', `${transactions}?type=code_redeem`)).toMatchObject({
      items: [{ amount: '25', account: 'funding', status: 'completed' }],
    });
  });

  it('are listed without their secret, by whether they were activated', async () => {
    const open = await create();
    const spent = await create();
    await desk.good(desk.alice, 'POST', REDEEM, { code: spent.code });
    const ids = (rows: readonly CodeRow[]): string[] => rows.map((row) => row.codeId);
    expect(ids(await mine('?activated=false'))).toContain(open.codeId);
    expect(ids(await mine('?activated=false'))).not.toContain(spent.codeId);
    expect(ids(await mine('?activated=true'))).toContain(spent.codeId);
    expect(ids(await mine(''))).toEqual(expect.arrayContaining([open.codeId, spent.codeId]));
    for (const row of await mine('')) expect(row).not.toHaveProperty('code');
    await desk.refused(400, 'bad_request', desk.alice, 'GET', `${MY}?activated=maybe`);
    expect(await desk.good(desk.bob, 'GET', MY)).toEqual({ items: [], nextCursor: null });
  });

  it('for a recipient are for that user alone', async () => {
    const made = await create({ recipient: 'bob' });
    await desk.refused(422, 'not_owner', desk.alice, 'POST', REDEEM, { code: made.code });
    expect(await desk.good(desk.bob, 'POST', REDEEM, { code: made.code })).toMatchObject({ status: 'activated' });
  });

  it('are refused for want of money, for unknown codes, for strangers and for malformed fields', async () => {
    const body = { currency: 'BTC', amount: '1' };
    await desk.refused(422, 'insufficient_balance', desk.alice, 'POST', CREATE, { ...body, amount: '11' });
    await desk.refused(422, 'below_minimum', desk.alice, 'POST', CREATE, { ...body, amount: '0' });
    await desk.refused(400, 'bad_request', desk.alice, 'POST', CREATE, { ...body, amount: '1.000000001' });
    await desk.refused(400, 'bad_request', desk.alice, 'POST', CREATE, { ...body, currency: 'DOGE' });
    await desk.refused(400, 'bad_request', desk.alice, 'POST', CREATE, { ...body, recipient: 'nobody' });
    await desk.refused(404, 'code_not_found', desk.bob, 'POST', REDEEM, { code: 'nothing' });
    await desk.refused(400, 'bad_request', desk.bob, 'POST', REDEEM, {});
    await desk.refused(404, 'code_not_found', desk.bob, 'POST', FULL, { codeId: 'nothing' });
    const { codeId } = await create();
    await desk.refused(422, 'not_owner', desk.bob, 'POST', FULL, { codeId });
    expect(await desk.balance(desk.alice, 'funding', 'BTC')).toEqual({ available: 10, locked: 0 });
  });

  it('ask for crypto_processing at the right level', async () => {
    const reader = await desk.key(0, { crypto_processing: 'read_only' }, true);
    const other = await desk.key(0, { transfer: 'full', trading_spot: 'full' });
    const { codeId, code } = await create();
    expect((await desk.request(reader, 'GET', MY)).status).toBe(200);
    expect((await desk.request(reader, 'POST', FULL, { codeId })).status).toBe(200);
    for (const reply of [
      await desk.request(reader, 'POST', CREATE, { currency: 'USDT', amount: '1' }),
      await desk.request(reader, 'POST', REDEEM, { code }),
      await desk.request(other, 'GET', MY),
      await desk.request(other, 'POST', FULL, { codeId }),
    ]) {
      expect([reply.status, reply.text]).toEqual([401, 'insufficient permissions for this route']);
    }
  });
});
