/** `tidewire wallet`: the address book with its delay, and withdrawals that are never doubled. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf, type Ended } from '../../e2e/cli.ts';
import { openCustomer, type Customer } from './customer.ts';

const DAY_MS = 24 * 3_600_000;
const BOOK = 'data/address-book.json';
const PATH = '/api/v1/wallet/create-and-submit-crypto-out';
const add = [
  'wallet',
  'book',
  'add',
  'cold',
  '--currency',
  'USDT',
  '--network',
  'TRC20',
  '--address',
  'TA4Wt1DUCqz6YegbnsmqsWC5uUfbdBqPxm',
  '--yes',
];
const withdraw = ['wallet', 'withdraw', 'USDT', '25', '--to', 'cold', '--network', 'TRC20'];

interface Row {
  readonly transactionId: string;
  readonly status: string;
}

async function history(customer: Customer): Promise<readonly Row[]> {
  const page = await customer.get('/api/v1/wallet/transactions/list/my?type=withdrawal');
  return (page as { items: readonly Row[] }).items;
}

function end(ended: Ended): readonly [number | null, string] {
  return [ended.code, errorOf(ended).code];
}

/** A customer with an address that is old enough. */
async function settled(): Promise<Customer> {
  const customer = await openCustomer();
  const added = await customer.call(add);
  expect(added.code, added.stderr).toBe(0);
  customer.sandbox.advance(DAY_MS);
  return customer;
}

describe('the address book', () => {
  it('holds the only addresses that money may go to, after a day, on their own network', async () => {
    const customer = await openCustomer();
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([3, 'address_not_in_book']);
    const unasked = await customer.call(add.slice(0, -1));
    expect(end(unasked)).toEqual([3, 'not_confirmed']);
    expect(documentOf(await customer.call(add))).toMatchObject({ name: 'cold', delayHours: 24 });
    expect(end(await customer.call(add))).toEqual([2, 'address_invalid']);
    const noSuchNetwork = [...add.slice(0, 3), 'warm', ...add.slice(4, 7), 'SOL', ...add.slice(8)];
    expect(end(await customer.call(noSuchNetwork))).toEqual([2, 'operation_invalid']);

    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([3, 'address_too_new']);
    customer.sandbox.advance(DAY_MS - 60_000);
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([3, 'address_too_new']);
    customer.sandbox.advance(60_000);
    const otherNetwork = [...withdraw.slice(0, -1), 'ERC20', '--yes'];
    expect(end(await customer.call(otherNetwork))).toEqual([3, 'address_not_in_book']);
    const otherCurrency = [...withdraw.slice(0, 2), 'BTC', ...withdraw.slice(3), '--yes'];
    expect(end(await customer.call(otherCurrency))).toEqual([3, 'address_not_in_book']);
    expect(await history(customer)).toEqual([]);

    const list = documentOf(await customer.call(['wallet', 'book', 'list']));
    expect(list).toMatchObject({ items: [{ name: 'cold', usable: true }] });
    expect((await customer.call(['wallet', 'book', 'remove', 'cold'])).code).toBe(0);
    expect(end(await customer.call(['wallet', 'book', 'remove', 'cold']))).toEqual([2, 'operation_invalid']);
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([3, 'address_not_in_book']);
  });

  it('is not used when something else changed it, and starts anew with another key', async () => {
    const customer = await settled();
    const path = join(customer.cwd, BOOK);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('TA4Wt1DUCqz6YegbnsmqsWC5uUfbdBqPxm', 'TA9pkx4DFxrEw8JZzUtyDrh2uAat1LDuJL'));
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([5, 'address_book_damaged']);
    writeFileSync(path, text);
    chmodSync(path, 0o666);
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([3, 'owner_file_open']);
    chmodSync(path, 0o600);

    const create = ['keys', 'create', '--name', 'new', '--permission', 'crypto_processing=full'];
    const made = await customer.call([...create, '--ip', '127.0.0.1', '--print', '--yes'], { env: customer.login() });
    const { publicKey, secretKey } = documentOf<{ publicKey: string; secretKey: string }>(made);
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
    expect(end(await customer.call([...withdraw, '--yes'], { env }))).toEqual([3, 'address_book_other_key']);
    const reseal = ['wallet', 'book', 'reseal', '--yes'];
    expect(end(await customer.call(reseal, { env }))).toEqual([2, 'prompt_impossible']);
    expect((await customer.call(reseal, { env: { ...env, ...customer.login() } })).code).toBe(0);
    expect(end(await customer.call([...withdraw, '--yes'], { env }))).toEqual([3, 'address_too_new']);
    expect(await history(customer)).toEqual([]);
  });
});

