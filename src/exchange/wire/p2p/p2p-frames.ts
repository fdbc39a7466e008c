/** Frames of the P2P socket, both directions: `{event, data}` (assumed). Reading never throws. */
import { z } from 'zod';
import { decodeBy, failureText, isRecord, sampleOf } from '../decoded.ts';
import { parseExact } from '../exact-json.ts';
import { advertisementSchema, p2pTradeSchema } from './p2p.ts';
import type { Advertisement, P2pTrade } from '../../../model/funds/p2p.ts';
import { id, text, time } from '../scalars.ts';

/** The server stores no chat (assumed). */
export interface P2pChatMessage {
  readonly roomId: string;
  readonly userId: string;
  readonly text: string;
  readonly createdAt: number;
}

/** Advertisements come without trades; trades and messages only to their two parties. */
export type P2pEvent =
  | { readonly kind: 'trade'; readonly trade: P2pTrade }
  | { readonly kind: 'advertisement'; readonly advertisement: Advertisement }
  | { readonly kind: 'message'; readonly message: P2pChatMessage };

export type P2pFrame =
  | { readonly kind: 'event'; readonly event: P2pEvent }
  | { readonly kind: 'pong' }
  /** Our message was refused. */
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

const messageSchema: z.ZodType<P2pChatMessage> = z.object({ roomId: id, userId: id, text, createdAt: time });

function readEvent(name: string, data: unknown): P2pFrame {
  const source = `p2p socket, event ${name}`;
  if (name === 'trade') {
    const trade = decodeBy(p2pTradeSchema, source, data);
    if (trade.kind === 'failure') return { kind: 'unreadable', problem: failureText(trade) };
    return { kind: 'event', event: Object.freeze({ kind: 'trade', trade: trade.value }) };
  }
  if (name === 'advertisement') {
    const row = decodeBy(advertisementSchema, source, data);
    if (row.kind === 'failure') return { kind: 'unreadable', problem: failureText(row) };
    return { kind: 'event', event: Object.freeze({ kind: 'advertisement', advertisement: row.value }) };
  }
  if (name === 'message') {
    const message = decodeBy(messageSchema, source, data);
    if (message.kind === 'failure') return { kind: 'unreadable', problem: failureText(message) };
    return { kind: 'event', event: Object.freeze({ kind: 'message', message: message.value }) };
  }
  if (name === 'error') {
    const code = isRecord(data) && typeof data['code'] === 'string' ? data['code'] : sampleOf(data);
    return { kind: 'error', code };
  }
  return { kind: 'unreadable', problem: `unknown event (${sampleOf(name)})` };
}

export function readP2pFrame(frame: string): P2pFrame {
  let json: unknown;
  try {
    json = parseExact(frame);
  } catch {
    return { kind: 'unreadable', problem: `not JSON (${sampleOf(frame)})` };
  }
  if (!isRecord(json)) return { kind: 'unreadable', problem: `not an object (${sampleOf(frame)})` };
  if (json['pong'] !== undefined) return { kind: 'pong' };
  const { event, data } = json;
  if (typeof event !== 'string') return { kind: 'unreadable', problem: `neither event nor pong (${sampleOf(frame)})` };
  return readEvent(event, data);
}

export function encodeChatMessage(roomId: string, line: string): string {
  return JSON.stringify({ event: 'message', data: { roomId, text: line } });
}
