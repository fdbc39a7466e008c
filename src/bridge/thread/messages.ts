/** What passes between a session's thread and the thread of its server. Plain data. */
import type { PageCall, PageRead } from '../../exchange/client/page-read.ts';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import type { SignalTaken } from '../../session/signals/entrance.ts';
import type { LivePart, Top } from '../live/live-part.ts';
import type { Book, Candle, EquityPoint } from '../schemas/market.ts';

/** What the clients of the server show. */
export interface Wanted {
  /** Live parts are wanted. */
  readonly live: boolean;
  /** Symbol to levels a side. */
  readonly books: Readonly<Record<string, number>>;
}

export type Asked =
  | { readonly kind: 'curve' }
  | { readonly kind: 'candles'; readonly symbol: string; readonly intervalMs: number; readonly limit: number }
  /** A read of the exchange, by the client of the session. */
  | { readonly kind: 'exchange'; readonly call: PageCall }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'signal'; readonly signal: InboundSignal };

export type Told =
  | { readonly kind: 'curve'; readonly points: readonly EquityPoint[] }
  /** Null: the exchange has none of that interval. */
  | { readonly kind: 'candles'; readonly candles: readonly Candle[] | null }
  | { readonly kind: 'exchange'; readonly read: PageRead }
  /** Prometheus text. */
  | { readonly kind: 'metrics'; readonly text: string }
  | { readonly kind: 'signal'; readonly taken: SignalTaken };

export type ToServer =
  /** The session can be commanded from here on. */
  | { readonly kind: 'attached' }
  | { readonly kind: 'detached' }
  | { readonly kind: 'live'; readonly part: LivePart }
  | { readonly kind: 'market'; readonly at: number; readonly tops: readonly Top[]; readonly books: readonly Book[] }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: RemoteAnswer }
  | { readonly kind: 'told'; readonly id: number; readonly told: Told }
  | { readonly kind: 'stop' };

export type ToSession =
  | { readonly kind: 'listening'; readonly url: string; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly remedy: string }
  | { readonly kind: 'wanted'; readonly wanted: Wanted }
  | { readonly kind: 'order'; readonly id: number; readonly order: RemoteOrder }
  | { readonly kind: 'ask'; readonly id: number; readonly asked: Asked }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly fields: object;
      readonly message: string;
    }
  | { readonly kind: 'stopped' };
