/** HTTP replies: JSON bodies, errors as `{code, message, field?}`, key refusals as bare text. */
import {
  findBusinessRefusal,
  keyRefusal,
  otherErrorCodes,
  type KeyRefusalCode,
} from '../exchange/interface/refusals.ts';
import type { Refusal } from './core/refusal.ts';
import type { BadRequest } from './fields.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;
const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' } as const;

export function jsonReply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Reply {
  const all = headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers };
  return { status, headers: all, body: JSON.stringify(body) };
}

export function errorReply(status: number, code: string, message: string, field?: string): Reply {
  return jsonReply(status, field === undefined ? { code, message } : { code, message, field });
}

export function refusalReply({ code, message, field, retryAfterMs }: Refusal): Reply {
  if (retryAfterMs !== undefined) return rateLimitedReply(retryAfterMs, message);
  return errorReply(findBusinessRefusal(code)?.status ?? 422, code, message, field);
}

export function badRequestReply(error: BadRequest): Reply {
  return errorReply(400, 'bad_request', error.message, error.field);
}

export function keyRefusalReply(code: KeyRefusalCode): Reply {
  const { status, text } = keyRefusal(code);
  return { status, headers: TEXT_TYPE, body: text };
}

export function notFoundReply(message: string): Reply {
  return errorReply(404, otherErrorCodes.notFound, message);
}

export function rateLimitedReply(retryAfterMs: number, message = 'too many requests'): Reply {
  const body = { code: otherErrorCodes.rateLimited, message };
  return jsonReply(429, body, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
}

export function internalErrorReply(): Reply {
  return errorReply(
    500,
    otherErrorCodes.internal,
    'the exchange failed; the request may or may not have had an effect',
  );
}
