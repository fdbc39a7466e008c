/**
 * The ports: everything that touches time, chance or the outside comes through one of these, so that backtest, replay
 * and fault simulation are exact (wall 6). Implementations live on the floors above; tests use the simulated ones.
 */

/** Undoes a timer or a listener; calling it twice is harmless. */
export type Cancel = () => void;

export interface Clock {
  /** Unix ms, may have a fraction. */
  now(): number;
  /** Unix microseconds, integer. */
  nowUs(): number;
  /** Runs once after `delayMs` (below 0 counts as 0). */
  after(delayMs: number, run: () => void): Cancel;
  /** Runs every `intervalMs`, first after one interval; no drift: due times are start + n × interval. */
  every(intervalMs: number, run: () => void): Cancel;
  /**
   * Runs when the promises of the present turn of the event loop have run. Absent where time is simulated: whoever drives
   * it lets promises run.
   */
  readonly afterTurn?: (run: () => void) => void;
}

/** Seeded chance. `fork(name)` gives an independent stream whose values do not depend on how much others drew. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  fork(name: string): Random;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A structural subset of pino's logger. Never give it secrets or raw error objects of a transport. */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
  child(bindings: object): Logger;
}

export const silentLogger: Logger = Object.freeze({
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
});

/** A reason not to take new risk. Cancels and reduce-only orders pass a closed gate (reliability §0.9). */
export interface Gate {
  readonly name: string;
  /** Null when open, else a sentence that says why it is closed. `symbol` narrows the question. */
  closedBecause(symbol: string): GateClosure | null;
}

export interface GateClosure {
  readonly reason:
    | 'stale_data'
    | 'no_market'
    | 'not_reconciled'
    | 'stream_down'
    | 'loop_lag'
    | 'clock_doubt'
    | 'position_mismatch'
    | 'overfilled'
    | 'orders_blocked'
    | 'another_instance'
    | 'margin_settings'
    | 'symbol_halted'
    | 'instrument_changed'
    | 'liquidated'
    | 'restored'
    | 'journal_failed'
    | 'auth_failed'
    | 'killed'
    | 'stopping';
  readonly message: string;
}

/** Which queue a request waits in; the most urgent first (reliability §5.2). */
export type Lane = 'kill' | 'cancel' | 'reduce' | 'create' | 'reconcile' | 'history' | 'public';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Bytes as they will leave. Built once at dispatch: sign(bytes) == send(bytes). */
export interface PreparedRequest {
  /** Absolute URL. */
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty string: no body is sent. */
  readonly body: string;
}

export type HttpResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** Proved that no byte left: DNS, connect refused, connect timeout. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** Bytes may have left and no whole answer came. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** One HTTP exchange, at most once, never retried, never redirected. `deadlineMs` covers DNS to the last body byte. */
export interface HttpTransport {
  request(request: PreparedRequest, deadlineMs: number, done: (result: HttpResult) => void): void;
  close(): Promise<void>;
}

export interface SocketHandlers {
  open(): void;
  /** One text frame. */
  message(text: string): void;
  /** Called exactly once, also after an error. */
  close(code: number, reason: string): void;
}

export interface SocketConnection {
  /** `sent(false)` when the frame surely was not handed over. */
  send(text: string, sent?: (ok: boolean) => void): void;
  readonly bufferedBytes: number;
  /** Orderly close, for the end of a session. */
  close(): void;
  /** At once, for a suspect connection. */
  terminate(): void;
}

export interface SocketTransport {
  connect(url: string, handlers: SocketHandlers): SocketConnection;
}

/** Persisted values of strategies; journalled. Keys are `<tag>/<name>`, values JSON text. */
export interface StateStore {
  get(key: string): string | undefined;
  set(key: string, json: string): void;
}

/** The market as risk and quoting read it: the book that the strategies see, now. */
export interface MarketReader {
  /** Undefined while the symbol has no usable book. Ticks; lots of an empty side are 0. */
  best(
    symbol: string,
  ):
    | { readonly bidTicks: number; readonly bidLots: number; readonly askTicks: number; readonly askLots: number }
    | undefined;
  /** Mid as a JS number, or the last close where only candles exist; undefined when unknown. */
  mid(symbol: string): number | undefined;
}
