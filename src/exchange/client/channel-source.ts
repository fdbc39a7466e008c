/** A WebSocket connection as its users see it: desired channels, frames with a socket generation, connection states. */
import type { Cancel } from '../../model/ports.ts';

/** One push, payload not decoded (interface, "Channels"). */
export interface ChannelFrame {
  readonly channel: string;
  /** Null when absent. */
  readonly seq: number | null;
  /** Unix ms; null when absent. */
  readonly ts: number | null;
  readonly data: unknown;
  /** µs, local clock. */
  readonly receiveUs: number;
  /** Counts connections. Older frames are never delivered after a newer connection is open. */
  readonly generation: number;
}

export type SocketState =
  | { readonly kind: 'connecting'; readonly generation: number; readonly attempt: number }
  /** Logged in if private; subscriptions sent. */
  | { readonly kind: 'open'; readonly generation: number }
  | { readonly kind: 'lost'; readonly generation: number; readonly reason: string }
  /** Final: no further attempts. */
  | { readonly kind: 'stopped'; readonly generation: number; readonly reason: string };

export interface ChannelListener {
  frame(frame: ChannelFrame): void;
  state(state: SocketState): void;
  /** A push could not be read, not even its channel; its content is missing. */
  unreadable?(problem: string): void;
  refused?(channel: string, error: string): void;
  acknowledged?(channels: readonly string[]): void;
}

export interface ChannelSource {
  /** Adds to the desired set; only the difference to the actual set is sent. */
  subscribe(channels: readonly string[]): void;
  unsubscribe(channels: readonly string[]): void;
  /** Unsubscribes and subscribes a stale channel again. */
  resubscribe(channel: string): void;
  /** Replaces the connection. */
  reconnect(reason: string): void;
  listen(listener: ChannelListener): Cancel;
  readonly state: SocketState;
}
