/**
 * Logging in for what is closed to API keys (interface, "Authentication" 1): login, password and 2FA code, or a token
 * that was got elsewhere (`TIDEWIRE_JWT`; the document does not show the login endpoint). The token lives in the
 * exchange's `LoginSession` alone.
 */
import type { Exchange } from '../../exchange/exchange.ts';
import type { CliIo } from '../command.ts';
import { answered } from './outcome.ts';
import { askedFor, secondFactor, secretVariables, variable } from './secrets.ts';

/** True when the environment says who logs in, so that nothing but the rest has to be asked. */
export function hasLogin(io: CliIo): boolean {
  return variable(io, secretVariables.token) !== null || variable(io, secretVariables.login) !== null;
}

/** Unix ms of the `exp` claim; a token without one is used until the exchange refuses it. */
function tokenEnd(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const end = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof end === 'number' ? end * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Throws `operation_refused` with the exchange's code when it does not let us in. */
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
