/** `tidewire keys`, from a login to a key file that every command uses. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NONCE_BYTES, SALT_BYTES, sealKey } from '../../../src/session/key-file/format.ts';
import { writeOwnerFile } from '../../../src/session/store/owner-file.ts';
import { documentOf, errorOf } from '../../e2e/cli.ts';
import { openCustomer, PASSPHRASE, withoutKey } from './customer.ts';

const FILE = 'data/keys/default.json';

interface Created {
  readonly publicKey: string;
  readonly secretKey?: string;
  readonly file: string | null;
}

describe('keys', () => {
  it('create stores a key that every command then uses, and that delete ends at once', async () => {
    const customer = await openCustomer();
    const env = { ...withoutKey, TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE };
    const login = { ...env, ...customer.login() };
    const wish = ['keys', 'create', '--name', 'bot', '--permission', 'crypto_processing=full', '--ip', '127.0.0.1'];

    const unasked = await customer.call(wish, { env: login });
    expect(unasked.code).toBe(3);
    expect(errorOf(unasked).code).toBe('not_confirmed');
    expect(unasked.stderr).toContain('crypto_processing=full');

    const ended = await customer.call([...wish, '--yes'], { env: login });
    expect(ended.code, ended.stderr).toBe(0);
    const { publicKey, file, secretKey } = documentOf<Created>(ended);
    expect({ file, secretKey }).toEqual({ file: join(customer.cwd, FILE), secretKey: undefined });
    expect(statSync(join(customer.cwd, FILE)).mode & 0o777).toBe(0o600);

    const used = await customer.call(['codes', 'my'], { env });
    expect(used.code, used.stderr).toBe(0);
    customer.lighten();
    const wrong = await customer.call(['codes', 'my'], {
      env: { ...env, TIDEWIRE_KEY_PASSPHRASE: 'wrong horse battery' },
    });
    expect([wrong.code, errorOf(wrong).code]).toEqual([2, 'key_file_passphrase']);
    const unknown = await customer.call(['codes', 'my'], { env: withoutKey });
    expect([unknown.code, errorOf(unknown).code]).toEqual([2, 'prompt_impossible']);
    expect(errorOf(unknown).message).toContain('TIDEWIRE_KEY_PASSPHRASE');

    const status = documentOf(await customer.call(['keys', 'status'], { env }));
    expect(status).toMatchObject({
      publicKey,
      source: 'file',
      state: 'active',
      account: 'alice',
      name: 'bot',
      permissions: [{ category: 'crypto_processing', accessLevel: 'full' }],
      ipAddresses: ['127.0.0.1'],
      age: { kind: 'endless' },
      warnings: [],
    });

    const deleted = await customer.call(['keys', 'delete', publicKey.slice(0, 12), '--yes'], { env: login });
    expect(documentOf(deleted)).toEqual({ command: 'keys delete', publicKey, name: 'bot' });
    const refused = await customer.call(['keys', 'status'], { env });
    expect(refused.code).toBe(1);
    expect(documentOf(refused)).toMatchObject({ state: 'refused', reason: expect.stringContaining('not active') });

    const secrets = [customer.user.password, customer.user.auth2faSecret, PASSPHRASE];
    for (const [name, text] of customer.written())
      for (const secret of secrets) expect(text, name).not.toContain(secret);
  });

  it('create refuses what the rules of the exchange refuse, before anything is sent', async () => {
    const customer = await openCustomer();
    const env = { ...withoutKey, TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE, ...customer.login() };
    const create = (...more: readonly string[]) =>
      customer.call(['keys', 'create', '--name', 'bot', '--yes', ...more], { env });
    const [needy, unknown, twice, nothing, address, short] = await Promise.all([
      create('--permission', 'p2p=read_only'),
      create('--permission', 'trading_spots=full'),
      create('--permission', 'transfer=full', '--permission', 'transfer=none'),
      create('--permission', 'transfer=none'),
      create('--permission', 'p2p=full', '--ip', '127.0.0'),
      customer.call(['keys', 'create', '--name', 'bot', '--yes', '--permission', 'transfer=full'], {
        env: { ...env, TIDEWIRE_KEY_PASSPHRASE: 'short' },
      }),
    ]);
    expect(needy.code).toBe(1);
    expect(errorOf(needy).details).toMatchObject({ code: 'whitelist_required', field: 'ipAddresses' });
    expect([unknown.code, errorOf(unknown).message]).toEqual([2, expect.stringContaining('trading_spot?')]);
    for (const ended of [twice, nothing, address])
      expect([ended.code, errorOf(ended).code]).toEqual([2, 'operation_invalid']);
    expect([short.code, errorOf(short).code]).toEqual([2, 'key_file_passphrase']);
  });

  it('create ends with what the exchange says to a wrong login or a full house', async () => {
    const customer = await openCustomer();
    const { sandbox, user } = customer;
    const wish = ['keys', 'create', '--name', 'bot', '--permission', 'transfer=full', '--yes', '--print'];
    const env = { ...withoutKey, ...customer.login() };
    const [code, password, nobody] = await Promise.all([
      customer.call(wish, { env: { ...env, TIDEWIRE_2FA_CODE: '000000' } }),
      customer.call(wish, { env: { ...env, TIDEWIRE_PASSWORD: 'guess' } }),
      customer.call(wish, { env: withoutKey }),
    ]);
    expect([code.code, errorOf(code).details?.['code']]).toEqual([1, 'two_factor_invalid']);
    expect([password.code, errorOf(password).details?.['code']]).toEqual([1, 'login_failed']);
    expect([nobody.code, errorOf(nobody).code]).toEqual([2, 'prompt_impossible']);

    const printed = documentOf<Created>(await customer.call(wish, { env }));
    expect(printed).toMatchObject({ file: null, secretKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(customer.written().has(FILE)).toBe(false);

    const { identity } = sandbox.sandbox.exchange;
    const owner = identity.userByLogin(user.login)!;
    for (let count = 3; count <= 10; count++) {
      const pair = { publicKey: String(count).padStart(64, '0'), secretKey: 'ab'.repeat(32) };
      identity.keys.issue(
        owner.userId,
        { name: `k${count}`, permissions: [], ipAddresses: [] },
        pair,
        sandbox.sandbox.now(),
      );
    }
    const full = await customer.call(wish, { env });
    expect([full.code, errorOf(full).details?.['code']]).toEqual([1, 'too_many_keys']);
  });

  it('store tries a key first, and a key file that was opened or changed is not used', async () => {
    const customer = await openCustomer();
    const passphrase = { TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE };
    const mistyped = await customer.call(['keys', 'store'], {
      env: { ...passphrase, TIDEWIRE_API_SECRET: 'ab'.repeat(32) },
    });
    expect([mistyped.code, errorOf(mistyped).details?.['code']]).toEqual([1, 'invalid_signature']);
    const stored = await customer.call(['keys', 'store', '--login'], { env: { ...passphrase, ...customer.login() } });
    expect(documentOf(stored)).toMatchObject({ name: 'full', account: 'alice', ipAddresses: ['127.0.0.1', '::1'] });
    const again = await customer.call(['keys', 'store'], { env: passphrase });
    expect([again.code, errorOf(again).code]).toEqual([3, 'owner_file_exists']);

    customer.lighten();
    const path = join(customer.cwd, FILE);
    const env = { ...withoutKey, ...passphrase };
    chmodSync(path, 0o644);
    const open = await customer.call(['codes', 'my'], { env });
    expect([open.code, errorOf(open).code]).toEqual([3, 'owner_file_open']);
    chmodSync(path, 0o600);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"::1"', '"10.0.0.9"'));
    const changed = await customer.call(['codes', 'my'], { env });
    expect([changed.code, errorOf(changed).code]).toEqual([5, 'key_file_damaged']);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 200));
    const [cut, offline] = await Promise.all([
      customer.call(['codes', 'my'], { env }),
      customer.call(['keys', 'status', '--offline'], { env }),
    ]);
    for (const ended of [cut, offline]) expect([ended.code, errorOf(ended).code]).toEqual([5, 'key_file_damaged']);
  });

  it('status warns of a key that nears its end, without passphrase and network', async () => {
    const customer = await openCustomer();
    const entropy = { salt: Buffer.alloc(SALT_BYTES, 1), nonce: Buffer.alloc(NONCE_BYTES, 2) };
    const aged = async (days: number) => {
      const createdAt = customer.sandbox.sandbox.now() - days * 24 * 3_600_000 - 60_000;
      const facts = { publicKey: 'ab'.repeat(32), name: 'old', account: 'alice', createdAt, permissions: null };
      const about = { ...facts, exchange: customer.sandbox.restUrl, ipAddresses: [] };
      const text = sealKey(about, 'cd'.repeat(32), PASSPHRASE, entropy, 2 ** 14);
      writeOwnerFile(join(customer.cwd, FILE), text, { replace: true });
      const ended = await customer.call(['keys', 'status', '--offline'], { env: withoutKey });
      const { age, warnings } = documentOf<{ age: { kind: string }; warnings: readonly string[] }>(ended);
      return [ended.code, age.kind, warnings.length];
    };
    expect(await aged(75)).toEqual([0, 'fresh', 0]);
    expect(await aged(76)).toEqual([0, 'ageing', 1]);
    expect(await aged(90)).toEqual([1, 'expired', 1]);
    const other = await customer.call(['keys', 'status', '--offline']);
    expect(documentOf(other)).toMatchObject({ source: 'environment', name: null, age: { kind: 'unknown' } });
  });

  it('list takes a token that was got elsewhere, and says when it is none', async () => {
    const customer = await openCustomer();
    const { login, password } = customer.user;
    const body = JSON.stringify({ login, password, auth2fa_code: customer.code() });
    const answer = await fetch(`${customer.sandbox.restUrl}/api/v1/auth/login`, { method: 'POST', body });
    const { token } = (await answer.json()) as { token: string };
    const env = { ...withoutKey, TIDEWIRE_2FA_CODE: undefined };
    const listed = await customer.call(['keys', 'list'], { env: { ...env, TIDEWIRE_JWT: token } });
    expect(documentOf(listed)).toMatchObject({ complete: true, items: [{ name: 'full', status: 'active' }] });
    expect(listed.stdout).not.toContain(customer.user.apiKey.secretKey);
    // Without a key, a login may read what needs none.
    const codes = await customer.call(['codes', 'my'], { env: { ...env, TIDEWIRE_JWT: token } });
    expect(documentOf(codes)).toMatchObject({ items: [] });
    const refused = await customer.call(['keys', 'list'], { env: { ...env, TIDEWIRE_JWT: 'not.a.token' } });
    expect([refused.code, errorOf(refused).details?.['code']]).toEqual([1, 'token_invalid']);
    expect(refused.stdout + refused.stderr).not.toContain('not.a.token');
  });

  it('record and doctor take the key from the key file, and no secret gets into a recording', async () => {
    const customer = await openCustomer();
    const passphrase = { TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE };
    const stored = await customer.call(['keys', 'store'], { env: passphrase });
    expect(stored.code, stored.stderr).toBe(0);
    customer.lighten();
    const env = { ...withoutKey, ...passphrase };
    const [recorded, doctor] = await Promise.all([
      customer.call(['record', '--symbols', 'BTCUSDT', '--for', '1s', '--out', 'rec'], { env }),
      customer.call(['doctor'], { env }),
    ]);
    expect(recorded.code, recorded.stderr).toBe(0);
    expect(documentOf(doctor)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'key', text: 'the key belongs to alice' })]),
    });
    const files = [...customer.written()].filter(([name]) => name.startsWith('rec'));
    expect(files.map(([, text]) => text).join('')).toContain('my-balances');
    for (const [name, text] of files) expect(text, name).not.toContain(customer.user.apiKey.secretKey);
  });
});
