/** `tidewire overdraft` against a real sandbox: the line, what it costs, borrowing by transfer, repaying once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json } from './cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(74);
});
afterAll(() => desk.stop());

describe('overdraft', () => {
  it('shows line, fee and agreements', async () => {
    expect(await desk.json('alice', 'overdraft', 'me')).toMatchObject({
      enabled: true,
      used: '0',
      currency: 'USDT',
      interestRateDaily: expect.any(String),
    });
    expect(await desk.json('alice', 'overdraft', 'fee', '100')).toMatchObject({ amount: '100', feePerDay: '0.05' });
    const { items } = await desk.json<{ items: Json[] }>('alice', 'overdraft', 'documents');
    expect(items[0]).toMatchObject({ documentId: expect.any(String), title: expect.any(String) });
    const loan = await desk.call('alice', ['overdraft', 'loan']);
    expect([loan.code, loan.stdout]).toEqual([0, 'nothing is owed\n']);
  });

  it('borrows by a transfer and repays, each once, also when the answer is lost', async () => {
    await desk.json('alice', 'transfer', 'make', 'overdraft', 'unified-trading', 'USDT', '100', '--yes');
    expect(await desk.json('alice', 'overdraft', 'loan')).toMatchObject({ principal: '100', total: '100' });
    expect(await desk.fails(1, 'operation_refused', 'alice', 'overdraft', 'pay', '101', '--yes')).toMatchObject({
      code: 'above_maximum',
      field: 'amount',
    });
    await desk.fails(3, 'not_confirmed', 'alice', 'overdraft', 'pay', '10');
    expect(await desk.json('alice', 'overdraft', 'pay', '10', '--yes')).toMatchObject({ paid: '10', principal: '90' });
    await desk.fault('/api/v2/credit/client/overdraft/pay', 'dropAfterEffect');
    await desk.fails(4, 'operation_unknown', 'alice', 'overdraft', 'pay', '20', '--yes');
    await desk.clearFaults();
    await desk.fails(3, 'operation_happened', 'alice', 'overdraft', 'pay', '20', '--yes');
    expect(await desk.json('alice', 'overdraft', 'loan')).toMatchObject({ principal: '70' });
  });
});
