/**
 * What an HTTP exchange proves (wall 2, reliability §0.1). Pure. `refused` only for a parsed refusal that is on the
 * lists of `interface/refusals.ts` (a 501 only as `not_available`); timeouts, resets, 404 and 429 without such a body,
 * other 5xx, HTML, truncated or unparseable bodies are `unknown`.
 */
import type { HttpResult } from '../../model/ports.ts';
import type { Denied } from '../../model/deny-reason.ts';
import { sampleOf } from '../wire/decoded.ts';
import { readErrorBody } from '../wire/error-body.ts';
import { parseExact } from '../wire/exact-json.ts';

export type CallResult =
  /** Status 2xx with a JSON body; whether it is the right one is the decoder's question. */
  | { readonly kind: 'ok'; readonly json: unknown }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly field?: string;
      readonly status: number;
      /** True for the documented key refusals: the key, not the request, was refused. */
      readonly ofKey: boolean;
    }
  /** For a read: it could not be read. For a mutating call: it may have happened. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly status: number | null;
      /** Not the service's own words: a firewall, a country block, a captcha. */
      readonly blocked?: true;
      /** Of a 404 in the service's own words: for a read there is no such thing, for a mutating call it proves nothing. */
      readonly absent?: string;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'denied'; readonly denied: Denied };

function unknown(status: number, reason: string, body: string): CallResult {
  const evidence = body === '' ? 'empty body' : sampleOf(body);
  const blocked = isBlocked(status, body) ? ({ blocked: true } as const) : {};
  return { kind: 'unknown', status, reason: `status ${status}, ${reason}: ${evidence}`, ...blocked };
}

/** Answers of whatever stands before the service; a page instead of a body in its format (reliability R14). */
const BLOCKING: ReadonlySet<number> = new Set([403, 451]);

function isBlocked(status: number, body: string): boolean {
  if (BLOCKING.has(status)) return true;
  return status !== 404 && status !== 429 && status < 500 && /^\s*</.test(body);
}

function success(status: number, body: string): CallResult {
  try {
    return { kind: 'ok', json: parseExact(body) };
  } catch {
    return unknown(status, 'not JSON', body);
  }
}

export function classifyResult(result: HttpResult): CallResult {
  if (result.kind === 'not-sent') return result;
  if (result.kind === 'unknown') return { kind: 'unknown', reason: result.reason, status: null };
  const { status, body } = result;
  if (status >= 200 && status <= 299) return success(status, body);
  if (status === 429) return unknown(status, 'rate limited', body);
  if (status < 400 || (status >= 500 && status !== 501)) return unknown(status, 'no proof either way', body);
  const error = readErrorBody(status, body);
  switch (error.kind) {
    case 'key': {
      const { code, text } = error.refusal;
      return { kind: 'refused', code, message: text, status, ofKey: true };
    }
    case 'business': {
      const { refusal, message, field } = error;
      const named = field === undefined ? {} : { field };
      return { kind: 'refused', code: refusal.code, message, ...named, status, ofKey: false };
    }
    case 'service':
      return { kind: 'refused', code: error.refusal.code, message: error.message, status, ofKey: false };
    case 'unrecognised':
      return {
        ...unknown(status, 'not a known refusal', body),
        ...(error.absent === undefined ? {} : { absent: error.absent }),
      };
  }
}
