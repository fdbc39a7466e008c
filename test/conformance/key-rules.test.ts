/**
 * Each rule of keys and signatures at work, by its place in the document, with signatures that are also fixed vectors:
 * computed here by hand, checked against their hex, and sent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import { hmac, send, type KeyPair, type RawReply } from './raw-client.ts';
import { witness } from './sightings.ts';

const ME = '/api/v1/auth/me';
const LIST = '/api/v1/identity/client/api-key/list';
const CREATE = '/api/v1/identity/client/api-key/create';
const CODE = '/api/v1/code/create-api';
const DAY = 24 * 3_600_000;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(73);
});
afterAll(() => desk.stop());

interface Change {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly separator?: string;
  readonly secret?: string;
  readonly signedAt?: string;
  readonly sentAt?: string;
}

const BODY = JSON.stringify({ currency: 'USDT', amount: '1' });

/** A request whose signature is right but for `change`. */
function attempt(method: string, path: string, body: string, change: Change = {}): Promise<RawReply> {
  const key = desk.alice;
  const at = change.sentAt ?? String(desk.running.sandbox.now());
  const parts = [change.signedAt ?? at, change.method ?? method, change.path ?? path, change.body ?? body];
  const signature = hmac(change.secret ?? key.secretKey, parts.join(change.separator ?? '\n'));
  const headers = { 'X-API-Key': key.publicKey, 'X-API-Timestamp': at, 'X-API-Signature': signature };
  return send(desk.running.gatewayUrl, method, path, headers, body);
}

async function outcome(reply: Promise<RawReply>): Promise<string> {
  const { status, text } = await reply;
  return status === 200 ? 'ok' : `${status} ${text}`;
}

const INVALID = '401 invalid signature';

describe('fixed vectors', () => {
  const secret = '0123456789abcdef'.repeat(4);
  it.each([
    ['1700000000000\nGET\n/api/v1/auth/me\n', '1e0a667a8da4598092a49990cdd938e4acb4a36546a4595781310e324ea7d10f'],
    [
      `1700000000000\n${'fedcba9876543210'.repeat(4)}`,
      'd3fa31ec9b4662a6a0746c1a3d6f87bcc5bdff3de3ed20901f180e1cb25eefa3',
    ],
  ])('%j', (message, hex) => expect(hmac(secret, message)).toBe(hex));
});

describe('the seven rules of a signature', () => {
  it('message: four parts, each after one LF', async () => {
    expect(await outcome(attempt('POST', CODE, BODY))).toBe('ok');
    expect(await outcome(attempt('POST', CODE, BODY, { separator: '\r\n' }))).toBe(INVALID);
    witness('signature/message');
  });

  it('timestamp: the very text of the header', async () => {
    const now = desk.running.sandbox.now();
    expect(await outcome(attempt('GET', ME, '', { sentAt: `0${now}` }))).toBe('ok');
    expect(await outcome(attempt('GET', ME, '', { sentAt: `0${now}`, signedAt: String(now) }))).toBe(INVALID);
    witness('signature/timestamp');
  });

  it('method: upper case', async () => {
    for (const [method, path] of [
      ['GET', ME],
      ['POST', CODE],
      ['PATCH', '/api/v1/processing/fiat-application'],
      ['DELETE', '/api/v1/wallet/create-crypto-out/none'],
    ] as const) {
      const wrong = attempt(method, path, '', { method: method.toLowerCase() });
      expect([method, await outcome(wrong)]).toEqual([method, INVALID]);
      expect([method, (await attempt(method, path, '')).status]).not.toEqual([method, 401]);
    }
    witness('signature/method');
  });

  it('path: with its query exactly as in the URL', async () => {
    const path = '/api/v1/code/my?activated=false&limit=5';
    expect(await outcome(attempt('GET', path, ''))).toMatch(/^ok/);
    for (const other of ['/api/v1/code/my', '/api/v1/code/my?limit=5&activated=false', `${path}&`]) {
      expect([other, await outcome(attempt('GET', path, '', { path: other }))]).toEqual([other, INVALID]);
    }
    witness('signature/path');
  });

  it('body: byte for byte, the empty string without one', async () => {
    expect(await outcome(attempt('POST', CODE, `${BODY} `))).toBe('ok');
    expect(await outcome(attempt('POST', CODE, `${BODY} `, { body: BODY }))).toBe(INVALID);
    expect(await outcome(attempt('GET', ME, '', { body: '{}' }))).toBe(INVALID);
    witness('signature/body');
  });

  it('key: the hex as text', async () => {
    const bytes = Buffer.from(desk.alice.secretKey, 'hex').toString('latin1');
    expect(await outcome(attempt('GET', ME, '', { secret: bytes }))).toBe(INVALID);
    witness('signature/key');
  });

  it('window: thirty seconds either way', async () => {
    for (const off of [-29_000, 29_000]) {
      expect(await outcome(attempt('GET', ME, '', { sentAt: String(desk.running.sandbox.now() + off) }))).toBe('ok');
    }
    for (const off of [-31_000, 31_000]) {
      const reply = attempt('GET', ME, '', { sentAt: String(desk.running.sandbox.now() + off) });
      expect(await outcome(reply)).toBe('401 timestamp expired');
    }
    witness('signature/window');
  });
});

