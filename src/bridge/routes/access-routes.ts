/** Login: the token of the link's fragment is swapped for a cookie that scripts of the page cannot read. */
import { z } from 'zod';
import { cookieOf } from '../server/gatekeeper.ts';
import { ok, route, type Route, type RouteAnswer } from '../server/route.ts';
import type { BridgeContext } from './context.ts';

const who = z.object({ role: z.enum(['read', 'operate']), by: z.enum(['bearer', 'cookie']) });

export function accessRoutes({ tokens, cookieName, isEncrypted, clock }: BridgeContext): readonly Route[] {
  const cookie = (value: string, maxAgeS: number, host: string | undefined): string => {
    const parts = [`${cookieName}=${value}`, 'HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${maxAgeS}`];
    return [...parts, ...(isEncrypted(host) ? ['Secure'] : [])].join('; ');
  };
  return [
    route({
      method: 'POST',
      path: '/api/v1/login',
      name: 'login',
      summary: 'Swap the token of the Authorization header for a cookie',
      role: 'read',
      body: null,
      answers: { 200: { about: 'The cookie is set', schema: who } },
      handle: ({ caller, headers }): RouteAnswer => {
        const role = caller?.role ?? 'read';
        const { value, maxAgeS } = tokens.cookie(role, clock.now());
        const set = cookie(value, maxAgeS, headers['host']);
        return { status: 200, json: { role, by: 'cookie' }, headers: { 'set-cookie': set } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/logout',
      name: 'logout',
      summary: 'Forget the cookie',
      role: 'read',
      body: null,
      answers: { 200: { about: 'The cookie is gone', schema: z.object({ ok: z.literal(true) }) } },
      handle: ({ headers }) => {
        const value = cookieOf(headers['cookie'], cookieName);
        if (value !== null) tokens.end(value);
        const set = cookie('', 0, headers['host']);
        return { status: 200, json: { ok: true }, headers: { 'set-cookie': set } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/me',
      name: 'me',
      summary: 'The role of the caller',
      role: 'read',
      answers: { 200: { about: 'Who calls', schema: who } },
      handle: ({ caller }) => ok({ role: caller?.role, by: caller?.by }),
    }),
  ];
}
