/** Key refusals as bare text, business refusals as `{code, message, field?}`. Others are `unrecognised`. */
import {
  findBusinessRefusal,
  findKeyRefusal,
  findServiceRefusal,
  otherErrorCodes,
  type BusinessRefusal,
  type KeyRefusal,
  type ServiceRefusal,
} from '../interface/refusals.ts';
import { isRecord, sampleOf } from './decoded.ts';

export type ErrorBody =
  | { readonly kind: 'key'; readonly refusal: KeyRefusal }
  | { readonly kind: 'business'; readonly refusal: BusinessRefusal; readonly message: string; readonly field?: string }
  | { readonly kind: 'service'; readonly refusal: ServiceRefusal; readonly message: string }
  /** `absent`: the service's own 404. */
  | { readonly kind: 'unrecognised'; readonly sample: string; readonly absent?: string };

/** Bare, as a JSON string, or in `message` or `error`. */
function keyRefusalOf(body: string, json: unknown): KeyRefusal | undefined {
  const bare = findKeyRefusal(body);
  if (bare !== undefined) return bare;
  if (typeof json === 'string') return findKeyRefusal(json);
  if (!isRecord(json)) return undefined;
  const { message, error } = json;
  return (
    (typeof message === 'string' ? findKeyRefusal(message) : undefined) ??
    (typeof error === 'string' ? findKeyRefusal(error) : undefined)
  );
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Status 400–499 or 501. Never throws. */
export function readErrorBody(status: number, body: string): ErrorBody {
  const json = jsonOf(body);
  if (status === 401 || status === 403) {
    const refusal = keyRefusalOf(body, json);
    if (refusal !== undefined) return { kind: 'key', refusal };
  }
  const inner = isRecord(json) && isRecord(json['data']) ? json['data'] : json;
  if (isRecord(inner) && typeof inner['code'] === 'string') {
    const refusal = findBusinessRefusal(inner['code']);
    const message = typeof inner['message'] === 'string' ? inner['message'] : inner['code'];
    const service = findServiceRefusal(inner['code'], status);
    if (service !== undefined) return { kind: 'service', refusal: service, message };
    const field = inner['field'];
    if (refusal !== undefined && status !== 501) {
      return { kind: 'business', refusal, message, ...(typeof field === 'string' ? { field } : {}) };
    }
    if (status === 404 && inner['code'] === otherErrorCodes.notFound) {
      return { kind: 'unrecognised', sample: sampleOf(body), absent: message };
    }
  }
  return { kind: 'unrecognised', sample: sampleOf(body) };
}
