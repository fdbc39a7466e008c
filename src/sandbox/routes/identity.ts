/** Login, current user, API keys. The second factor is checked first. */
import { isIP } from 'node:net';
import { accessLevels, permissionCategoryRows } from '../../exchange/interface/permissions.ts';
import { isExpired, type ApiKey, type NewKey } from '../core/identity/keys.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { errorReply, notFoundReply } from '../reply.ts';
import { answer, ok, type PrivateHandler, type PrivateRoutes, type PublicRoutes } from './route.ts';

const ADDRESSES_MAX = 100;
const categories = permissionCategoryRows.map((row) => row.category);

function readKey(body: Fields): NewKey {
  const permissions = body.objects('permissions', categories.length).map((permission) => ({
    category: permission.oneOf('category', categories),
    accessLevel: permission.oneOf('accessLevel', accessLevels),
  }));
  if (new Set(permissions.map((permission) => permission.category)).size < permissions.length) {
    throw new BadRequest('permissions name a category twice', 'permissions');
  }
  const ipAddresses = body.has('ipAddresses') ? body.texts('ipAddresses', ADDRESSES_MAX) : [];
  const wrong = ipAddresses.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new BadRequest(`${wrong} is not an IP address`, 'ipAddresses');
  return { name: body.text('name'), permissions, ipAddresses };
}

function keyBody(key: ApiKey, now: number): object {
  const { publicKey, name, permissions, ipAddresses, createdAt, expiresAt, state } = key;
  const status = isExpired(key, now) ? 'expired' : state;
  return { publicKey, name, permissions, ipAddresses, createdAt, expiresAt, status };
}

/** A missing or `null` code is a wrong code. */
function withSecondFactor(run: PrivateHandler): PrivateHandler {
  return (request) => {
    const { exchange, user, body, now } = request;
    const code = (body.optionalJson('auth2fa_code') ?? '') === '' ? '' : body.text('auth2fa_code');
    return exchange.identity.secondFactor.check(user, code, now) ?? run(request);
  };
}

export const loginRoutes: PublicRoutes = {
  login: ({ exchange, body, now }) => {
    const login = body.text('login');
    const password = body.text('password');
    const result = exchange.identity.login(login, password, body.text('auth2fa_code'), now);
    if (result === null) return errorReply(401, 'login_failed', 'login or password is wrong');
    return answer(result, (token) => token);
  },
};

export const identityRoutes: PrivateRoutes = {
  me: ({ user: { userId, login, username } }) => ok({ userId, login, username }),

  createApiKey: withSecondFactor(({ shell, exchange, user, body, now }) => {
    const pair = { publicKey: shell.randomHex(), secretKey: shell.randomHex() };
    return answer(exchange.identity.keys.issue(user.userId, readKey(body), pair, now), () => pair);
  }),

  apiKeys: ({ exchange, user, now }) => ok(exchange.identity.keys.list(user.userId).map((key) => keyBody(key, now))),

  deleteApiKey: withSecondFactor(({ shell, exchange, user, params }) => {
    const publicKey = params['publicKey'] ?? '';
    if (!exchange.identity.keys.delete(user.userId, publicKey)) return notFoundReply(`there is no key ${publicKey}`);
    shell.expelDeadKeys();
    return ok({ publicKey, status: 'deleted' });
  }),
};
