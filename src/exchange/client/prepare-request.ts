/**
 * The bytes of a request, built once: what is signed is what is sent (reliability §5.2, M05). Pure; `http.ts` calls it
 * at dispatch with the exchange's time.
 */
import type { PreparedRequest } from '../../model/ports.ts';
import { pathOf, type Endpoint } from '../interface/endpoints.ts';
import { KEY_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, signRest } from '../interface/signature.ts';
import type { Credentials } from './credentials.ts';

/** How a request says who sends it. */
export type Signing =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly credentials: Credentials }
  | { readonly kind: 'token'; readonly token: string };

export type QueryValue = string | number | boolean | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** Where a request goes. */
export interface RequestAddress {
  /** As the URL parser writes it, so that nothing is normalised after signing. */
  readonly url: string;
  /** Path with query, exactly as in `url`. */
  readonly path: string;
}

/** A request before it is signed: everything but the time. */
export interface RequestTarget extends RequestAddress {
  readonly endpoint: Endpoint;
  readonly body: string;
}

export function requestAddress(
  base: string,
  endpoint: Endpoint,
  params: Readonly<Record<string, string>> = {},
  query: Query = {},
): RequestAddress {
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string | number | boolean] => pair[1] !== undefined,
  );
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const text = `${base.replace(/\/+$/, '')}${pathOf(endpoint, params)}${search === '' ? '' : `?${search}`}`;
  const url = new URL(text);
  return { url: url.href, path: `${url.pathname}${url.search}` };
}

/** `nowMs` is exchange time and is rounded to whole ms. With a key no `Authorization` is sent (interface). */
export function prepareRequest(target: RequestTarget, signing: Signing, nowMs: number): PreparedRequest {
  const { url, path, endpoint, body } = target;
  const { method } = endpoint;
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'tidewire' };
  if (body !== '') headers['content-type'] = 'application/json';
  if (signing.kind === 'token') headers['authorization'] = `Bearer ${signing.token}`;
  if (signing.kind === 'key') {
    const { credentials } = signing;
    const timestamp = String(Math.round(nowMs));
    headers[KEY_HEADER] = credentials.publicKey;
    headers[TIMESTAMP_HEADER] = timestamp;
    headers[SIGNATURE_HEADER] = signRest(credentials.secret, timestamp, method, path, body);
  }
  return { url, method, headers, body };
}
