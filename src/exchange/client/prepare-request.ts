/** Builds the bytes of a request once, so what is signed is what is sent. */
import type { PreparedRequest } from '../../model/ports.ts';
import { pathOf, type Endpoint } from '../interface/endpoints.ts';
import { KEY_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, signRest } from '../interface/signature.ts';
import type { Credentials } from './credentials.ts';

export type Signing =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly credentials: Credentials }
  | { readonly kind: 'token'; readonly token: string };

export type QueryValue = string | number | boolean | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface RequestAddress {
  /** Normalised before signing. */
  readonly url: string;
  readonly path: string;
}

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

/** `nowMs`: exchange time. With a key no `Authorization` is sent (interface). */
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
