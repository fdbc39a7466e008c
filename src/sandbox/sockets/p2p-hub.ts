/**
 * The P2P socket (assumed: `/websocket/p2p?token=<JWT>`, `{event, data}`). Trades go to their parties, active
 * advertisements to all, chat to the room. Clients send `{"event": "message", "data": {"roomId", "text"}}` or
 * `{"method": "ping"}`. A socket ends with its token; chat is not stored.
 */
import { MessageCount, readFrame, type SocketClient } from './client-frames.ts';
import { advertisementSummary, type Advertisement } from '../core/p2p/advertisement.ts';
import type { P2pChange } from '../core/p2p/p2p-parts.ts';
import { isParty, p2pTradeBody } from '../core/p2p/trade.ts';
import type { User } from '../core/identity/users.ts';
import type { HubPorts } from './hub-ports.ts';
import type { ServerConnection } from './socket-session.ts';

const SESSIONS_MAX = 10_000;
const TEXT_MAX = 1000;
const ROOM = /^room-(\d+)$/;

interface Member {
  readonly user: User;
  readonly token: string;
  readonly connection: ServerConnection;
  readonly messages: MessageCount;
}

export class P2pHub {
  readonly #ports: HubPorts;
  readonly #members = new Set<Member>();
  /** Published to strangers as active. */
  readonly #shown = new Set<Advertisement>();

  constructor(ports: HubPorts) {
    this.#ports = ports;
    ports.exchange.money.p2p.announce = (change) => this.#announce(change);
  }

  isGood(token: string): boolean {
    return typeof this.#ports.exchange.identity.userOfToken(token, this.#ports.now()) !== 'string';
  }

  /** Undefined for an invalid token or too many sockets. */
  attach(connection: ServerConnection, token: string): SocketClient | undefined {
    const user = this.#ports.exchange.identity.userOfToken(token, this.#ports.now());
    if (typeof user === 'string' || this.#members.size >= SESSIONS_MAX) return undefined;
    const messages = new MessageCount(this.#ports.settings.messagesPerSecondMax, 0);
    const member: Member = { user, token, connection, messages };
    this.#members.add(member);
    return {
      receive: (text) => this.#receive(member, text),
      ended: () => {
        this.#members.delete(member);
      },
    };
  }

  stop(): void {
    for (const member of this.#members) this.#close(member, 1001, 'the sandbox stops');
  }

  #announce(change: P2pChange): void {
    if (change.kind === 'advertisement') this.#announceAdvertisement(change.advertisement);
    else if (this.#members.size > 0) {
      const { trade } = change;
      this.#push('trade', p2pTradeBody(trade), (user) => isParty(trade, user));
    }
  }

  /** Strangers get active states and the deactivation once. */
  #announceAdvertisement(advertisement: Advertisement): void {
    const wasShown = this.#shown.delete(advertisement);
    const isShown = advertisement.status === 'active';
    if (isShown) this.#shown.add(advertisement);
    if (this.#members.size === 0) return;
    const { maker, trades } = advertisement;
    const isFor = (user: User): boolean =>
      isShown || wasShown || maker === user || trades.some((trade) => isParty(trade, user));
    this.#push('advertisement', advertisementSummary(advertisement, this.#ports.exchange.money.p2p.reputation), isFor);
  }

  #push(event: string, data: object, isFor: (user: User) => boolean): void {
    const text = JSON.stringify({ event, data });
    for (const member of this.#members) {
      if (isFor(member.user)) this.#send(member, text);
    }
  }

  #send(member: Member, text: string): void {
    const { connection, token } = member;
    if (!this.isGood(token)) this.#close(member, 1008, 'the token has expired');
    else if (connection.bufferedBytes > this.#ports.settings.sendBufferBytesMax) {
      this.#members.delete(member);
      connection.terminate();
    } else connection.send(text);
  }

  #close(member: Member, code: number, reason: string): void {
    this.#members.delete(member);
    member.connection.close(code, reason);
  }

  #receive(member: Member, text: string | undefined): void {
    if (!this.#members.has(member)) return;
    if (member.messages.isFlood(this.#ports.settings.clock.now())) {
      this.#close(member, 1008, 'too many messages');
      return;
    }
    const message = readFrame(text);
    if (message?.['method'] === 'ping') this.#send(member, JSON.stringify({ pong: this.#ports.now() }));
    else if (message?.['event'] !== 'message' || !this.#relay(member, message['data'])) {
      this.#send(member, JSON.stringify({ event: 'error', data: { code: 'bad_request' } }));
    }
  }

  /** False for an invalid message or a foreign room. */
  #relay({ user }: Member, data: unknown): boolean {
    if (typeof data !== 'object' || data === null || !('roomId' in data) || !('text' in data)) return false;
    const { roomId, text } = data;
    if (typeof roomId !== 'string' || typeof text !== 'string' || text === '' || text.length > TEXT_MAX) return false;
    const trade = this.#ports.exchange.money.p2p.trades.find(ROOM.exec(roomId)?.[1] ?? '');
    if (trade === undefined || !isParty(trade, user)) return false;
    const message = { roomId, userId: user.userId, text, createdAt: new Date(this.#ports.now()).toISOString() };
    this.#push('message', message, (other) => isParty(trade, other));
    return true;
  }
}