describe('a withdrawal', () => {
  it('shows what it will do, checks what can be known, and can be taken back', async () => {
    const customer = await settled();
    const asked = await customer.call(withdraw);
    expect(end(asked)).toEqual([3, 'not_confirmed']);
    for (const said of [
      'alice',
      'TA4Wt1DUCqz6YegbnsmqsWC5uUfbdBqPxm',
      'cold',
      '1 USDT on top, 26 USDT in all',
      '100000 -> 99974',
    ]) {
      expect(asked.stderr).toContain(said);
    }
    const small = await customer.call([...withdraw.slice(0, 3), '9.99', ...withdraw.slice(4), '--yes']);
    expect([small.code, errorOf(small).details]).toEqual([
      1,
      expect.objectContaining({ code: 'below_minimum', field: 'amount' }),
    ]);
    const large = await customer.call([...withdraw.slice(0, 3), '100000', ...withdraw.slice(4), '--yes']);
    expect([large.code, errorOf(large).details?.['code']]).toEqual([1, 'insufficient_balance']);
    for (const amount of ['0', '-1', '1e3', 'ten', '']) {
      const wrong = await customer.call([...withdraw.slice(0, 3), '--yes', ...withdraw.slice(4), '--', amount]);
      expect([amount, wrong.code]).toEqual([amount, 2]);
    }
    const noCode = await customer.call([...withdraw, '--yes'], { env: { TIDEWIRE_2FA_CODE: undefined } });
    expect(end(noCode)).toEqual([2, 'prompt_impossible']);
    const badCode = await customer.call([...withdraw, '--yes'], { env: { TIDEWIRE_2FA_CODE: '000000' } });
    expect([badCode.code, errorOf(badCode).details?.['code']]).toEqual([1, 'two_factor_invalid']);
    expect(await history(customer)).toEqual([]);

    const done = await customer.call([...withdraw, '--yes']);
    const { transactionId } = documentOf<Row>(done);
    expect(documentOf(done)).toMatchObject({ status: 'submitted', amount: '25', fee: '1', to: 'cold' });
    const cancel = ['wallet', 'cancel', transactionId, '--yes'];
    expect(documentOf(await customer.call(cancel))).toMatchObject({ transactionId, status: 'canceled' });
    const twice = await customer.call(cancel);
    expect([twice.code, errorOf(twice).details?.['code']]).toEqual([1, 'illegal_transition']);
    const listed = documentOf(await customer.call(['wallet', 'history']));
    expect(listed).toMatchObject({ complete: true, items: [{ transactionId, status: 'canceled' }] });
  });

  it('that was killed between intent and answer is not repeated by the next call', async () => {
    const customer = await settled();
    const gateway = await customer.heldBack(PATH);
    const killed = customer.begin([...withdraw, '--yes'], { env: { TIDEWIRE_EXCHANGE_GATEWAY_URL: gateway.url } });
    await killed.during('the answer of the exchange', () => (gateway.held() > 0 ? true : undefined));
    await killed.signal('SIGKILL');
    const [row] = await history(customer);

    const known = await customer.call([...withdraw, '--yes']);
    expect(end(known)).toEqual([3, 'operation_happened']);
    expect(errorOf(known).message).toContain(row!.transactionId);
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([3, 'operation_happened']);
    expect(await history(customer)).toHaveLength(1);

    expect((await customer.call([...withdraw, '--yes', '--again'])).code).toBe(0);
    expect(await history(customer)).toHaveLength(2);
    expect((await customer.call([...withdraw, '--yes'])).code).toBe(0);
    expect(await history(customer)).toHaveLength(3);
  });

  it('whose answer was lost says what is known, and one that never came may be repeated once that is proved', async () => {
    const customer = await settled();
    await customer.faults([{ match: { path: PATH }, fault: 'drop', times: 1 }]);
    const lost = await customer.call([...withdraw, '--yes']);
    expect(end(lost)).toEqual([4, 'operation_unknown']);
    expect(errorOf(lost).message).toContain('wallet history');
    expect([(await customer.call([...withdraw, '--yes'])).code, await history(customer)]).toEqual([3, []]);
    const unresolved = documentOf<{ items: readonly { intentId: string }[] }>(
      await customer.call(['money', 'list', '--unresolved']),
    );
    expect(unresolved.items).toHaveLength(1);
    // The exchange would not take the request any more, but its lists may lag.
    customer.sandbox.advance(60_000);
    const early = await customer.call([...withdraw, '--yes']);
    expect([early.code, errorOf(early).message]).toEqual([3, expect.stringContaining('or not show it yet')]);
    customer.sandbox.advance(60_000);
    const repeated = await customer.call([...withdraw, '--yes']);
    expect(repeated.code, repeated.stderr).toBe(0);
    expect(repeated.stderr).toContain('did not happen');
    expect(await history(customer)).toHaveLength(1);
  });

  it('can be decided on by a human who looked', async () => {
    const customer = await settled();
    await customer.faults([{ match: { path: PATH }, fault: 'drop', times: 1 }]);
    await customer.call([...withdraw, '--yes']);
    const { items } = documentOf<{ items: readonly { intentId: string }[] }>(await customer.call(['money', 'list']));
    const decide = ['money', 'decide', items[0]!.intentId, '--reason', 'support says so', '--verdict'];
    expect(end(await customer.call([...decide, 'absent']))).toEqual([3, 'not_confirmed']);
    expect((await customer.call([...decide, 'absent', '--yes'])).code).toBe(0);
    expect(end(await customer.call([...decide, 'absent', '--yes']))).toEqual([2, 'operation_invalid']);
    expect((await customer.call([...withdraw, '--yes'])).code).toBe(0);
  });

  it('is not sent without a network', async () => {
    const customer = await settled();
    await customer.sandbox.stop();
    expect(end(await customer.call([...withdraw, '--yes']))).toEqual([4, 'exchange_unreachable']);
  });
});