describe('causes of `invalid signature`', () => {
  const swapped = JSON.stringify({ amount: '1', currency: 'USDT' });
  it.each<[string, Change]>([
    ['lower-case-method', { method: 'post' }],
    ['path', { path: `${CODE}/` }],
    ['body', { body: swapped }],
    ['separator', { separator: '\r\n' }],
    ['decoded-secret', { secret: 'decoded' }],
    ['timestamp', { signedAt: '1700000000000' }],
  ])('%s gives just that refusal', async (id, change) => {
    const bytes = Buffer.from(desk.alice.secretKey, 'hex').toString('latin1');
    const actual = change.secret === undefined ? change : { secret: bytes };
    expect(await outcome(attempt('POST', CODE, BODY, actual))).toBe(INVALID);
    witness(`invalid-signature/${id}`);
  });

  it('body-on-get gives just that refusal, however it is signed', async () => {
    for (const body of ['', '{}']) expect(await outcome(attempt('GET', ME, '{}', { body }))).toBe(INVALID);
    witness('invalid-signature/body-on-get');
  });

  it('clock: over thirty seconds off, it is refused before the signature is looked at', async () => {
    const off = String(desk.running.sandbox.now() - 40_000);
    expect(await outcome(attempt('GET', ME, '', { sentAt: off }))).toBe('401 timestamp expired');
    expect(await outcome(attempt('GET', ME, '', { sentAt: off, secret: 'x' }))).toBe('401 timestamp expired');
    witness('invalid-signature/clock');
  });
});

