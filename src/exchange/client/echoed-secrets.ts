/**
 * Redacts unusable answers before they are quoted (docs/reliability.md, R04): an intermediary may echo signature,
 * token, password or 2FA code.
 */
import type { HttpResult, PreparedRequest } from '../../model/ports.ts';
import { failureText, isRecord, type DecodeFailure } from '../wire/decoded.ts';
import { answersSecret, type EndpointName } from '../interface/endpoints.ts';
import { SIGNATURE_HEADER } from '../interface/signature.ts';

const SECRET_FIELD = /pass|secret|token|2fa|^code$/i;
const SECRET_MEMBER = /("(?:[^"\\]*(?:secret|token|password)[^"\\]*)"\s*:\s*")(?:[^"\\]|\\.)*/gi;
const HIDDEN = '***';
/** Shorter values would mangle other text. */
const LENGTH_MIN = 4;

export function withoutEchoes(result: HttpResult, request: PreparedRequest): HttpResult {
  if (result.kind !== 'response') return result;
  const isGood = result.status >= 200 && result.status <= 299 && parsed(result.body) !== undefined;
  if (isGood) return result;
  const echoes = secretsOf(request).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const body = echoes.reduce((text, echo) => text.replaceAll(echo, HIDDEN), result.body);
  return { ...result, body: body.replace(SECRET_MEMBER, `$1${HIDDEN}`) };
}

/** HTML pages of intermediaries hold no secret. */
export function withheld(result: HttpResult): HttpResult {
  if (result.kind !== 'response' || /^\s*</.test(result.body)) return result;
  return { ...result, body: `${result.body.length} characters, withheld` };
}

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
