/**
 * Logins and API keys (interface, "API key", "Key issuance rules", "Errors"; wire profile, "Details": the order of
 * refusals, what each route needs, codes in their step and the ones beside it).
 */
import { KeySockets } from './key-sockets.ts';
import type { KeyFault, KeysStep } from './keys-step.ts';
import { agree, agreeLines, Mismatch } from './mismatch.ts';
import { picked, type Setting } from './setting.ts';
import { hmac, type KeyPair } from './signing.ts';
import type { Answer, Method, Person } from './world.ts';

type StepOf<Kind extends KeysStep['kind']> = Extract<KeysStep, { readonly kind: Kind }>;

const categories = [
  'trading_spot',
  'trading_futures',
  'transfer',
  'dictionary',
  'fiat_processing',
  'crypto_processing',
  'p2p',
] as const;
const needWhitelist = new Set<string>(['fiat_processing', 'crypto_processing', 'p2p']);
const levelNames = ['none', 'read_only', 'full'] as const;

export interface Key extends KeyPair {
  readonly owner: Person;
  readonly levels: ReadonlyMap<string, number>;
  readonly whitelist: readonly string[];
  readonly createdAt: number;
  state: 'active' | 'blocked' | 'deleted';
}

interface Route {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  /** One of these at this level; `any` key; or closed to keys. */
  readonly needs: readonly string[] | 'any' | 'login';
  readonly level: number;
}

// prettier-ignore
const routes: readonly Route[] = [
  { method: 'GET', path: '/api/v1/auth/me', needs: 'any', level: 0 },
  { method: 'GET', path: '/api/v2/exchange/client/fee/personal', needs: 'any', level: 0 },
  { method: 'GET', path: '/api/v1/accounting/client/report-account/accounts/overview', needs: 'any', level: 0 },
  { method: 'GET', path: '/api/v1/identity/client/api-key/list', needs: 'login', level: 0 },
  { method: 'POST', path: '/api/v1/identity/client/api-key/create', body: { name: 'x' }, needs: 'login', level: 0 },
  { method: 'GET', path: '/api/v2/exchange/client/trade/spot/list/my', needs: ['trading_spot'], level: 1 },
  { method: 'POST', path: '/api/v2/exchange/client/order/spot', body: {}, needs: ['trading_spot'], level: 2 },
  { method: 'GET', path: '/api/v2/exchange/client/positions/list', needs: ['trading_futures'], level: 1 },
  { method: 'GET', path: '/api/v2/exchange/client/order/active', needs: ['trading_spot', 'trading_futures'], level: 1 },
  { method: 'DELETE', path: '/api/v2/exchange/client/order/17', needs: ['trading_spot', 'trading_futures'], level: 2 },
  { method: 'GET', path: '/api/v1/accounting/client/transfer/account/transfer-routes/list', needs: ['transfer'], level: 1 },
  { method: 'POST', path: '/api/v1/accounting/client/transfer/account', body: {}, needs: ['transfer'], level: 2 },
  { method: 'GET', path: '/api/v2/exchange/client/asset/list', needs: ['dictionary'], level: 1 },
  { method: 'GET', path: '/api/v1/currency-network/list?limit=2', needs: ['dictionary'], level: 1 },
  { method: 'POST', path: '/api/v1/processing/fiat-application', body: {}, needs: ['fiat_processing'], level: 2 },
  { method: 'GET', path: '/api/v1/wallet/crypto/address?currency=BTC&network=BTC', needs: ['crypto_processing'], level: 1 },
  { method: 'POST', path: '/api/v1/code/redeem', body: { code: 'x' }, needs: ['crypto_processing'], level: 2 },
  { method: 'GET', path: '/api/v1/p2p/client/market/list', needs: ['p2p'], level: 1 },
  { method: 'POST', path: '/api/v1/p2p/client/trade/start', body: { tradeId: '17' }, needs: ['p2p'], level: 2 },
];

const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 90 * DAY_MS;
const ACTIVE_MAX = 10;
const TOKEN_MS = 3_600_000;
const HOME = '127.0.0.1';
const AWAY = '10.0.0.9';
const ROOT = '/api/v1/identity/client/api-key';

export class KeysModel {
  readonly #setting: Setting;
  readonly #keys: Key[];
  readonly #tokens: { readonly token: string; readonly owner: Person; readonly endsAt: number }[] = [];
  readonly #sockets: KeySockets;

