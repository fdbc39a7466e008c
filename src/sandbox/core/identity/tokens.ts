/** Login tokens: JWTs with HS256 (RFC 7519). Lifetime assumed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LoginAnswer } from '../../../exchange/wire/api-keys.ts';

const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');

function sign(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

export function issueToken(secret: string, userId: string, now: number, lifetimeMs: number): LoginAnswer {
  // The claim has whole seconds, and so must `expiresAt`.
  const exp = Math.floor((now + lifetimeMs) / 1000);
  const claims = { sub: userId, iat: Math.floor(now / 1000), exp };
  const text = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return { token: `${text}.${sign(secret, text).toString('base64url')}`, expiresAt: exp * 1000 };
}

export function readToken(
  secret: string,
  token: string,
  now: number,
): { readonly userId: string } | 'invalid' | 'expired' {
  const [header, claims, signature, ...more] = token.split('.');
  if (header !== HEADER || claims === undefined || signature === undefined || more.length > 0) return 'invalid';
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, `${header}.${claims}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid';
  const { sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; exp: number };
  return now >= exp * 1000 ? 'expired' : { userId: sub };
}
