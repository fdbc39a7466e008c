/**
 * A real WebSocket server on port 0 that speaks the exchange's messages: login, subscriptions with all-or-nothing
 * replies, pings. Tests mute it, cut it and push through it.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  encodeAuthReply,
  encodePong,
  encodePush,
  encodeReply,
  readClientMessage,
  type ClientMessage,
} from '../../../src/exchange/wire/socket-messages.ts';

export interface Session {
  readonly socket: WebSocket;
  readonly channels: Set<string>;
  readonly messages: ClientMessage[];
}

export class SocketServer {
  readonly sessions: Session[] = [];
  /** Refuses logins with this error. */
  loginError: string | null = null;
  /** Answers nothing at all. */
  mute = false;
  /** Subscriptions are lost on their way; logins and pings are answered. */
  losesSubscriptions = false;
  /** Channels that are refused. */
  forbidden: ReadonlySet<string> = new Set();
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket) => this.#accept(socket));
  }

  static async start(): Promise<SocketServer> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    return new SocketServer(server);
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `ws://127.0.0.1:${port}`;
  }

  get last(): Session {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('nobody connected');
    return session;
  }

  push(channel: string, data: unknown, seq: number | null = null): void {
    this.last.socket.send(encodePush(channel, seq, 1_700_000_000_000, data));
  }

  async close(): Promise<void> {
    for (const { socket } of this.sessions) socket.terminate();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: WebSocket): void {
    const session: Session = { socket, channels: new Set(), messages: [] };
    this.sessions.push(session);
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const message = readClientMessage(data.toString('utf8'));
      session.messages.push(message);
      const reply = this.mute ? null : this.#reply(session, message);
      if (reply !== null) socket.send(reply);
    });
  }

  #reply(session: Session, message: ClientMessage): string | null {
    switch (message.kind) {
      case 'ping':
        return encodePong(1);
      case 'auth':
        return encodeAuthReply(this.loginError);
      case 'subscription': {
        if (this.losesSubscriptions) return null;
        const { id, method, channels } = message;
        const bad = channels.filter((channel) => this.forbidden.has(channel));
        if (method === 'subscribe' && bad.length > 0) return encodeReply(id, method, bad, 'insufficient_permissions');
        for (const channel of channels) {
          if (method === 'subscribe') session.channels.add(channel);
          else session.channels.delete(channel);
        }
        return encodeReply(id, method, channels);
      }
      default:
        return null;
    }
  }
}
