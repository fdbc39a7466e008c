/** `wallet book add` took an address of Ethereum for Tron, or one with a broken checksum, and a withdrawal went there. */
import { describe, expect, it } from 'vitest';
import { issuedAddress, wrongAddress } from '../../src/exchange/wire/money/address-form.ts';
import { openBook, sealBook } from '../../src/session/address-book/book.ts';
import { writeBook } from '../../src/session/address-book/store.ts';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { join } from 'node:path';
import { documentOf, errorOf } from '../e2e/cli.ts';
import { openCustomer } from '../cli/operations/customer.ts';

const VITALIK = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const TETHER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const SEGWIT = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4';

/** Of EIP-55, BIP 173, BIP 350, and of the chains themselves. */
const right: readonly (readonly [string, string])[] = [
  ['ERC20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['ERC20', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['BEP20', '0xde709f2102306220921060314715629080e2fb77'],
  ['POLYGON', VITALIK],
  ['TRC20', TETHER],
  ['BTC', SEGWIT],
  ['BTC', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
  ['BTC', 'BC1SW50QGDZ25J'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['SOL', 'anything'],
];
const wrong: readonly (readonly [string, string])[] = [
  ['TRC20', VITALIK],
  ['TRC20', SEGWIT],
  ['TRC20', TETHER.replace('6t', '6u')],
  ['TRC20', TETHER.slice(0, -1)],
  ['ERC20', TETHER],
  ['ERC20', '0x5290'],
  ['ARBITRUM', VITALIK.replace('45', '46')],
  ['ERC20', VITALIK.replace('dA', 'da')],
  ['BTC', VITALIK],
  ['BTC', SEGWIT.toLowerCase().replace('v8f3t4', 'v8f3t5')],
  ['BTC', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
  ['BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['BTC', TETHER],
];

describe('forms of addresses', () => {
  it.each(right)('%s may be sent to %s', (network, address) => expect(wrongAddress(network, address)).toBeNull());
  it.each(wrong)('%s cannot be sent to %s', (network, address) =>
    expect(wrongAddress(network, address)).not.toBeNull(),
  );
  it.each(['ERC20', 'TRC20', 'BTC'])('what the sandbox issues on %s has the form', (network) => {
    const address = issuedAddress(network, new Uint8Array(20).fill(0xa7));
    expect([address === null, wrongAddress(network, address ?? '')]).toEqual([false, null]);
  });
});

it('wallet book add/only what can be an address of the network', async () => {
  const customer = await openCustomer();
  const add = (network: string, address: string) =>
    customer.call([
      'wallet',
      'book',
      'add',
      `to-${network}`,
      '--currency',
      'USDT',
      '--network',
      network,
      '--address',
      address,
      '--yes',
    ]);
  for (const [network, address] of [
    ['TRC20', VITALIK],
    ['ERC20', '0x5290'],
  ] as const) {
    const refused = await add(network, address);
    expect([refused.code, errorOf(refused).code]).toEqual([2, 'address_invalid']);
    expect(errorOf(refused).message).toContain(`${address} is no address of ${network}`);
  }
  const issued = documentOf<{ address: string }>(
    await customer.call(['wallet', 'new-address', 'USDT', '--network', 'TRC20']),
  );
  const taken = await add('TRC20', issued.address);
  expect([taken.code, taken.stderr.includes('was not checked')]).toEqual([0, false]);
  const unknown = await add('TON', 'UQanything');
  expect([unknown.code, unknown.stderr]).toEqual([
    0,
    expect.stringContaining('the form of addresses on TON is not known'),
  ]);
  expect(unknown.stderr).toContain('often needs a memo');
});

it('wallet withdraw/not to an address that an older book holds in a wrong form', async () => {
  const customer = await openCustomer();
  const { publicKey, secretKey } = customer.user.apiKey;
  const credentials = createCredentials(publicKey, secretKey);
  const entry = {
    name: 'cold',
    currency: 'USDT',
    network: 'TRC20',
    address: VITALIK,
    memo: null,
    addedAt: 0,
    delayHours: 0,
  };
  expect(openBook(sealBook([entry], credentials), credentials, 'book')).toEqual([entry]);
  expect((await customer.call(['wallet', 'book', 'list'])).code).toBe(0);
  writeBook(join(customer.cwd, 'data/address-book.json'), [entry], credentials);
  const call = ['wallet', 'withdraw', 'USDT', '25', '--to', 'cold', '--network', 'TRC20', '--yes'];
  const refused = await customer.call(call, { env: { TIDEWIRE_2FA_CODE: undefined } });
  expect([refused.code, errorOf(refused).code]).toEqual([2, 'address_invalid']);
  expect(customer.written().size).toBeGreaterThan(0);
});
