/**
 * Messages of the exchange WebSocket (interface, "WebSocket authentication", "Client messages"). Reading never throws.
 */
import { isRecord, sampleOf } from './decoded.ts';
import { readTime } from './scalars.ts';

export type ServerMessage =
  | {
      readonly kind: 'push';
      readonly channel: string;
      readonly seq: number | null;
      readonly ts: number | null;
      readonly data: unknown;
    }
  | { readonly kind: 'pong'; readonly ms: number }
  | { readonly kind: 'auth'; readonly success: boolean; readonly error: string | null }
  | {
      readonly kind: 'reply';
      readonly id: number | null;
      readonly method: string;
      readonly success: boolean;
      readonly channels: readonly string[];
      readonly error: string | null;
    }
  | {
      readonly kind: 'unreadable';
      readonly problem: string;
      readonly sample: string;
      /** A push or its remains, whose content is missing. */
      readonly hidesPush: boolean;
    };

function unreadable(problem: string, value: unknown, hidesPush: boolean): ServerMessage {
  return { kind: 'unreadable', problem, sample: sampleOf(value), hidesPush };
}

/** Null when absent, undefined when invalid. */
export function readSequence(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function readPush(json: Readonly<Record<string, unknown>>, channel: string): ServerMessage {
  const seq = readSequence(json['seq']);
  if (seq === undefined) return unreadable('seq is not a sequence number', json['seq'], true);
  const rawTime = json['ts'];
  const ts = rawTime === undefined || rawTime === null ? null : readTime(rawTime);
  if (ts === undefined) return unreadable('ts is not a time', rawTime, true);
  return { kind: 'push', channel, seq, ts, data: json['data'] };
}

function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : typeof value === 'string' ? value : sampleOf(value);
}

/** `parse`: `parseExact` where numbers are money or ids. */
export function readServerMessage(text: string, parse: (text: string) => unknown = JSON.parse): ServerMessage {
  let json: unknown;
  try {
    json = parse(text);
  } catch {
    return unreadable('not JSON', text, true);
  }
  if (!isRecord(json)) return unreadable('not an object', text, false);
  const { channel, method, pong, success } = json;
  if (typeof channel === 'string') return readPush(json, channel);
  // Any value answers the ping; `Number` of a deep list would overflow the stack.
  if (pong !== undefined) return { kind: 'pong', ms: typeof pong === 'number' ? pong : Number.NaN };
  if (typeof method !== 'string' || typeof success !== 'boolean')
    return unreadable('neither push, pong nor reply', text, false);
  const error = textOrNull(json['error']);
  if (method === 'auth') return { kind: 'auth', success, error };
  const id = typeof json['id'] === 'number' ? json['id'] : null;
  const data = Array.isArray(json['data']) ? json['data'] : [];
  const channels = data.filter((name): name is string => typeof name === 'string');
  return { kind: 'reply', id, method, success, channels, error };
}

export type SubscriptionMethod = 'subscribe' | 'unsubscribe';

export const pingMessage: string = JSON.stringify({ method: 'ping' });

export function encodeSubscription(id: number, method: SubscriptionMethod, channels: readonly string[]): string {
  return JSON.stringify({ id, method, data: channels });
}

export function encodeAuth(publicKey: string, timestampMs: number, signature: string): string {
  return JSON.stringify({ method: 'auth', key: publicKey, timestamp: timestampMs, signature });
}

export type ClientMessage =
  | { readonly kind: 'ping' }
  | { readonly kind: 'auth'; readonly key: string; readonly timestamp: number; readonly signature: string }
  | {
      readonly kind: 'subscription';
      readonly id: number | null;
      readonly method: SubscriptionMethod;
      readonly channels: readonly string[];
    }
  | { readonly kind: 'list'; readonly id: number | null }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Missing login fields read as empty, to be refused by code. */
export function readClientMessage(text: string): ClientMessage {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', problem: 'not JSON' };
  }
  if (!isRecord(json)) return { kind: 'unreadable', problem: 'not an object' };
  const { method, data, key, timestamp, signature } = json;
  const id = typeof json['id'] === 'number' ? json['id'] : null;
  if (method === 'ping') return { kind: 'ping' };
  if (method === 'list_subscriptions') return { kind: 'list', id };
  if (method === 'auth') {
    return {
      kind: 'auth',
      key: typeof key === 'string' ? key : '',
      timestamp: typeof timestamp === 'number' ? timestamp : Number.NaN,
      signature: typeof signature === 'string' ? signature : '',
    };
  }
  if (method !== 'subscribe' && method !== 'unsubscribe') return { kind: 'unreadable', problem: 'unknown method' };
  if (!Array.isArray(data) || !data.every((name) => typeof name === 'string')) {
    return { kind: 'unreadable', problem: 'data is not a list of channel names' };
  }
  return { kind: 'subscription', id, method, channels: data };
}

export function encodePush(channel: string, seq: number | null, ts: number, data: unknown): string {
  return JSON.stringify(seq === null ? { channel, ts, data } : { channel, seq, ts, data });
}

export function encodePong(ms: number): string {
  return JSON.stringify({ pong: ms });
}

export function encodeAuthReply(error: string | null): string {
  return JSON.stringify(error === null ? { method: 'auth', success: true } : { method: 'auth', success: false, error });
}

export function encodeReply(
  id: number | null,
  method: SubscriptionMethod | 'list_subscriptions',
  channels: readonly string[],
  error: string | null = null,
): string {
  const base = { id, method, success: error === null, data: channels };
  return JSON.stringify(error === null ? base : { ...base, error });
}