describe('deposit addresses', () => {
  it('are issued and listed with their network', async () => {
    const customer = await openCustomer();
    const none = documentOf(await customer.call(['wallet', 'addresses', '--currency', 'btc']));
    expect(none).toMatchObject({ items: [{ currency: 'BTC', network: 'BTC', address: null }] });
    const issued = documentOf(await customer.call(['wallet', 'new-address', 'USDT', '--network', 'TON']));
    const { address, memo } = issued as { address: string; memo: string };
    expect(memo).not.toBe('');
    const listed = documentOf(await customer.call(['wallet', 'addresses', '--network', 'TON']));
    expect(listed).toMatchObject({ items: [{ currency: 'USDT', network: 'TON', address, memo }] });
    const wrong = await customer.call(['wallet', 'new-address', 'USDT', '--network', 'BTC']);
    expect([wrong.code, errorOf(wrong).details]).toEqual([
      1,
      expect.objectContaining({ code: 'bad_request', field: 'network' }),
    ]);
    const currencies = documentOf(await customer.call(['wallet', 'currencies', '--currency', 'ETH']));
    expect(currencies).toMatchObject({ items: [{ currency: 'ETH', networks: [{ network: 'ERC20' }] }] });
    const networks = documentOf(await customer.call(['wallet', 'networks']));
    expect(networks).toMatchObject({
      complete: true,
      items: expect.arrayContaining([{ network: 'TRC20', title: 'Tron' }]),
    });
  });
});
