/**
 * Login, the current user and API keys (interface, "Create API key", "Key issuance rules"). The second factor is
 * checked before the other fields of a key request (wire profile, "Details").
 */
import { isIP } from 'node:net';
import { accessLevels, permissionCategoryRows } from '../../exchange/interface/permissions.ts';
import { isExpired, type ApiKey, type NewKey } from '../core/keys.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { notFoundReply, unauthorizedReply } from '../reply.ts';
import { ok, type PrivateRequest, type PrivateRoutes, type PublicRoutes } from './route.ts';

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

/** Undefined when the body's code is good. A missing code is a wrong code, and so is `null`. */
function secondFactor({ shell, caller, body, now }: PrivateRequest): Refusal | undefined {
  const code = (body.optionalJson('auth2fa_code') ?? '') === '' ? '' : body.text('auth2fa_code');
  return shell.exchange.identity.checkSecondFactor(caller.user, code, now);
}

export const loginRoutes: PublicRoutes = {
  login: ({ shell, body, now }) => {
    const login = body.text('login');
    const password = body.text('password');
    const result = shell.exchange.identity.login(login, password, body.text('auth2fa_code'), now);
    if (result === null) {
      return { kind: 'reply', reply: unauthorizedReply('login_failed', 'login or password is wrong') };
    }
    return isRefusal(result) ? result : ok(result);
  },
};

export const identityRoutes: PrivateRoutes = {
  me: ({ caller }) => {
    const { userId, login, username } = caller.user;
    return ok({ userId, login, username });
  },

  createApiKey: (request) => {
    const { shell, caller, body, now } = request;
    const refusal = secondFactor(request);
    if (refusal !== undefined) return refusal;
    const pair = { publicKey: shell.randomHex(), secretKey: shell.randomHex() };
    const key = shell.exchange.identity.createKey(caller.user, readKey(body), pair, now);
    return isRefusal(key) ? key : ok(pair);
  },

  apiKeys: ({ shell, caller, now }) =>
    ok(shell.exchange.identity.keys.list(caller.user.userId).map((key) => keyBody(key, now))),

  deleteApiKey: (request) => {
    const { shell, caller, params } = request;
    const refusal = secondFactor(request);
    if (refusal !== undefined) return refusal;
    const publicKey = params['publicKey'] ?? '';
    if (!shell.exchange.identity.keys.delete(caller.user.userId, publicKey)) {
      return { kind: 'reply', reply: notFoundReply(`there is no key ${publicKey}`) };
    }
    shell.expelDeadKeys();
    return ok({ publicKey, status: 'deleted' });
  },
};
