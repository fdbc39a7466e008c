/**
 * Login for operations closed to API keys (interface, "Authentication" 1): login, password and 2FA code, or a token in
 * `TIDEWIRE_JWT`.
 */
import type { Exchange } from '../../exchange/exchange.ts';
import type { CliIo } from '../command.ts';
import { answered } from '../../operations/exchange/answers.ts';
import { askedFor, secondFactor, secretVariables, variable } from './secrets.ts';

/** True when the environment names the login. */
export function hasLogin(io: CliIo): boolean {
  return variable(io, secretVariables.token) !== null || variable(io, secretVariables.login) !== null;
}

/** Unix ms of the `exp` claim; without one the token is used until refused. */
function tokenEnd(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const end = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof end === 'number' ? end * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Throws `operation_refused` with the exchange's code. */
export async function logIn(io: CliIo, { login: session, money }: Exchange): Promise<void> {
  const token = variable(io, secretVariables.token);
  if (token !== null) {
    session.set({ token, expiresAt: tokenEnd(token) });
    return;
  }
  const login = await askedFor(io, { name: secretVariables.login, question: 'Login', shown: true });
  const password = await askedFor(io, { name: secretVariables.password, question: `Password of ${login}` });
  const auth2faCode = await secondFactor(io, 'to log in');
  answered('login', await money.identity.login({ login, password, auth2faCode }));
}
