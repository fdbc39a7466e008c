/**
 * One client of the exchange WebSocket. Subscriptions are all or nothing. Floods and full send buffers end the
 * connection.
 */
import { sameSignature, signSocketLogin } from '../../exchange/interface/signature.ts';
import type { clientMessageRows, frameErrors } from '../../exchange/interface/client-messages.ts';
import { KEY_PATTERN } from '../../exchange/interface/limits.ts';
import type { LoginRefusal } from '../../exchange/interface/refusals.ts';
import { MessageCount, readFrame, type SocketClient } from './client-frames.ts';
import { doubtKey, permits, type ApiKey } from '../core/identity/keys.ts';
import { SUBSCRIPTIONS_MAX, type SandboxSettings } from '../options.ts';
import type { HubPorts } from './hub-ports.ts';
import { createTopic, type Topic } from './publisher.ts';

export interface ServerConnection {
  send(text: string): void;
  readonly bufferedBytes: number;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface SessionHub {
  readonly ports: HubPorts;
  add(session: SocketSession, topic: Topic): void;
  remove(session: SocketSession, topic: Topic): void;
  forget(session: SocketSession): void;
}

const DELAYED_MAX = 100_000;

type ClientMessage = Readonly<Record<string, unknown>>;
type SubscribeError = Extract<(typeof clientMessageRows)[number], { method: 'subscribe' }>['errors'][number];
type FrameError = (typeof frameErrors)[number];

export class SocketSession implements SocketClient {
  readonly topics = new Map<string, Topic>();
  key: ApiKey | null = null;
  /** Port time. */
  lastHeardMs: number;
  readonly #hub: SessionHub;
  readonly #connection: ServerConnection;
  readonly #address: string;
  readonly #settings: SandboxSettings;
  readonly #messages: MessageCount;
  #closed = false;
  /** Delayed pushes, and their earliest port time. */
  readonly #delayed: string[] = [];
  #delayedUntilMs = 0;

  constructor(hub: SessionHub, connection: ServerConnection, address: string) {
    const { settings } = hub.ports;
    this.#hub = hub;
    this.#connection = connection;
    this.#address = address;
    this.#settings = settings;
    this.lastHeardMs = settings.clock.now();
    this.#messages = new MessageCount(settings.messagesPerSecondMax, this.lastHeardMs);
  }

  send(text: string): void {
    if (this.#closed) return;
    if (this.#connection.bufferedBytes > this.#settings.sendBufferBytesMax) {
      this.#hub.ports.logger.warn({ bytes: this.#connection.bufferedBytes }, 'slow subscriber disconnected');
      this.terminate();
      return;
    }
    this.#connection.send(text);
  }

  /** A delayed push holds back later ones. */
  deliver(text: string, delayMs: number): void {
    const { clock } = this.#settings;
    const now = clock.now();
    if (delayMs === 0 && this.#delayed.length === 0) {
      this.send(text);
      return;
    }
    if (this.#delayed.length >= DELAYED_MAX) {
      this.terminate();
      return;
    }
    this.#delayed.push(text);
    this.#delayedUntilMs = Math.max(this.#delayedUntilMs, now + delayMs);
    clock.after(this.#delayedUntilMs - now, () => {
      const first = this.#delayed.shift();
      if (first !== undefined) this.send(first);
    });
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#connection.close(code, reason);
    this.ended();
  }

  terminate(): void {
    if (this.#closed) return;
    this.#connection.terminate();
    this.ended();
  }

  ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#hub.forget(this);
  }

  /** Any frame or protocol ping. */
  heard(): void {
    this.lastHeardMs = this.#settings.clock.now();
  }

