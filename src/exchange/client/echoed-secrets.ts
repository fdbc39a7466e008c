/**
 * Answers that cannot be used end up in errors and logs, cut, as evidence (reliability R04). What a proxy or an exchange says
 * back of the request must not bring signature, token, password or 2FA code there, nor a half answer its new secret (C01,
 * C02). Of operations that answer a secret nothing is quoted at all: in a broken text no pattern finds where it stands. Used
 * by `http.ts` on every answer that cannot be used (one that can be is left alone) and by the operations. Pure.
 */
import type { HttpResult, PreparedRequest } from '../../model/ports.ts';
import { failureText, isRecord, type DecodeFailure } from '../wire/decoded.ts';
import { answersSecret, type EndpointName } from '../interface/endpoints.ts';
import { SIGNATURE_HEADER } from '../interface/signature.ts';

const SECRET_FIELD = /pass|secret|token|2fa|^code$/i;
const SECRET_MEMBER = /("(?:[^"\\]*(?:secret|token|password)[^"\\]*)"\s*:\s*")(?:[^"\\]|\\.)*/gi;
const HIDDEN = '***';
/** Shorter ones would cut innocent text to pieces. */
const LENGTH_MIN = 4;

export function withoutEchoes(result: HttpResult, request: PreparedRequest): HttpResult {
  if (result.kind !== 'response') return result;
  const isGood = result.status >= 200 && result.status <= 299 && parsed(result.body) !== undefined;
  if (isGood) return result;
  const echoes = secretsOf(request).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const body = echoes.reduce((text, echo) => text.replaceAll(echo, HIDDEN), result.body);
  return { ...result, body: body.replace(SECRET_MEMBER, `$1${HIDDEN}`) };
}

/** The same answer with its size in place of its text. A page of whatever stands before the service holds no secret. */
export function withheld(result: HttpResult): HttpResult {
  if (result.kind !== 'response' || /^\s*</.test(result.body)) return result;
  return { ...result, body: `${result.body.length} characters, withheld` };
}

/** What did not decode, in one line. */
export function failureOf(endpoint: EndpointName, failure: DecodeFailure): DecodeFailure & { readonly text: string } {
  const told = answersSecret(endpoint) ? { ...failure, sample: 'withheld' } : failure;
  return { ...told, text: failureText(told) };
}

function secretsOf({ headers, body }: PreparedRequest): readonly string[] {
  const { [SIGNATURE_HEADER]: signature = '', authorization = '' } = headers;
  const json = parsed(body);
  const fields = isRecord(json) ? Object.entries(json).filter(([name]) => SECRET_FIELD.test(name)) : [];
  const values = fields.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return [signature, authorization.replace(/^Bearer /, ''), ...values].filter(({ length }) => length >= LENGTH_MIN);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