describe('the seven rules of key issuance', () => {
  const create = async (change: object): Promise<RawReply> => {
    const body = { name: 'k', auth2fa_code: desk.secondFactor(1), permissions: [], ...change };
    return desk.asUser(await desk.login(1), 'POST', CREATE, body);
  };
  const remove = async (key: KeyPair, code = desk.secondFactor(1)): Promise<RawReply> =>
    desk.asUser(await desk.login(1), 'DELETE', `/api/v1/identity/client/api-key/${key.publicKey}`, {
      auth2fa_code: code,
    });

  it('ten active keys, and room again when one is deleted', async () => {
    const made: KeyPair[] = [];
    for (let count = 1; count < 10; count++) made.push((await create({})).json as KeyPair);
    expect((await create({})).json).toMatchObject({ code: 'too_many_keys' });
    expect((await remove(made[0]!)).status).toBe(200);
    const more = await create({});
    expect(more.status).toBe(200);
    for (const key of [...made.slice(1), more.json as KeyPair]) await remove(key);
    witness('key-rule/ten-keys');
  });

  it('a full login alone creates and deletes; an API key with every permission may not', async () => {
    for (const [method, path] of [
      ['POST', CREATE],
      ['DELETE', `/api/v1/identity/client/api-key/${desk.bob.publicKey}`],
      ['GET', LIST],
    ] as const) {
      const reply = await desk.request(desk.bob, method, path, method === 'GET' ? undefined : {});
      expect([method, reply.status, reply.text]).toEqual([method, 401, 'route not allowed for API key access']);
    }
    witness('key-rule/full-login');
  });

  it('creation and deletion are confirmed with a 2FA code', async () => {
    expect((await create({ auth2fa_code: '000000' })).json).toMatchObject({ code: 'two_factor_invalid' });
    expect((await remove(desk.bob, '000000')).json).toMatchObject({ code: 'two_factor_invalid' });
    witness('key-rule/second-factor');
  });

  it('three categories need a whitelist above `none`, the other four do not', async () => {
    for (const [category, needs] of [
      ['fiat_processing', true],
      ['crypto_processing', true],
      ['p2p', true],
      ['trading_spot', false],
      ['trading_futures', false],
      ['transfer', false],
      ['dictionary', false],
    ] as const) {
      for (const accessLevel of ['none', 'read_only', 'full']) {
        const reply = await create({ permissions: [{ category, accessLevel }] });
        const refused = needs && accessLevel !== 'none';
        expect([category, accessLevel, reply.status]).toEqual([category, accessLevel, refused ? 422 : 200]);
        if (refused) expect(reply.json).toMatchObject({ code: 'whitelist_required', field: 'ipAddresses' });
        else await remove(reply.json as KeyPair);
      }
    }
    witness('key-rule/whitelisted-categories');
  });

  it('a key without whitelist lives ninety days, one with a whitelist is for its addresses and does not expire', async () => {
    const permissions = [{ category: 'trading_spot', accessLevel: 'full' }];
    const bare = (await create({ permissions })).json as KeyPair;
    const listed = (await create({ permissions, ipAddresses: ['127.0.0.1'] })).json as KeyPair;
    const foreign = (await create({ permissions, ipAddresses: ['10.0.0.9'] })).json as KeyPair;
    expect((await desk.request(bare, 'GET', ME)).status).toBe(200);
    expect((await desk.request(foreign, 'GET', ME)).text).toBe('ip address not in whitelist');
    await desk.advance(90 * DAY - 60_000);
    expect((await desk.request(bare, 'GET', ME)).status).toBe(200);
    await desk.advance(60_000);
    expect((await desk.request(bare, 'GET', ME)).text).toBe('api key expired');
    await desk.advance(400 * DAY);
    expect((await desk.request(listed, 'GET', ME)).status).toBe(200);
    witness('key-rule/bare-key');
    witness('key-rule/whitelisted-key');
    for (const key of [bare, listed, foreign]) await remove(key);
  });

  it('a deleted key stops at once', async () => {
    const key = (await create({})).json as KeyPair;
    expect((await desk.request(key, 'GET', ME)).status).toBe(200);
    expect((await remove(key)).status).toBe(200);
    expect((await desk.request(key, 'GET', ME)).text).toBe('api key is not active');
    witness('key-rule/deleted-at-once');
  });

  it('refusals are tried in the promised order', async () => {
    const { publicKey } = desk.alice;
    const expired = (await create({})).json as KeyPair;
    const deleted = (await create({})).json as KeyPair;
    await remove(deleted);
    await desk.advance(91 * DAY);
    const foreign = (await create({ ipAddresses: ['10.0.0.9'] })).json as KeyPair;
    const now = (): string => String(desk.running.sandbox.now());
    // Each request is wrong in every later way, too.
    const wrong = { 'X-API-Key': 'short', 'X-API-Timestamp': 'then', 'X-API-Signature': 'x' };
    const steps: readonly [Record<string, string>, string][] = [
      [{ 'X-API-Key': 'short', 'X-API-Timestamp': 'then' }, 'missing X-API-Timestamp or X-API-Signature'],
      [wrong, 'invalid API key format'],
      [{ ...wrong, 'X-API-Key': 'a'.repeat(64) }, 'invalid timestamp format'],
      [{ ...wrong, 'X-API-Key': 'a'.repeat(64), 'X-API-Timestamp': '1' }, 'api key not found'],
      [{ ...wrong, 'X-API-Key': deleted.publicKey, 'X-API-Timestamp': '1' }, 'api key is not active'],
      [{ ...wrong, 'X-API-Key': expired.publicKey, 'X-API-Timestamp': '1' }, 'api key expired'],
      [{ ...wrong, 'X-API-Key': foreign.publicKey, 'X-API-Timestamp': '1' }, 'timestamp expired'],
      [{ ...wrong, 'X-API-Key': foreign.publicKey, 'X-API-Timestamp': now() }, 'ip address not in whitelist'],
      [{ ...wrong, 'X-API-Key': publicKey, 'X-API-Timestamp': now() }, 'invalid signature'],
    ];
    for (const [sent, text] of steps) {
      const reply = await send(desk.running.restUrl, 'POST', CREATE, sent);
      expect([reply.status, reply.text]).toEqual([401, text]);
    }
    const weak = await desk.key(0, {});
    expect((await desk.request(weak, 'POST', CREATE, {})).text).toBe('route not allowed for API key access');
    expect((await desk.request(weak, 'POST', CODE, {})).text).toBe('insufficient permissions for this route');
    witness('sandbox/refusal-order');
  });
});
