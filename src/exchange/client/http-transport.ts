/**
 * `HttpTransport` on undici's dispatcher (never `fetch`: it re-sends a POST on 421 and follows redirects with body and
 * signature). At most one send per request.
 */
import { Agent, errors } from 'undici';
import type { LookupFunction } from 'node:net';
import { messageOf } from '../../model/errors.ts';
import { HttpExchange, type Exchanged } from './http-exchange.ts';
import { createLastGoodLookup } from './last-good-lookup.ts';
import type { Clock, HttpResult, HttpTransport, PreparedRequest } from '../../model/ports.ts';

export type RequestClass = 'orders' | 'reconcile' | 'public';

export type HttpTransports = Readonly<Record<RequestClass, HttpTransport>>;

export const concurrencyMax: Readonly<Record<RequestClass, number>> = { orders: 8, reconcile: 4, public: 4 };

const KEEP_ALIVE_MS = 4000;
const CONNECT_TIMEOUT_MS = 3000;
/** Above every lane's own deadline. */
const SILENCE_TIMEOUT_MS = 20_000;
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;

/** Raised only before the first byte leaves. */
const NOT_SENT_CODES: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const NOT_SENT_CALLS: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export function provesNotSent(error: unknown, depth = 0): boolean {
  if (depth > 4) return false;
  const code = fieldOf(error, 'code');
  const syscall = fieldOf(error, 'syscall');
  if (typeof code === 'string' && NOT_SENT_CODES.has(code)) return true;
  if (typeof syscall === 'string' && NOT_SENT_CALLS.has(syscall)) return true;
  if (error instanceof AggregateError) {
    return error.errors.length > 0 && error.errors.every((inner) => provesNotSent(inner, depth + 1));
  }
  const cause = fieldOf(error, 'cause');
  return cause !== undefined && provesNotSent(cause, depth + 1);
}

/** Transport errors may hold headers with the key. */
function describe(error: unknown): string {
  const code = fieldOf(error, 'code');
  const message = messageOf(error) || 'no message';
  return typeof code === 'string' ? `${code}: ${message}` : message;
}

function dispatcherFor(kind: RequestClass, lookup: LookupFunction): Agent {
  return new Agent({
    allowH2: false,
    pipelining: 1,
    connections: concurrencyMax[kind],
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxResponseSize: RESPONSE_BYTES_MAX,
    headersTimeout: SILENCE_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup },
  });
}

class UndiciTransport implements HttpTransport {
  readonly #clock: Clock;
  readonly #dispatcher: Agent;
  readonly #underWay = new Set<Promise<void>>();

  constructor(clock: Clock, kind: RequestClass, lookup: LookupFunction) {
    this.#clock = clock;
    this.#dispatcher = dispatcherFor(kind, lookup);
  }

  request(prepared: PreparedRequest, deadlineMs: number, done: (result: HttpResult) => void): void {
    const work = this.#answer(prepared, deadlineMs, done).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
    await Promise.allSettled(this.#underWay);
  }

  async #answer(prepared: PreparedRequest, deadlineMs: number, done: (result: HttpResult) => void): Promise<void> {
    done(await this.#run(prepared, deadlineMs));
  }

  /** Armed until the last byte of the body. Never rejects. */
  #run({ url, method, headers, body }: PreparedRequest, deadlineMs: number): Promise<HttpResult> {
    return new Promise((resolve) => {
      let expired = false;
      const exchange = new HttpExchange((exchanged) => {
        disarm();
        resolve(expired ? late(deadlineMs) : resultOf(exchanged));
      });
      const disarm = this.#clock.after(deadlineMs, () => {
        expired = true;
        exchange.abort(new errors.RequestAbortedError());
      });
      const pathAt = url.indexOf('/', url.indexOf('//') + 2);
      const [origin, path] = [url.slice(0, pathAt), url.slice(pathAt)];
      try {
        this.#dispatcher.dispatch({ origin, path, method, headers, body: body === '' ? null : body }, exchange);
      } catch (error) {
        exchange.onResponseError(null, error);
      }
    });
  }
}

function late(deadlineMs: number): HttpResult {
  return { kind: 'unknown', reason: `no whole answer within ${deadlineMs} ms` };
}

function resultOf(exchanged: Exchanged): HttpResult {
  if (exchanged.kind === 'response') return exchanged;
  const reason = describe(exchanged.error);
  return provesNotSent(exchanged.error) ? { kind: 'not-sent', reason } : { kind: 'unknown', reason };
}

export function createHttpTransports(clock: Clock, lookup = createLastGoodLookup(clock)): HttpTransports {
  return {
    orders: new UndiciTransport(clock, 'orders', lookup),
    reconcile: new UndiciTransport(clock, 'reconcile', lookup),
    public: new UndiciTransport(clock, 'public', lookup),
  };
}
