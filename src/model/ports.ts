/** The ports of time, chance and I/O. */
import type { Sweep } from './book/sweep.ts';
import type { VenueFill } from './trading/fill.ts';
import type { Side } from './trading/order.ts';

/** May be called twice. */
export type Cancel = () => void;

export interface Clock {
  /** May be fractional. */
  now(): number;
  /** Integer. */
  nowUs(): number;
  /** Negative counts as 0. */
  after(delayMs: number, run: () => void): Cancel;
  /** At start + n × `intervalMs`, n ≥ 1, without drift. */
  every(intervalMs: number, run: () => void): Cancel;
  /** After pending promises. Absent in simulated time. */
  readonly afterTurn?: (run: () => void) => void;
}

/** `fork(name)`: an independent stream. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  fork(name: string): Random;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A subset of pino's. Never pass secrets or raw transport errors. */
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

/** Against new risk only: cancels and reduce-only orders pass. */
export interface Gate {
  readonly name: string;
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

/** Most urgent first. `page`: for a reader of the dashboard; it leaves only while nothing else would wait. */
export type Lane = 'kill' | 'cancel' | 'reduce' | 'create' | 'reconcile' | 'history' | 'public' | 'page';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Signed at dispatch; sent byte for byte. */
export interface PreparedRequest {
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: no body. */
  readonly body: string;
}

export type HttpResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** No byte left: DNS, connect refused or timed out. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** Bytes may have left; no complete answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** One exchange, no retry or redirect. `deadlineMs`: DNS to last body byte. */
export interface HttpTransport {
  request(request: PreparedRequest, deadlineMs: number, done: (result: HttpResult) => void): void;
  close(): Promise<void>;
}

export interface SocketHandlers {
  open(): void;
  message(text: string): void;
  /** Exactly once, also after an error. */
  close(code: number, reason: string): void;
}

export interface SocketConnection {
  /** `sent(false)`: certainly not sent. */
  send(text: string, sent?: (ok: boolean) => void): void;
  readonly bufferedBytes: number;
  close(): void;
  terminate(): void;
}

export interface SocketTransport {
  connect(url: string, handlers: SocketHandlers): SocketConnection;
}

/** Journalled. Keys are `<tag>/<name>`, values JSON text. */
export interface StateStore {
  get(key: string): string | undefined;
  set(key: string, json: string): void;
}

/** Of an own fill; `ts` exchange time, Unix ms. */
export type ShownPrice = Pick<VenueFill, 'symbol' | 'price' | 'ts' | 'liquidity'>;

export interface MarketReader {
  /** Lots of an empty side are 0. Undefined without a usable book. */
  best(
    symbol: string,
  ):
    | { readonly bidTicks: number; readonly bidLots: number; readonly askTicks: number; readonly askLots: number }
    | undefined;
  /** Or the last close with candles only. */
  mid(symbol: string): number | undefined;
  /** What a market order would meet. Undefined without a usable book, or with an empty side. */
  sweep(symbol: string, side: Side, lots: number): Sweep | undefined;
  /**
   * Calls on each event of a kind, in exchange order. `price`: quote units; NaN for a `quote` if `best` has it; on bars
   * alone the prices along a bar from open (`isOpen`) to close. `quantity`: base units. Throws `unknown_symbol`.
   */
  follow?(
    symbol: string,
    kind: 'quote' | 'trade' | 'mark',
    hear: (price: number, quantity: number, isOpen?: true) => void,
  ): Cancel;
  /**
   * An own fill has shown a price. Without a book it is the last one: of a bar that runs nothing else is known before its
   * close.
   */
  traded?(fill: ShownPrice): void;
  /**
   * Volume that earlier days traded in each part of a time of day, base units: the mean of up to seven. Null: no earlier
   * day is known. Throws `unknown_symbol`.
   */
  volumes?(symbol: string, fromMs: number, overMs: number, parts: number): readonly number[] | null;
}
