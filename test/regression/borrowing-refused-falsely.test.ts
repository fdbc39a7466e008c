/**
 * Money that was borrowed while the exchange answered that it refuses: borrowing changes no balance of `overdraft`, so the
 * proof of a transfer did not see it. The refusal was believed, and the same command borrowed again.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

const TRANSFER = '/api/v1/accounting/client/transfer/account';
const HISTORY = '/api/v1/wallet/transactions/list/my';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(91);
});
afterEach(() => desk.clearFaults());
afterAll(() => desk.stop());

function borrow(amount: string): readonly string[] {
  return ['transfer', 'make', 'overdraft', 'unified-trading', 'USDT', amount, '--yes'];
}

async function owed(): Promise<string> {
  return String((await desk.json('bob', 'overdraft', 'loan'))['principal']);
}

it.each([
  ['that is refused', 'falseRefusal', '40', '40'],
  ['whose answer is lost', 'dropAfterEffect', '30', '70'],
])('borrowing %s and happened is exit 4, says so, and is not sent again', async (_what, fault, amount, principal) => {
  await desk.fault(TRANSFER, fault);
  const { code, stderr } = await desk.call('bob', borrow(amount));
  expect([code, stderr.includes('IT HAPPENED')]).toEqual([4, true]);
  await desk.fails(3, 'operation_happened', 'bob', ...borrow(amount));
  expect(await owed()).toBe(principal);
});

it('borrowing that is refused falsely while nothing can be looked up is looked up before the same is sent', async () => {
  const before = Number(await owed());
  const rules = [
    { match: { path: TRANSFER }, fault: 'falseRefusal', times: 1 },
    { match: { path: HISTORY }, fault: 'status', status: 503 },
  ];
  await fetch(`${desk.running.restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ rules }) });
  await desk.fails(1, 'operation_refused', 'bob', ...borrow('20'));
  await desk.fails(3, 'operation_denied', 'bob', ...borrow('20'));
  await desk.clearFaults();
  await desk.fails(3, 'operation_happened', 'bob', ...borrow('20'));
  expect(Number(await owed())).toBe(before + 20);
});
