/**
 * Outcome of an HTTP result. `refused` requires a refusal listed in `interface/refusals.ts`; every doubtful answer is
 * `unknown`.
 */
import type { HttpResult } from '../../model/ports.ts';
import type { Denied } from '../../model/trading/deny-reason.ts';
import { sampleOf } from '../wire/decoded.ts';
import { readErrorBody } from '../wire/error-body.ts';
import { parseExact } from '../wire/exact-json.ts';

export type CallResult =
  | { readonly kind: 'ok'; readonly json: unknown }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly field?: string;
      readonly status: number;
      readonly ofKey: boolean;
    }
  /** A read failed; a mutating call may have happened. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly status: number | null;
      /** By a firewall, country block or captcha. */
      readonly blocked?: true;
      /** The service's own 404. A read finds nothing; for a mutating call it is no evidence. */
      readonly absent?: string;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'denied'; readonly denied: Denied };

function unknown(status: number, reason: string, body: string): CallResult {
  const evidence = body === '' ? 'empty body' : sampleOf(body);
  const blocked = isBlocked(status, body) ? ({ blocked: true } as const) : {};
  return { kind: 'unknown', status, reason: `status ${status}, ${reason}: ${evidence}`, ...blocked };
}

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
