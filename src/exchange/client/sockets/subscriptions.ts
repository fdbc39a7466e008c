/** Desired and requested channels of a connection. */
import { asWritten, type Knobs } from '../../../model/knobs.ts';
import { encodeSubscription, type ServerMessage, type SubscriptionMethod } from '../../wire/socket-messages.ts';

type Reply = Extract<ServerMessage, { kind: 'reply' }>;

interface Request {
  readonly method: SubscriptionMethod;
  readonly channels: readonly string[];
}

export interface ReplyEffect {
  readonly acknowledged: readonly string[];
  readonly refused: readonly string[];
  readonly error: string;
}

const CHANNELS_MAX = 2048;
const CHANNELS_PER_REQUEST_MAX = 100;
/** Bound on unanswered requests; replies are undocumented. */
const REQUESTS_MAX = 256;

const NO_EFFECT: ReplyEffect = { acknowledged: [], refused: [], error: '' };

export class Subscriptions {
  readonly #desired = new Set<string>();
  /** Includes refused ones, to avoid endless requests. */
  readonly #requested = new Set<string>();
  readonly #requests = new Map<number, Request>();
  /** Channels of a refused request with an unknown offender. */
  readonly #alone = new Set<string>();
  readonly #perRequest: number;
  #nextId = 1;

  constructor(knobs: Knobs = asWritten) {
    this.#perRequest = knobs('channels-per-request', CHANNELS_PER_REQUEST_MAX);
  }

  get desired(): ReadonlySet<string> {
    return this.#desired;
  }

  want(channels: readonly string[]): readonly string[] {
    const rejected: string[] = [];
    for (const channel of channels) {
      if (this.#desired.size < CHANNELS_MAX || this.#desired.has(channel)) this.#desired.add(channel);
      else rejected.push(channel);
    }
    return rejected;
  }

  unwant(channels: readonly string[]): void {
    for (const channel of channels) this.#desired.delete(channel);
  }

  reset(): void {
    this.#requested.clear();
    this.#requests.clear();
    this.#alone.clear();
  }

  difference(): string[] {
    const missing = [...this.#desired].filter((channel) => !this.#requested.has(channel));
    const surplus = [...this.#requested].filter((channel) => !this.#desired.has(channel));
    return [...this.#request('unsubscribe', surplus), ...this.#request('subscribe', missing)];
  }

  renew(channel: string): string[] {
    if (!this.#desired.has(channel)) return [];
    return [...this.#request('unsubscribe', [channel]), ...this.#request('subscribe', [channel])];
  }

  /**
   * Subscribing is all or nothing: after a refusal `difference()` retries the other channels, each alone if nobody
   * names the offender.
   */
  replied(reply: Reply): ReplyEffect {
    const request = reply.id === null ? undefined : this.#requests.get(reply.id);
    if (request === undefined || reply.id === null) return NO_EFFECT;
    this.#requests.delete(reply.id);
    if (request.method === 'unsubscribe') return NO_EFFECT;
    if (reply.success) return { acknowledged: request.channels, refused: [], error: '' };
    const named = request.channels.filter((channel) => reply.channels.includes(channel));
    const certain = named.length < request.channels.length ? named : [];
    const refused = request.channels.length === 1 ? request.channels : certain;
    for (const channel of request.channels) if (!refused.includes(channel)) this.#requested.delete(channel);
    if (refused.length === 0) for (const channel of request.channels) this.#alone.add(channel);
    return { acknowledged: [], refused, error: reply.error ?? 'refused without a reason' };
  }

  #request(method: SubscriptionMethod, channels: readonly string[]): string[] {
    const single = method === 'subscribe' ? channels.filter((channel) => this.#alone.has(channel)) : [];
    const together = single.length === 0 ? channels : channels.filter((channel) => !this.#alone.has(channel));
    const groups = single.map((channel) => [channel]);
    for (let at = 0; at < together.length; at += this.#perRequest) {
      groups.push(together.slice(at, at + this.#perRequest));
    }
    return groups.map((group) => this.#encode(method, group));
  }

  #encode(method: SubscriptionMethod, channels: readonly string[]): string {
    const id = this.#nextId++;
    this.#requests.set(id, { method, channels });
    const oldest = this.#requests.keys().next().value;
    if (this.#requests.size > REQUESTS_MAX && oldest !== undefined) this.#requests.delete(oldest);
    for (const channel of channels) {
      this.#alone.delete(channel);
      if (method === 'subscribe') this.#requested.add(channel);
      else this.#requested.delete(channel);
    }
    return encodeSubscription(id, method, channels);
  }
}
