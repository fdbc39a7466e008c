/** A WebSocket connection as its users see it. */
import type { Cancel } from '../../../model/ports.ts';

/** Payload not decoded (interface, "Channels"). */
export interface ChannelFrame {
  readonly channel: string;
  readonly seq: number | null;
  /** Unix ms. */
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
  | { readonly kind: 'stopped'; readonly generation: number; readonly reason: string };

export interface ChannelListener {
  frame(frame: ChannelFrame): void;
  state(state: SocketState): void;
  /** Not even its channel; its content is missing. */
  unreadable?(problem: string): void;
  refused?(channel: string, error: string): void;
  acknowledged?(channels: readonly string[]): void;
}

export interface ChannelSource {
  subscribe(channels: readonly string[]): void;
  unsubscribe(channels: readonly string[]): void;
  resubscribe(channel: string): void;
  reconnect(reason: string): void;
  listen(listener: ChannelListener): Cancel;
  readonly state: SocketState;
}
