/** An amount with more decimals than its asset has was sent, and a 2FA code was spent on it; so was a misspelt currency. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(77);
});
afterAll(() => desk.stop());

const FINE = '25.00001';
const transfer = ['transfer', 'make', 'funding', 'unified-trading'] as const;

async function tooFine(...argv: readonly string[]): Promise<void> {
  const ended = await desk.call('alice', [...argv, '--yes']);
  expect([argv.join(' '), ended.code]).toEqual([argv.join(' '), 1]);
  expect(ended.stderr).toContain(`${FINE} USDT has more decimals than the 4 that the exchange lists for USDT`);
  expect(ended.stderr).toContain('nothing was sent');
}

it('amounts/no finer than their asset', async () => {
  await desk.json('alice', 'transfer', 'make', 'overdraft', 'unified-trading', 'USDT', '100', '--yes');
  await tooFine('codes', 'create', 'USDT', FINE);
  await tooFine(...transfer, 'USDT', FINE);
  await tooFine('overdraft', 'pay', FINE);
  await tooFine('transfer', 'make', 'overdraft', 'unified-trading', 'USDT', FINE);
  const rubles = ['fiat', 'create', 'withdrawal', 'RUB', '300.001', '--method', 'sbp', '--yes'];
  expect(await desk.fails(1, 'operation_refused', 'alice', ...rubles)).toMatchObject({ field: 'amount' });
  await desk.json('alice', 'codes', 'create', 'USDT', '25.0001', '--yes');
});

it('amounts/a finer balance can be moved whole', async () => {
  const credit = { login: 'alice', account: 'unified-trading', currency: 'USDT', amount: '0.1234567' };
  const answer = await fetch(`${desk.running.restUrl}/sandbox/deposit`, {
    method: 'POST',
    body: JSON.stringify(credit),
  });
  expect(answer.status).toBe(200);
  const back = ['transfer', 'make', 'unified-trading', 'funding', 'USDT', '0.1234567', '--yes'];
  expect(await desk.json('alice', ...back)).toMatchObject({ amount: '0.1234567' });
});

it('currencies/unknown ones are named with the nearest', async () => {
  const misspelt = await desk.call('alice', [...transfer, 'UDST', '1', '--yes']);
  expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringContaining('there is no currency UDST')]);
  expect(misspelt.stderr).toContain('did you mean USDT?');
  await desk.fails(2, 'operation_invalid', 'alice', 'codes', 'create', 'UDST', '1', '--yes');
  await desk.fails(2, 'operation_invalid', 'alice', 'account', 'overview', '--currency', 'XYZ');
  const known = await desk.json<{ items: Json[] }>('alice', 'account', 'overview', '--currency', 'usdt');
  expect(known.items).not.toEqual([]);
});
