/**
 * A WebSocket connection as its users see it: a desired set of channels, frames that carry the generation of their
 * socket, and connection states. `socket.ts` implements it; `streams/` and `venue.ts` consume it.
 */
import type { Cancel } from '../../model/ports.ts';

/** One push of the exchange (wire profile, "WebSocket: assumed frames"), envelope decoded, payload not yet. */
export interface ChannelFrame {
  readonly channel: string;
  /** Null when the server sends none. */
  readonly seq: number | null;
  /** Server time, Unix ms; null when absent. */
  readonly ts: number | null;
  readonly data: unknown;
  /** Local receive time, µs. */
  readonly receiveUs: number;
  /** Counts connections; frames of an older generation are never delivered after a newer one is open. */
  readonly generation: number;
}

export type SocketState =
  | { readonly kind: 'connecting'; readonly generation: number; readonly attempt: number }
  /** Connected, logged in if private; subscriptions are sent, data may flow. */
  | { readonly kind: 'open'; readonly generation: number }
  | { readonly kind: 'lost'; readonly generation: number; readonly reason: string }
  /** Login refused or stopped for good: no further attempt is made. */
  | { readonly kind: 'stopped'; readonly generation: number; readonly reason: string };

export interface ChannelListener {
  frame(frame: ChannelFrame): void;
  state(state: SocketState): void;
  /** A push of this connection could not be read, not even of which channel it is: what it told is missing. */
  unreadable?(problem: string): void;
  /** The exchange refused a subscription. */
  refused?(channel: string, error: string): void;
  /** The exchange confirmed subscriptions of this connection. */
  acknowledged?(channels: readonly string[]): void;
}

export interface ChannelSource {
  /** Adds to the desired set; the set is compared with the actual one and only the difference is sent (set semantics). */
  subscribe(channels: readonly string[]): void;
  unsubscribe(channels: readonly string[]): void;
  /** Unsubscribes and subscribes again, for a channel that has gone mute. */
  resubscribe(channel: string): void;
  /** Terminates the connection and connects anew. */
  reconnect(reason: string): void;
  listen(listener: ChannelListener): Cancel;
  readonly state: SocketState;
}
