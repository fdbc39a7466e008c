/**
 * Money moved by hand beside an exchange whose answers are not so, and a process that dies at the wrong moment: a refusal of
 * what was done was believed and the money sent twice; so was it by a call that was killed after the answer and before its
 * result was shown; another transfer was taken for a lost one; an answer that named another address, fee or recipient, or
 * that moved nothing, was exit 0.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callCli, type CliEnd } from '../cli/call-cli.ts';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { openLyingExchange, type LyingExchange } from '../cli/lying-exchange.ts';
import { start } from '../e2e/cli.ts';

const TRANSFER = '/api/v1/accounting/client/transfer/account';
const WITHDRAW = '/api/v1/wallet/create-and-submit-crypto-out';
const HISTORY = '/api/v1/wallet/transactions/list/my';
const BALANCES = '/api/v1/accounting/client/report-account/accounts/overview';
const CODE = '/api/v1/code/create-api';
const DAY_MS = 24 * 3_600_000;

let desk: CliDesk;
let liar: LyingExchange;
beforeAll(async () => {
  desk = await openCliDesk(79);
  liar = await openLyingExchange(desk);
});
afterEach(async () => {
  liar.lie = null;
  await desk.clearFaults();
});
afterAll(async () => {
  liar.stop();
  await desk.stop();
});

function transfer(amount: string, to = 'p2p'): readonly string[] {
  return ['transfer', 'make', 'funding', to, 'USDT', amount, '--yes'];
}

async function held(account: string): Promise<number> {
  const { items } = await desk.json<{ items: Json[] }>('alice', 'account', 'overview', '--currency', 'USDT');
  return Number(items.find((row) => row['account'] === account)?.['available']);
}

function keys(): Record<string, string> {
  const { publicKey, secretKey } = desk.running.users[0]!.apiKey;
  return { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey, TIDEWIRE_2FA_CODE: twoFactor() };
}

function twoFactor(): string {
  return desk.loginOf('alice')['TIDEWIRE_2FA_CODE']!;
}

function errorIn({ stdout }: CliEnd): { readonly code: string; readonly message: string } {
  return (JSON.parse(stdout) as { error: { code: string; message: string } }).error;
}

describe('a refusal', () => {
  it('of what was done is exit 4, says so, and is not sent again', async () => {
    const before = await held('p2p');
    await desk.fault(TRANSFER, 'falseRefusal');
    const refused = await desk.call('alice', [...transfer('3'), '--json']);
    expect([refused.code, errorIn(refused).code]).toEqual([4, 'operation_unknown']);
    expect(errorIn(refused).message).toMatch(/refused with insufficient_balance.* but transaction .*IT HAPPENED/);
    await desk.fails(3, 'operation_happened', 'alice', ...transfer('3'));
    expect(await held('p2p')).toBe(before + 3);
  });

  it('that could not be checked is checked before the same is sent', async () => {
    const before = await held('p2p');
    const both = { rules: [rule(TRANSFER, 'falseRefusal'), { ...rule(HISTORY, 'status'), status: 503 }] };
    await fetch(`${desk.running.restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify(both) });
    await desk.fails(1, 'operation_refused', 'alice', ...transfer('4'));
    const denied = await desk.fails(3, 'operation_denied', 'alice', ...transfer('4'));
    expect(denied).toMatchObject({ reason: 'unresolved_money' });
    await desk.clearFaults();
    await desk.fails(3, 'operation_happened', 'alice', ...transfer('4'));
    expect(await held('p2p')).toBe(before + 4);
  });
});

function rule(path: string, fault: string): Json {
  return { match: { path }, fault, times: 9 };
}

describe('a transfer', () => {
  it('of a process that was killed before it showed the result is not sent again', async () => {
    const before = await held('p2p');
    liar.lie = {
      method: 'POST',
      path: TRANSFER,
      times: 1,
      edit: (answer) => {
        liar.lie = { method: 'GET', path: BALANCES, times: 1, edit: () => new Promise(() => {}) };
        return answer;
      },
    };
    const running = start([...transfer('6'), '--config', liar.config], { cwd: desk.folder, env: keys() });
    await running.during(
      'the balances after it',
      () => (liar.lie?.path === BALANCES && liar.lie.times === 0) || undefined,
    );
    await running.signal('SIGKILL');
    for (let time = 0; time < 2; time++) await desk.fails(3, 'operation_happened', 'alice', ...transfer('6'));
    expect(await held('p2p')).toBe(before + 6);
    await desk.json('alice', ...transfer('6'), '--again');
    expect(await held('p2p')).toBe(before + 12);
  });

  it('that was lost is not another one of the same amount to elsewhere', async () => {
    await desk.fault(TRANSFER, 'drop');
    await desk.fails(4, 'operation_unknown', 'alice', ...transfer('8.5'));
    await desk.clearFaults();
    const elsewhere = mkdtempSync(join(tmpdir(), 'tidewire-elsewhere-'));
    const argv = [...transfer('8.5', 'unified-trading'), '--config', join(desk.folder, 'c.yaml')];
    expect((await callCli(argv, elsewhere, { env: keys() })).code).toBe(0);
    rmSync(elsewhere, { recursive: true });
    const repeated = await desk.call('alice', [...transfer('8.5'), '--json']);
    expect([repeated.code, errorIn(repeated).code]).toEqual([3, 'operation_denied']);
    expect(errorIn(repeated).message).toContain('may be it');
  });

  it('that is answered as done and moves nothing is exit 4, and is not sent again', async () => {
    const answer = {
      transferId: '777',
      from: 'funding',
      to: 'p2p',
      currency: 'USDT',
      amount: '9',
      createdAt: Date.now(),
    };
    liar.lie = { method: 'POST', path: TRANSFER, times: 1, reaches: false, edit: () => answer };
    const ended = await liar.call(...transfer('9'));
    expect([ended.code, errorIn(ended).code]).toEqual([4, 'operation_contradicted']);
    await desk.fails(3, 'operation_happened', 'alice', ...transfer('9'));
  });

  it('that moves twice of what was asked for says so', async () => {
    liar.lie = {
      method: 'POST',
      path: TRANSFER,
      times: 1,
      edit: async (answer) => {
        const elsewhere = mkdtempSync(join(tmpdir(), 'tidewire-elsewhere-'));
        await callCli([...transfer('11'), '--config', join(desk.folder, 'c.yaml')], elsewhere, { env: keys() });
        rmSync(elsewhere, { recursive: true });
        return answer;
      },
    };
    const { code, stderr } = await liar.call(...transfer('11'));
    expect([code, stderr.includes('funding changed by -22 USDT, not by -11')]).toEqual([0, true]);
  });
});

describe('a withdrawal', () => {
  const add = ['wallet', 'book', 'add', 'cold', '--currency', 'USDT', '--network', 'TRC20', '--yes'];
  beforeAll(async () => {
    await desk.json('alice', ...add, '--address', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE');
    desk.running.advance(DAY_MS);
  });

  it.each([
    ['another address', { address: 'TEvil00000' }, 'operation_unknown', 'another address'],
    ['a memo that was not given', { memo: '5' }, 'operation_unknown', 'another memo'],
    ['a higher fee', { fee: '900' }, 'operation_contradicted', 'a fee of 900 USDT, not 1'],
  ])('that is answered with %s is exit 4', async (_what, change, code, said) => {
    liar.lie = { method: 'POST', path: WITHDRAW, times: 1, edit: (answer) => ({ ...answer, ...change }) };
    const env = { ...keys() };
    const argv = [
      'wallet',
      'withdraw',
      'USDT',
      '20',
      '--to',
      'cold',
      '--network',
      'TRC20',
      '--yes',
      '--again',
      '--json',
    ];
    const ended = await callCli([...argv, '--config', liar.config], desk.folder, { env });
    expect([ended.code, errorIn(ended).code]).toEqual([4, code]);
    expect(errorIn(ended).message).toContain(said);
  });
});

it('a cancellation that is answered as done while the withdrawal stands is exit 4, and may be tried again', async () => {
  const to = ['--to', 'cold', '--network', 'TRC20', '--yes', '--json', '--config', 'c.yaml'];
  const made = await callCli(['wallet', 'withdraw', 'USDT', '22', ...to], desk.folder, { env: keys() });
  const { transactionId: id } = JSON.parse(made.stdout) as { transactionId: string };
  const path = `/api/v1/wallet/create-crypto-out/${id}`;
  const edit = (): Json => ({ transactionId: id, status: 'canceled' });
  liar.lie = { method: 'DELETE', path, times: 1, reaches: false, edit };
  const ended = await liar.call('wallet', 'cancel', id, '--yes');
  expect([ended.code, errorIn(ended).code]).toEqual([4, 'operation_contradicted']);
  expect(errorIn(ended).message).toContain('shows it as submitted');
  expect(await desk.json('alice', 'wallet', 'cancel', id, '--yes')).toMatchObject({ status: 'canceled' });
});

it('a balance that comes twice is not counted twice', async () => {
  const doubled = (answer: Json | null): unknown => {
    const rows = answer as unknown as readonly Json[];
    return [...rows, rows[0]];
  };
  liar.lie = { method: 'GET', path: BALANCES, times: 1, edit: doubled };
  const { code, stdout } = await liar.call('account', 'overview');
  expect([code, errorIn({ code, stdout, stderr: '' }).message]).toEqual([4, expect.stringContaining('comes twice')]);
});

it('a code that is answered for nobody, and was asked for somebody, is exit 4', async () => {
  liar.lie = { method: 'POST', path: CODE, times: 1, edit: (answer) => ({ ...answer, recipient: null }) };
  const ended = await liar.call('codes', 'create', 'USDT', '12', '--for', 'bob', '--yes');
  expect([ended.code, errorIn(ended).code]).toEqual([4, 'operation_unknown']);
  expect(errorIn(ended).message).toContain('codes show');
});
