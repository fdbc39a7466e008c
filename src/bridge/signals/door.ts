/**
 * Who may bring a signal in: a sender that signs, or one that knows the secret path. Nothing is taken here; the session
 * does that, and remembers the id.
 */
import { createHash, createHmac, createSecretKey, randomUUID, timingSafeEqual, type KeyObject } from 'node:crypto';
import { deepFrozen } from '../../model/plain-data.ts';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import type { Json } from '../../model/text/json.ts';
import type { Clock } from '../../model/ports.ts';
import type { SignalOptions } from '../../session/config/bridge-options.ts';
import { bridgeErrors } from '../errors.ts';

/** Between the sender's clock and ours. */
const SKEW_MS = 30_000;
const WINDOW_MS = 60_000;
/** In a window; the session remembers twice as many ids. */
const SIGNALS_MAX = 60;
const ID_CHARS_MAX = 64;
/** What is nested deeper than any sender needs would be too deep for who copies it. */
const DEPTH_MAX = 64;
const PLAIN_ID = /^[\x21-\x7e]+$/;

export interface SignalRequest {
  readonly name: string;
  /** Last part of the address of a sender that does not sign. */
  readonly secretPath: string | null;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

type Source = { readonly key: KeyObject } | { readonly pathHash: Buffer };

export class SignalDoor {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #times = new Map<string, number[]>();

  constructor(options: SignalOptions, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#sources = new Map(
      Object.entries(options).map(([name, source]) => [
        name,
        'secret' in source
          ? { key: createSecretKey(Buffer.from(source.secret)) }
          : { pathHash: hashOf(source.secretPath) },
      ]),
    );
  }

  /**
   * The signal of a request that may bring one. Throws `signal_unknown`, `signal_signature`, `signal_time`,
   * `signal_invalid`, `signal_too_many`.
   */
  admit(request: SignalRequest): InboundSignal {
    const source = this.#sources.get(request.name);
    const signs = source !== undefined && 'key' in source;
    if (source === undefined || signs !== (request.secretPath === null))
      throw bridgeErrors.make('signal_unknown', `no signal ${request.name} comes in here`);
    const signal = 'key' in source ? this.#signed(request, source.key) : this.#byPath(request, source.pathHash);
    this.#count(request.name);
    return Object.freeze(signal);
  }

  #signed({ name, headers, text }: SignalRequest, key: KeyObject): InboundSignal {
    const { 'x-signal-id': id = '', 'x-signal-timestamp': time = '', 'x-signal-signature': signature = '' } = headers;
    const made = createHmac('sha256', key).update(`${time}\n${id}\n${text}`).digest();
    const sent = /^[0-9a-fA-F]{64}$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(made.length);
    if (!timingSafeEqual(made, sent))
      throw bridgeErrors.make('signal_signature', 'the signature is not that of this signal');
    const ts = /^\d{1,15}$/.test(time) ? Number(time) : Number.NaN;
    const aheadMs = ts - this.#clock.now();
    if (Number.isNaN(ts)) throw invalid('X-Signal-Timestamp', 'X-Signal-Timestamp is no Unix time in ms');
    if (Math.abs(aheadMs) > SKEW_MS) {
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      throw bridgeErrors.make('signal_time', `the signal is of ${seconds} s ${aheadMs > 0 ? 'ahead' : 'ago'}`);
    }
    if (id.length > ID_CHARS_MAX || !PLAIN_ID.test(id))
      throw invalid('X-Signal-Id', `X-Signal-Id is needed, at most ${ID_CHARS_MAX} characters without spaces`);
    return { name, id, ts, data: dataOf(text, () => invalid('body', 'the body is not JSON')) };
  }

  #byPath({ name, secretPath, text }: SignalRequest, pathHash: Buffer): InboundSignal {
    if (!timingSafeEqual(hashOf(secretPath ?? ''), pathHash))
      throw bridgeErrors.make('signal_unknown', `no signal ${name} comes in here`);
    const data = dataOf(text, () => null) ?? deepFrozen({ text });
    return { name, id: idIn(data) ?? randomUUID(), ts: Math.floor(this.#clock.now()), data };
  }

  #count(name: string): void {
    const now = this.#clock.now();
    const times = (this.#times.get(name) ?? []).filter((at) => now - at < WINDOW_MS);
    this.#times.set(name, times);
    if (times.length >= SIGNALS_MAX) {
      const retryAfterS = Math.ceil((WINDOW_MS - (now - times[0]!)) / 1000);
      throw bridgeErrors.make('signal_too_many', `more than ${SIGNALS_MAX} of ${name} in a minute`, { retryAfterS });
    }
    times.push(now);
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function invalid(field: string, message: string): Error {
  return bridgeErrors.make('signal_invalid', message, { field });
}

/** An empty body is null. Throws `signal_invalid` where it is nested too deep. */
function dataOf(text: string, failed: () => Error | null): Json {
  if (text.trim() === '') return null;
  if (isDeep(text)) throw invalid('body', `the body is nested deeper than ${DEPTH_MAX}`);
  try {
    return deepFrozen(JSON.parse(text) as Json);
  } catch {
    const error = failed();
    if (error !== null) throw error;
    return null;
  }
}

/** Brackets inside of texts do not count. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (part === '[' || part === '{') depth++;
    else if (part === ']' || part === '}') depth--;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

/** A sender that cannot set headers may give an id in its body, so that what it repeats is taken once. */
function idIn(data: Json): string | null {
  const id: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined;
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return text.length <= ID_CHARS_MAX && PLAIN_ID.test(text) ? text : null;
}
