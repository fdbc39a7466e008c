/** Results of read operations. Nothing rejects; `valueOf` throws. */
import type { z } from 'zod';
import type { TidewireError } from '../../../model/errors.ts';
import { exchangeErrors } from '../../errors.ts';
import type { EndpointName } from '../../interface/endpoints.ts';
import { findServiceRefusal, otherErrorCodes } from '../../interface/refusals.ts';
import { decodeList, decodeObject } from '../../wire/body.ts';
import { decodeFailure, type Decoded } from '../../wire/decoded.ts';
import { failureOf } from '../echoed-secrets.ts';
import type { CallResult } from '../classify.ts';
import type { HttpCall, HttpClient } from '../http.ts';

export type Answer<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: TidewireError };

type RefusalError = 'key_refused' | 'login_refused' | 'exchange_not_available' | 'exchange_refused';

export function resultText(result: Exclude<CallResult, { kind: 'ok' }>): string {
  switch (result.kind) {
    case 'refused':
      return `refused with ${result.code}: ${result.message}`;
    case 'denied':
      return `denied with ${result.denied.reason}: ${result.denied.message}`;
    default:
      return result.reason;
  }
}

function refusalCode({ code, status, ofKey }: Extract<CallResult, { kind: 'refused' }>): RefusalError {
  if (ofKey) return 'key_refused';
  const service = findServiceRefusal(code, status);
  if (service === undefined) return 'exchange_refused';
  return service.status === 501 ? 'exchange_not_available' : 'login_refused';
}

function errorOf(endpoint: EndpointName, result: Exclude<CallResult, { kind: 'ok' }>): TidewireError {
  const message = `${endpoint}: ${resultText(result)}`;
  if (result.kind === 'refused') {
    const { code, field } = result;
    return exchangeErrors.make(refusalCode(result), message, {
      endpoint,
      code,
      ...(field === undefined ? {} : { field }),
    });
  }
  if (result.kind === 'unknown' && result.absent !== undefined) {
    const code = otherErrorCodes.notFound;
    return exchangeErrors.make('exchange_refused', `${endpoint}: ${result.absent}`, { endpoint, code });
  }
  return exchangeErrors.make('exchange_unreachable', message, { endpoint });
}

export async function readBy<T>(
  http: HttpClient,
  request: HttpCall,
  decode: (json: unknown) => Decoded<T>,
): Promise<Answer<T>> {
  const result = await http.read(request);
  if (result.kind !== 'ok') return { kind: 'failed', error: errorOf(request.endpoint, result) };
  const value = decode(result.json);
  if (value.kind === 'value') return value;
  const { endpoint } = request;
  const { field, sample, text } = failureOf(endpoint, value);
  return { kind: 'failed', error: exchangeErrors.make('exchange_answer', text, { endpoint, field, sample }) };
}

/** `repeats`: fields that must equal the request. */
export function readObject<T extends object>(
  http: HttpClient,
  request: HttpCall,
  schema: z.ZodType<T>,
  repeats: Partial<T> = {},
): Promise<Answer<T>> {
  const { endpoint } = request;
  return readBy(http, request, (json) => {
    const answer = decodeObject(schema, endpoint, json);
    const other = answer.kind === 'failure' ? null : otherField(repeats, answer.value);
    if (other === null) return answer;
    return decodeFailure(endpoint, other, `answered another ${other} than was asked for`, json);
  });
}

export function readList<T>(http: HttpClient, request: HttpCall, item: z.ZodType<T>): Promise<Answer<readonly T[]>> {
  return readBy(http, request, (json) => decodeList(item, request.endpoint, json));
}

/** Name of the first field that differs. Values may be secret. */
export function otherField<T extends object>(repeats: Partial<T>, answer: T): string | null {
  for (const [name, value] of Object.entries(repeats)) {
    if (value !== undefined && !isSame(name, value, Reflect.get(answer, name))) return name;
  }
  return null;
}

/** Services write addresses in other capitals. */
function isSame(name: string, asked: unknown, answered: unknown): boolean {
  if (name !== 'address' || typeof asked !== 'string' || typeof answered !== 'string') return asked === answered;
  return asked.toLowerCase() === answered.toLowerCase();
}

export function valueOf<T>(answer: Answer<T>): T {
  if (answer.kind === 'value') return answer.value;
  throw answer.error;
}
