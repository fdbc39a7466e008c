/** What `doctor` says of a key and a login, against a sandbox. */
import { expect, it } from 'vitest';
import type { Permission } from '../../src/exchange/interface/permissions.ts';
import type { Check } from '../../src/operations/doctor.ts';
import { documentOf } from '../e2e/cli.ts';
import { openCustomer, type Customer } from './operations/customer.ts';

interface Said {
  readonly exit: number | null;
  readonly state: string;
  readonly of: (name: string) => Check | undefined;
}

async function said(customer: Customer, env: Readonly<Record<string, string>>): Promise<Said> {
  const ended = await customer.call(['doctor'], { env });
  const { checks, state } = documentOf<{ readonly checks: readonly Check[]; readonly state: string }>(ended);
  return { exit: ended.code, state, of: (name) => checks.find((check) => check.name === name) };
}

/** The environment of a new key with these permissions. */
function keyWith(customer: Customer, digit: string, permissions: readonly Permission[]): Record<string, string> {
  const { identity } = customer.sandbox.sandbox.exchange;
  const user = identity.userByLogin(customer.user.login);
  if (user === undefined) throw new Error('there is no such user');
  const pair = { publicKey: `a${digit}`.padEnd(64, '0'), secretKey: `b${digit}`.padEnd(64, '1') };
  identity.keys.issue(user.userId, { name: digit, permissions, ipAddresses: ['127.0.0.1'] }, pair, Date.now());
  return { TIDEWIRE_API_KEY: pair.publicKey, TIDEWIRE_API_SECRET: pair.secretKey };
}

const trading: readonly Permission[] = [{ category: 'trading_spot', accessLevel: 'full' }];

it('a key that may trade and nothing else is right, and with a login that is the whole of it', async () => {
  const customer = await openCustomer();
  const key = keyWith(customer, '1', trading);
  const alone = (await said(customer, key)).of('key rights');
  expect(alone).toMatchObject({ state: 'ok', text: expect.stringContaining('visible only to a login') });
  const whole = await said(customer, { ...key, ...customer.login() });
  expect(whole).toMatchObject({ exit: 0, state: 'ok' });
  expect(whole.of('login')).toMatchObject({ state: 'ok' });
  expect(whole.of('key rights')).toMatchObject({ state: 'ok', text: 'the key may trade, and nothing else' });
});

it('a key that could move money is a warning, which a login makes precise', async () => {
  const customer = await openCustomer();
  const alone = await said(customer, {});
  expect(alone).toMatchObject({ exit: 0, state: 'warn' });
  expect(alone.of('key rights')?.text).toContain('should not be able to withdraw');
  expect(alone.of('login')).toBeUndefined();
  const whole = (await said(customer, customer.login())).of('key rights');
  for (const category of ['fiat_processing', 'transfer', 'p2p'])
    expect(whole?.text).toContain(`full ${category} permission`);
  expect(whole?.hint).toContain('tidewire keys create');
});

it('a key that may not trade fails, and so does a login that the exchange refuses; neither says a secret', async () => {
  const customer = await openCustomer();
  const none = await said(customer, keyWith(customer, '2', [{ category: 'transfer', accessLevel: 'full' }]));
  expect(none).toMatchObject({ exit: 1, state: 'fail' });
  expect(none.of('key rights')).toMatchObject({ state: 'fail', text: expect.stringContaining('trading_spot') });
  const wrong = await said(customer, { ...customer.login(), TIDEWIRE_PASSWORD: 'not the one' });
  expect(wrong.exit).toBe(1);
  expect(wrong.of('login')).toMatchObject({ state: 'fail', hint: expect.stringContaining('TIDEWIRE_PASSWORD') });
  expect(wrong.of('login')?.text).not.toContain('not the one');
  expect(wrong.of('key rights')?.state).toBe('warn');
});

it('says what the side of own trades means, by orders of the past that rested and were filled', async () => {
  const customer = await openCustomer();
  const { sandbox } = customer.sandbox;
  const buysAndSells = (): void => {
    for (const [login, side] of [
      [customer.user.login, 'buy'],
      ['bob', 'sell'],
    ] as const)
      sandbox.operate((now) => {
        const trader = sandbox.exchange.identity.userByLogin(login)?.trader;
        if (trader === undefined) throw new Error(`no user ${login}`);
        const terms = { type: 'limit', timeInForce: 'gtc', price: '60000', quantity: '0.01' } as const;
        sandbox.exchange.placeSpot(trader, { symbol: 'BTCUSDT', side, ...terms }, now);
      });
  };
  const check = async (): Promise<Check | undefined> => (await said(customer, {})).of('own trades');
  expect(await check()).toMatchObject({ state: 'ok', text: expect.stringContaining('no order of the last week') });
  buysAndSells();
  expect(await check()).toMatchObject({
    state: 'ok',
    text: 'exchange.ownTradeSide is own; trades of the last week that agree: 1',
  });
  await customer.faults([{ match: {}, fault: 'takerSide' }]);
  const wrong = await said(customer, {});
  expect(wrong.exit).toBe(1);
  expect(wrong.of('own trades')).toMatchObject({ state: 'fail', hint: 'Set exchange.ownTradeSide to taker.' });
});