  constructor(setting: Setting) {
    this.#setting = setting;
    const { world, now: createdAt } = setting;
    this.#sockets = new KeySockets(setting);
    const levels = new Map<string, number>(categories.map((category) => [category, 2]));
    this.#keys = world.people.map((owner) => ({
      ...owner.key,
      owner,
      levels,
      createdAt,
      whitelist: [HOME, '::1'],
      state: 'active' as const,
    }));
  }

  take(step: KeysStep): void {
    switch (step.kind) {
      case 'create-key':
        return this.#create(step);
      case 'delete-key':
        return this.#delete(step);
      case 'use-key':
        return this.#use(step);
      case 'open-socket': {
        const key = this.#pick(step.pick);
        return this.#sockets.open(key, step.faults, step.address, this.#doubts(key, step.faults, step.address));
      }
      case 'block-key':
        return this.#block(step);
      case 'log-in':
        return this.#logIn(step);
      case 'use-token':
        return this.#useToken(step);
    }
  }

  /** Before time passes. */
  ping(): void {
    this.#sockets.ping();
  }

  #pick(pick: number): Key {
    return this.#keys[pick % this.#keys.length]!;
  }

  #create({ who, levels, whitelist, bare, steps, by }: StepOf<'create-key'>): void {
    const { world, now: createdAt } = this.#setting;
    const owner = this.#setting.person(who);
    const ipAddresses = { none: [], home: [HOME], away: [AWAY] }[whitelist];
    const wanted = categories.map((category, index) => {
      // Half of the keys without whitelist ask for nothing that needs one.
      const level = bare && whitelist === 'none' && needWhitelist.has(category) ? 0 : (levels[index] ?? 0);
      return [category, level] as const;
    });
    const permissions = wanted.map(([category, level]) => ({ category, accessLevel: levelNames[level] }));
    const body = { name: 'made', auth2fa_code: world.totp(owner, steps), permissions, ipAddresses };
    const answer = this.#call(owner, by, 'POST', `${ROOT}/create`, body);
    let must = this.#doubtFullLogin(by, steps);
    if (must.length === 0) {
      const needs = wanted.some(([category, level]) => level > 0 && needWhitelist.has(category));
      if (needs && ipAddresses.length === 0) must.push('whitelist_required');
      const active = this.#keys.filter((key) => key.owner === owner && key.state === 'active' && !this.#isExpired(key));
      if (active.length >= ACTIVE_MAX) must = [...must, 'too_many_keys'];
    }
    if (!this.#setting.accepted('create-key', answer, must)) return;
    const pair = answer.json as KeyPair;
    const isHex = [pair.publicKey, pair.secretKey].every((text) => /^[0-9a-f]{64}$/.test(text));
    if (!isHex) throw new Mismatch(`a key is not 64 hexadecimal characters: ${answer.text}`);
    if (this.#keys.some((key) => key.publicKey === pair.publicKey)) throw new Mismatch('a public key was made twice');
    this.#keys.push({ ...pair, owner, levels: new Map(wanted), whitelist: ipAddresses, createdAt, state: 'active' });
  }

  #delete({ who, pick, steps, by }: StepOf<'delete-key'>): void {
    const owner = this.#setting.person(who);
    const key = picked(this.#keys, pick);
    // The full keys of the world stay: everything else is asked with them.
    if (key !== undefined && this.#keys.indexOf(key) < this.#setting.world.people.length) return;
    const path = `${ROOT}/${key?.publicKey ?? 'f'.repeat(64)}`;
    const answer = this.#call(owner, by, 'DELETE', path, { auth2fa_code: this.#setting.world.totp(owner, steps) });
    const must = this.#doubtFullLogin(by, steps);
    const isOwn = key !== undefined && key.owner === owner && key.state !== 'deleted';
    if (must.length === 0 && !isOwn) must.push('not_found', 'not_owner');
    if (!this.#setting.accepted('delete-key', answer, must) || key === undefined) return;
    key.state = 'deleted';
  }

  #call(owner: Person, by: 'login' | 'key', method: Method, path: string, body: object): Answer {
    const { world } = this.#setting;
    return by === 'key' ? world.call(owner, method, path, body) : world.callByLogin(owner, method, path, body);
  }

  /** A key never may; the second factor comes before everything else. */
  #doubtFullLogin(by: 'login' | 'key', steps: number): string[] {
    if (by === 'key') return ['route not allowed for API key access'];
    return Math.abs(steps) > 1 ? ['two_factor_invalid'] : [];
  }

  #use({ pick, route: at, faults, address }: StepOf<'use-key'>): void {
    const { world, now } = this.#setting;
    const key = this.#pick(pick);
    const route = routes[at % routes.length]!;
    const body = route.body === undefined ? '' : JSON.stringify(route.body);
    const timestamp = timestampText(faults, now);
    const publicKey = publicKeyText(key, faults);
    const secret = faults.includes('signature') ? 'f'.repeat(64) : key.secretKey;
    const signature = hmac(secret, `${timestamp}\n${route.method}\n${route.path}\n${body}`);
    const headers = {
      'x-api-key': publicKey,
      ...(faults.includes('headers') ? {} : { 'x-api-timestamp': timestamp }),
      'x-api-signature': signature,
    };
    const answer = world.send(route.method, route.path, body, headers, address);
    const [first] = [...this.#doubts(key, faults, address), ...doubtRoute(key, route)];
    const refusals = new Set(Object.values(texts));
    const actual = answer.code !== null && refusals.has(answer.code) ? answer.code : 'authorized';
    this.#setting.count(`use-key: ${actual}`);
    agree(`key on ${route.method} ${route.path}`, actual, first ?? 'authorized');
    if (actual !== 'authorized') agree('status of a key refusal', String(answer.status), '401');
  }

  /** Texts of what is wrong, in the order in which they are tried. */
  #doubts(key: Key, faults: readonly KeyFault[], address: string): string[] {
    const isUnknown = faults.includes('unknown');
    const isOff = faults.includes('late') || faults.includes('early');
    const plain = address.replace('::ffff:', '');
    const doubts: [boolean, string][] = [
      [faults.includes('headers'), texts.headers],
      [faults.includes('format'), texts.format],
      [faults.includes('time-format'), texts.time],
      [isUnknown, texts.unknown],
      [key.state !== 'active', texts.inactive],
      [this.#isExpired(key), texts.expired],
      [isOff, texts.window],
      [key.whitelist.length > 0 && !key.whitelist.includes(plain), texts.address],
      [faults.includes('signature'), texts.signature],
    ];
    return doubts.filter(([applies]) => applies).map(([, text]) => text);
  }

  #isExpired({ whitelist, createdAt }: Key): boolean {
    return whitelist.length === 0 && this.#setting.now >= createdAt + LIFETIME_MS;
  }

  /** The exchange's own measure; there is no operation for it. */
  #block({ pick, blocked }: StepOf<'block-key'>): void {
    const key = this.#pick(pick);
    if (this.#keys.indexOf(key) < this.#setting.world.people.length || key.state === 'deleted') return;
    this.#setting.world.sandbox.exchange.identity.keys.setBlocked(key.publicKey, blocked);
    key.state = blocked ? 'blocked' : 'active';
  }

  #logIn({ who, right, steps }: StepOf<'log-in'>): void {
    const { world } = this.#setting;
    const owner = this.#setting.person(who);
    const password = right ? owner.password : 'wrong';
    const body = JSON.stringify({ login: owner.login, password, auth2fa_code: world.totp(owner, steps) });
    const answer = world.send('POST', '/api/v1/auth/login', body, {});
    const must = right ? [] : ['login_failed'];
    if (Math.abs(steps) > 1) must.push('two_factor_invalid');
    if (!this.#setting.accepted('log-in', answer, must)) return;
    const { token } = answer.json as { readonly token: string };
    this.#tokens.push({ token, owner, endsAt: this.#setting.now + TOKEN_MS });
  }

  #useToken({ pick }: StepOf<'use-token'>): void {
    const known = this.#tokens[pick % Math.max(1, this.#tokens.length)];
    if (known === undefined) return;
    const headers = { authorization: `Bearer ${known.token}` };
    const answer = this.#setting.world.send('GET', '/api/v1/auth/me', '', headers);
    // A JWT counts in whole seconds.
    const isNear = Math.abs(this.#setting.now - known.endsAt) <= 1000;
    const isOver = this.#setting.now >= known.endsAt;
    const doubt = ['token_expired'];
    if (!this.#setting.accepted('use-token', answer, isOver && !isNear ? doubt : [], isNear ? doubt : [])) return;
    agree('user of a token', String((answer.json as { readonly userId: string }).userId), known.owner.userId);
  }

  /** After every step. `settled`: enough time has passed for the exchange to look at its sockets. */
  check(settled: boolean): void {
    for (const person of this.#setting.world.people) {
      const { json, status } = this.#setting.world.callByLogin(person, 'GET', `${ROOT}/list`);
      if (status !== 200) throw new Mismatch(`the keys of ${person.login} cannot be listed`);
      const rows = json as readonly { readonly publicKey: string; readonly status: string }[];
      const actual = new Map(rows.map((row) => [row.publicKey, row.status]));
      const own = this.#keys.filter((key) => key.owner === person && key.state !== 'deleted');
      const expected = new Map(own.map((key) => [key.publicKey, this.#isExpired(key) ? 'expired' : key.state]));
      agreeLines(`keys of ${person.login}`, actual, expected);
    }
    this.#sockets.check(settled, (key) => this.#isExpired(key));
  }
}

const texts = {
  headers: 'missing X-API-Timestamp or X-API-Signature',
  format: 'invalid API key format',
  time: 'invalid timestamp format',
  unknown: 'api key not found',
  inactive: 'api key is not active',
  expired: 'api key expired',
  window: 'timestamp expired',
  address: 'ip address not in whitelist',
  signature: 'invalid signature',
  route: 'route not allowed for API key access',
  permission: 'insufficient permissions for this route',
};

function doubtRoute({ levels }: Key, { needs, level }: Route): string[] {
  if (needs === 'login') return [texts.route];
  if (needs === 'any') return [];
  return needs.some((category) => (levels.get(category) ?? 0) >= level) ? [] : [texts.permission];
}

export function publicKeyText(key: KeyPair, faults: readonly KeyFault[]): string {
  if (faults.includes('format')) return key.publicKey.slice(1);
  return faults.includes('unknown') ? '0'.repeat(64) : key.publicKey;
}

/** `edge` is the last moment that counts. */
function timestampText(faults: readonly KeyFault[], now: number): string {
  if (faults.includes('time-format')) return 'soon';
  return String(timestampOf(faults, now));
}

export function timestampOf(faults: readonly KeyFault[], now: number): number {
  if (faults.includes('late')) return now - 30_001;
  if (faults.includes('early')) return now + 30_001;
  return faults.includes('edge') ? now - 30_000 : now;
}
