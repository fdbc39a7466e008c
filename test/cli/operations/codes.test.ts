/** `tidewire codes`: money for whoever knows a text, which stands nowhere but in one answer. */
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../e2e/cli.ts';
import { openCustomer, type Customer } from './customer.ts';

const CREATE = '/api/v1/code/create-api';
const REDEEM = '/api/v1/code/redeem';

interface Code {
  readonly codeId: string;
  readonly code: string;
}

function bob({ sandbox }: Customer): Record<string, string> {
  const { publicKey, secretKey } = sandbox.users[1]!.apiKey;
  return { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
}

function expectNowhere(customer: Customer, secrets: readonly string[]): void {
  const files = customer.written();
  expect([...files.keys()].some((name) => name.endsWith('journal.db'))).toBe(true);
  for (const [name, text] of files) for (const secret of secrets) expect(text.includes(secret), name).toBe(false);
}

describe('a code', () => {
  it('is created once asked for, shown once, redeemed once, and in no file', async () => {
    const customer = await openCustomer();
    const wish = ['codes', 'create', 'USDT', '25', '--for', 'bob', '--comment', 'lunch'];
    const unasked = await customer.call(wish);
    expect([unasked.code, errorOf(unasked).code]).toEqual([3, 'not_confirmed']);
    expect(unasked.stderr).toContain('100000 -> 99975 USDT');
    const made = await customer.call([...wish, '--yes']);
    const { codeId, code } = documentOf<Code>(made);
    expect(made.stdout.split(code)).toHaveLength(2);
    expect(made.stderr).not.toContain(code);

    const [mine, shown, revealed] = await Promise.all([
      customer.call(['codes', 'my', '--active']),
      customer.call(['codes', 'show', codeId]),
      customer.call(['codes', 'show', codeId, '--secret']),
    ]);
    expect(documentOf(mine)).toMatchObject({
      complete: true,
      items: [{ codeId, status: 'active', recipient: 'bob', comment: 'lunch' }],
    });
    expect(mine.stdout + shown.stdout).not.toContain(code);
    expect(documentOf(revealed)).toMatchObject({ codeId, code });

    const redeem = (input: string, env: Record<string, string>) =>
      customer.call(['codes', 'redeem', '--yes'], { input, env });
    const own = await redeem(`${code}\n`, {});
    expect([own.code, errorOf(own).details?.['code']]).toEqual([1, 'not_owner']);
    const redeemed = await redeem(`${code}\n`, bob(customer));
    expect(documentOf(redeemed)).toMatchObject({ command: 'codes redeem', codeId, amount: '25', status: 'activated' });
    const twice = await redeem(code, bob(customer));
    expect([twice.code, errorOf(twice).details?.['code']]).toEqual([1, 'code_already_activated']);
    for (const ended of [own, redeemed, twice]) expect(ended.stdout + ended.stderr).not.toContain(code);
    const { user } = customer;
    expectNowhere(customer, [code, user.password, user.auth2faSecret, user.apiKey.secretKey]);
  });

  it('is listed by one state or all, not by two states that exclude each other', async () => {
    const customer = await openCustomer();
    const both = await customer.call(['codes', 'my', '--active', '--activated']);
    expect([both.code, errorOf(both).code]).toEqual([2, 'usage']);
  });

  it.each(['', '\n', 'two words\n', 'a\nb\n', 'x'.repeat(300)])('is not read from %j', async (input) => {
    const customer = await openCustomer();
    const ended = await customer.call(['codes', 'redeem', '--yes'], { input });
    expect([ended.code, errorOf(ended).code]).toEqual([2, 'prompt_answer']);
  });

  it('that was made unseen is told, found again, and made a second time only on purpose', async () => {
    const customer = await openCustomer();
    const wish = ['codes', 'create', 'USDT', '7', '--yes'];
    await customer.faults([{ match: { path: CREATE }, fault: 'dropAfterEffect', times: 1 }]);
    const unseen = await customer.call(wish);
    expect([unseen.code, errorOf(unseen).code]).toEqual([4, 'operation_unknown']);
    expect(errorOf(unseen).message).toContain('IT HAPPENED');
    const repeat = await customer.call(wish);
    expect([repeat.code, errorOf(repeat).code]).toEqual([3, 'operation_happened']);
    const { receipt } = errorOf(repeat).details as { receipt: { id: string } };
    const found = documentOf<Code>(await customer.call(['codes', 'show', receipt.id, '--secret']));
    expect(found.code).toMatch(/^[0-9a-f]{32}$/);
    expect(documentOf<{ items: unknown[] }>(await customer.call(['codes', 'my'])).items).toHaveLength(1);
    expect((await customer.call([...wish, '--again'])).code).toBe(0);
    expect(documentOf<{ items: unknown[] }>(await customer.call(['codes', 'my'])).items).toHaveLength(2);
  });

  it('that was redeemed unseen is not redeemed again', async () => {
    const customer = await openCustomer();
    const { code, codeId } = documentOf<Code>(await customer.call(['codes', 'create', 'USDT', '7', '--yes']));
    await customer.faults([{ match: { path: REDEEM }, fault: 'dropAfterEffect', times: 1 }]);
    const unseen = await customer.call(['codes', 'redeem', '--yes'], { input: code });
    expect([unseen.code, errorOf(unseen).code]).toEqual([4, 'operation_unknown']);
    const repeat = await customer.call(['codes', 'redeem', '--yes'], { input: code });
    expect(repeat.code).toBe(3);
    const shown = documentOf(await customer.call(['codes', 'show', codeId]));
    expect(shown).toMatchObject({ status: 'activated', activatedBy: 'alice' });
    expectNowhere(customer, [code]);
  });

  it('costs what is there, in an amount that is one', async () => {
    const customer = await openCustomer();
    const dear = await customer.call(['codes', 'create', 'USDT', '100000.01', '--yes']);
    expect([dear.code, errorOf(dear).details]).toEqual([
      1,
      expect.objectContaining({ code: 'insufficient_balance', field: 'amount' }),
    ]);
    const [odd, nobody, missing] = await Promise.all([
      customer.call(['codes', 'create', 'USDT', '1e2', '--yes']),
      customer.call(['codes', 'create', 'USDT', '1', '--for', 'carol', '--yes']),
      customer.call(['codes', 'show', '999']),
    ]);
    expect([odd.code, errorOf(odd).code]).toEqual([2, 'operation_invalid']);
    expect([nobody.code, errorOf(nobody).details?.['field']]).toEqual([1, 'recipient']);
    expect([missing.code, errorOf(missing).details?.['code']]).toEqual([1, 'code_not_found']);
  });

  it('needs an exchange that is there, and a key that may', async () => {
    const customer = await openCustomer();
    const nowhere = {
      TIDEWIRE_EXCHANGE_BASE_URL: 'http://127.0.0.1:1',
      TIDEWIRE_EXCHANGE_GATEWAY_URL: 'http://127.0.0.1:1',
    };
    const embedded = {
      TIDEWIRE_EXCHANGE_BASE_URL: 'sandbox',
      TIDEWIRE_EXCHANGE_GATEWAY_URL: 'sandbox',
      TIDEWIRE_EXCHANGE_WS_URL: 'sandbox',
    };
    const create = ['keys', 'create', '--name', 'weak', '--permission', 'trading_spot=full', '--print', '--yes'];
    const weak = documentOf<{ publicKey: string; secretKey: string }>(
      await customer.call(create, { env: customer.login() }),
    );
    const weakKey = { TIDEWIRE_API_KEY: weak.publicKey, TIDEWIRE_API_SECRET: weak.secretKey };
    const [unreachable, none, keyless, refused] = await Promise.all([
      customer.call(['codes', 'my'], { env: nowhere }),
      customer.call(['codes', 'my'], { env: embedded }),
      customer.call(['codes', 'my'], { env: { TIDEWIRE_API_KEY: undefined } }),
      customer.call(['codes', 'my'], { env: weakKey }),
    ]);
    expect([unreachable.code, errorOf(unreachable).code]).toEqual([4, 'exchange_unreachable']);
    expect([none.code, errorOf(none).code]).toEqual([2, 'operation_needs_exchange']);
    expect([keyless.code, errorOf(keyless).code]).toEqual([2, 'no_api_key']);
    expect([refused.code, errorOf(refused).details?.['code']]).toEqual([1, 'insufficient_permissions']);
  });
});
