/** The environment of a key of alice that may do no more than these permissions. */
import { expect } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { totp } from '../model-check/signing.ts';

interface Permission {
  readonly category: string;
  readonly accessLevel: 'read_only' | 'full';
}

export async function limitedKey(
  { restUrl, users, sandbox }: RunningSandbox,
  permissions: readonly Permission[],
): Promise<Record<string, string>> {
  const { login, password, auth2faSecret } = users[0]!;
  const auth2fa_code = totp(auth2faSecret, sandbox.now());
  const post = async (path: string, body: object, token?: string): Promise<Record<string, string>> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${restUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as Record<string, string>;
  };
  const { token } = await post('/api/v1/auth/login', { login, password, auth2fa_code });
  const wish = { name: 'limited', auth2fa_code, permissions };
  const key = await post('/api/v1/identity/client/api-key/create', wish, token);
  return { TIDEWIRE_API_KEY: key['publicKey']!, TIDEWIRE_API_SECRET: key['secretKey']! };
}