  receive(text: string | undefined): void {
    if (this.#closed) return;
    this.heard();
    if (this.#messages.isFlood(this.lastHeardMs)) {
      this.close(1008, 'too many messages');
      return;
    }
    const message = readFrame(text);
    if (message === undefined) this.#reply({ success: false, error: 'invalid_json' satisfies FrameError });
    else this.#dispatch(message);
  }

  #dispatch(message: ClientMessage): void {
    const { method, id } = message;
    if (method === 'ping') this.#reply({ pong: this.#hub.ports.now() });
    else if (method === 'auth') {
      const error = this.#loginError(message);
      this.#reply({ method, success: error === undefined, error });
    } else if (method === 'subscribe' || method === 'unsubscribe') this.#change(method, message);
    else if (method === 'list_subscriptions') {
      const data = [...this.topics.values()].map((topic) => topic.channel);
      if (typeof id === 'number') this.#reply({ id, method, success: true, data });
      else this.#reply({ id: null, method, success: false, error: 'bad_request' });
    } else {
      this.#reply({
        ...(typeof id === 'number' ? { id } : {}),
        ...(typeof method === 'string' ? { method: method.slice(0, 100) } : {}),
        success: false,
        error: 'unknown_method' satisfies FrameError,
      });
    }
  }

  /** Undefined: logged in. */
  #loginError({ key: publicKey, timestamp, signature }: ClientMessage): LoginRefusal | undefined {
    if (typeof publicKey !== 'string' || !KEY_PATTERN.test(publicKey)) return 'invalid_key_format';
    const key = this.#hub.ports.exchange.identity.keys.find(publicKey);
    const isTime = typeof timestamp === 'number' && Number.isFinite(timestamp);
    const doubt = doubtKey(key, isTime ? timestamp : Number.NaN, this.#address, this.#hub.ports.now());
    if (doubt === 'key_expired') return 'key_expired';
    if (doubt === 'timestamp_expired') return 'timestamp_out_of_range';
    if (key === undefined || doubt !== undefined) return 'key_not_found';
    if (!isTime) return 'timestamp_out_of_range';
    if (typeof signature !== 'string') return 'invalid_signature';
    const expected = signSocketLogin(key.secret, publicKey, timestamp);
    if (!sameSignature(expected, signature.toLowerCase())) return 'invalid_signature';
    this.key = key;
    this.#dropForbidden(key.userId);
    return undefined;
  }

  /** Removes private topics that the new login may not read. */
  #dropForbidden(userId: string): void {
    for (const topic of this.topics.values()) {
      if (topic.userId === null) continue;
      const isAllowed = topic.userId === userId && this.#channelError(topic.channel, 'subscribe') === undefined;
      if (!isAllowed) this.#hub.remove(this, topic);
    }
  }

  #change(method: 'subscribe' | 'unsubscribe', { id, data }: ClientMessage): void {
    if (typeof id !== 'number' || !isTextList(data) || data.length > SUBSCRIPTIONS_MAX) {
      this.#reply({ id: typeof id === 'number' ? id : null, method, success: false, error: 'bad_request', data: [] });
      return;
    }
    const names = [...new Set(data)];
    const refused = names.flatMap((channel) => {
      const error = this.#channelError(channel, method);
      return error === undefined ? [] : [{ channel, error }];
    });
    const [first] = refused;
    if (first !== undefined) {
      this.#reply({ id, method, success: false, error: first.error, data: refused.map(({ channel }) => channel) });
      return;
    }
    if (method === 'subscribe' && this.topics.size + names.length > SUBSCRIPTIONS_MAX) {
      this.#reply({ id, method, success: false, error: 'limit_reached' satisfies SubscribeError, data: names });
      return;
    }
    this.#reply({ id, method, success: true, data: names });
    for (const topic of names.map((channel) => this.#topic(channel))) {
      if (method === 'unsubscribe') this.#hub.remove(this, topic);
      else if (!this.topics.has(topic.key)) this.#hub.add(this, topic);
    }
  }

  #channelError(channel: string, method: 'subscribe' | 'unsubscribe'): SubscribeError | undefined {
    const parsed = this.#settings.channels.parse(channel);
    if (parsed === undefined) return 'unknown_channel';
    const market = parsed.symbol === null ? undefined : this.#hub.ports.exchange.markets.get(parsed.symbol);
    if (parsed.symbol !== null && market === undefined) return 'unknown_channel';
    if (parsed.row.access === 'public') return undefined;
    if (this.key === null) return 'login_required';
    if (method === 'unsubscribe' || parsed.row.anyOf.length === 0) return undefined;
    const own = market?.instrument.market === 'derivative' ? 'trading_futures' : 'trading_spot';
    const isOfMarket = (category: string): boolean => market === undefined || category === own;
    return permits(this.key, parsed.row.anyOf.filter(isOfMarket), 'read_only') ? undefined : 'insufficient_permissions';
  }

  #topic(channel: string): Topic {
    const isPrivate = this.#settings.channels.parse(channel)?.row.access === 'private';
    return createTopic(channel, isPrivate && this.key !== null ? this.key.userId : null);
  }

  #reply(message: object): void {
    this.send(JSON.stringify(message));
  }
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
