/** Login and API keys (interface, "Create API key", "Key issuance rules"). */
import type { Lane } from '../../../model/ports.ts';
import { exchangeErrors } from '../../errors.ts';
import { permissionCategoryRows, type Permission } from '../../interface/permissions.ts';
import {
  apiKeySchema,
  deletedApiKeySchema,
  loginSchema,
  newApiKeySchema,
  type ApiKeyRow,
  type DeletedApiKey,
  type LoginAnswer,
  type NewApiKey,
} from '../../wire/api-keys.ts';
import type { LoginSession } from '../sockets/login-session.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { invalidField, sendMoney, type MoneyPorts, type OnMoneyOutcome, type Refused } from './money.ts';
import type { Dispatch } from './orders.ts';

export interface LoginRequest {
  readonly login: string;
  readonly password: string;
  readonly auth2faCode: string;
}

export interface KeyRequest {
  readonly name: string;
  readonly auth2faCode: string;
  readonly permissions: readonly Permission[];
  /** Empty: no whitelist; the key ends after 90 days. */
  readonly ipAddresses: readonly string[];
}

export interface IdentityOperations {
  /** Stores the token. Errors: `login_refused`; `exchange_refused` with `two_factor_invalid`. */
  login(request: LoginRequest): Promise<Answer<LoginAnswer>>;
  /** Only this answer has the secret. Refusals: `two_factor_invalid`, `whitelist_required`, `too_many_keys`. */
  createKey(request: KeyRequest, dispatch: Dispatch, done: OnMoneyOutcome<NewApiKey>): void;
  keys(): Promise<Answer<readonly ApiKeyRow[]>>;
  deleteKey(publicKey: string, auth2faCode: string, dispatch: Dispatch, done: OnMoneyOutcome<DeletedApiKey>): void;
}

function refuseKey({ name, permissions, ipAddresses }: KeyRequest): Refused | null {
  if (name === '') return invalidField('name', 'a key needs a name');
  const categories = permissions.map((permission) => permission.category);
  if (new Set(categories).size < categories.length) return invalidField('permissions', 'a category is named twice');
  const needy = permissions.find(
    ({ category, accessLevel }) =>
      accessLevel !== 'none' &&
      permissionCategoryRows.some((row) => row.category === category && row.whitelistRequired),
  );
  if (needy === undefined || ipAddresses.length > 0) return null;
  const message = `${needy.category} above none needs an IP whitelist`;
  return { kind: 'refused', code: 'whitelist_required', message, field: 'ipAddresses' };
}

export function createIdentityOperations(ports: MoneyPorts, session: LoginSession, lane: Lane): IdentityOperations {
  const { http } = ports;
  return Object.freeze({
    async login({ login, password, auth2faCode }: LoginRequest): Promise<Answer<LoginAnswer>> {
      const body = { login, password, auth2fa_code: auth2faCode };
      const answer = await readObject(http, { endpoint: 'login', lane: 'public', body }, loginSchema);
      if (answer.kind === 'value') session.set(answer.value);
      return answer;
    },
    createKey(request: KeyRequest, dispatch: Dispatch, done: OnMoneyOutcome<NewApiKey>) {
      const { name, auth2faCode, permissions, ipAddresses } = request;
      const whitelist = ipAddresses.length === 0 ? {} : { ipAddresses };
      const body = { name, auth2fa_code: auth2faCode, permissions, ...whitelist };
      const invalid = refuseKey(request);
      const call = { endpoint: 'createApiKey', body, schema: newApiKeySchema, repeats: {}, invalid } as const;
      sendMoney(ports, call, dispatch, done);
    },
    keys(): Promise<Answer<readonly ApiKeyRow[]>> {
      if (session.token() !== null) return readList(http, { endpoint: 'apiKeys', lane }, apiKeySchema);
      const error = exchangeErrors.make('login_required', 'listing API keys needs a login');
      return Promise.resolve({ kind: 'failed', error });
    },
    deleteKey(publicKey: string, auth2faCode: string, dispatch: Dispatch, done: OnMoneyOutcome<DeletedApiKey>) {
      const call = {
        endpoint: 'deleteApiKey',
        params: { publicKey },
        body: { auth2fa_code: auth2faCode },
        schema: deletedApiKeySchema,
        repeats: { publicKey },
      } as const;
      sendMoney(ports, call, dispatch, done);
    },
  });
}
