/**
 * Client messages of the exchange WebSocket (interface, "WebSocket authentication", "Client messages") and their
 * answers. Login errors are documented, the rest is assumed.
 */
import { loginRefusals, subscribeRefusals } from './refusals.ts';
import type { Provenance } from './endpoint-row.ts';

export interface MessageField {
  readonly field: string;
  readonly type: 'string' | 'number' | 'array';
  readonly value: string;
}

export interface ClientMessageRow {
  readonly method: string;
  readonly provenance: Provenance;
  readonly fields: readonly MessageField[];
  readonly reply: string;
  readonly replyProvenance: Provenance;
  readonly errors: readonly string[];
}

const id = { field: 'id', type: 'number', value: 'comes back in the reply' } as const;
const channelNames = { field: 'data', type: 'array', value: 'array of channel names' } as const;

function method(name: string): MessageField {
  return { field: 'method', type: 'string', value: name };
}

export const clientMessageRows = [
  {
    method: 'auth',
    provenance: 'documented',
    fields: [
      method('auth'),
      { field: 'key', type: 'string', value: 'publicKey' },
      { field: 'timestamp', type: 'number', value: 'Unix time in milliseconds' },
      {
        field: 'signature',
        type: 'string',
        value: 'hex HMAC-SHA256 with secretKey of the string: timestamp, newline, publicKey',
      },
    ],
    reply: '{method: "auth", success, error?}',
    replyProvenance: 'documented',
    errors: loginRefusals,
  },
  {
    method: 'subscribe',
    provenance: 'documented',
    fields: [id, method('subscribe'), channelNames],
    reply:
      '{id, method, success, data: channels now affected}; all or nothing: on failure `data` has the offending ones',
    replyProvenance: 'assumed',
    errors: [...subscribeRefusals, 'bad_request', 'limit_reached'],
  },
  {
    method: 'unsubscribe',
    provenance: 'documented',
    fields: [id, method('unsubscribe'), channelNames],
    reply: '{id, method, success, data: channels now affected}',
    replyProvenance: 'assumed',
    errors: ['login_required', 'unknown_channel', 'bad_request'],
  },
  {
    method: 'list_subscriptions',
    provenance: 'documented',
    fields: [id, method('list_subscriptions')],
    reply: '{id, method, success, data: channels}',
    replyProvenance: 'assumed',
    errors: ['bad_request'],
  },
  {
    method: 'ping',
    provenance: 'documented',
    fields: [method('ping')],
    reply: '{pong: number in milliseconds}',
    replyProvenance: 'documented',
    errors: [],
  },
] as const satisfies readonly ClientMessageRow[];

/** Assumed: not a JSON object, or an unknown method. */
export const frameErrors = ['invalid_json', 'unknown_method'] as const;

export interface CloseRow {
  readonly code: number;
  readonly when: string;
}

/** Assumed reasons; codes of RFC 6455. */
// prettier-ignore
export const closeRows = [
  { code: 1000, when: 'idle: nothing arrived from the client for about 30 seconds' },
  { code: 1007, when: 'a text frame is not UTF-8' },
  { code: 1008, when: 'a flood of messages, or the key of the login is no longer active' },
  { code: 1009, when: 'a frame is larger than 64 KiB' },
] as const satisfies readonly CloseRow[];

export interface P2pEventRow {
  readonly event: string;
  readonly meaning: string;
}

/** P2P socket, `{event, data}` (assumed). */
// prettier-ignore
export const p2pEventRows = [
  { event: 'trade', meaning: 'a trade changed; sent to its two parties' },
  { event: 'advertisement', meaning: 'an advertisement changed; sent to everybody while it is active, else to its maker and the parties of its trades' },
  { event: 'message', meaning: 'a chat message; sent to the parties of its room' },
] as const satisfies readonly P2pEventRow[];
