/** The exchange WebSocket as a `ChannelSource`. Errors of listeners are contained. */
import { messageOf } from '../../../model/errors.ts';
import type { Knobs } from '../../../model/knobs.ts';
import type { Cancel, Clock, Logger, Random, SocketTransport } from '../../../model/ports.ts';
import { signSocketLogin } from '../../interface/signature.ts';
import { parseExact } from '../../wire/exact-json.ts';
import { encodeAuth, readServerMessage, type ServerMessage } from '../../wire/socket-messages.ts';
import type { ChannelListener, ChannelSource, SocketState } from './channel-source.ts';
import type { Credentials } from '../credentials.ts';
import { ReconnectingLink } from './reconnecting-link.ts';
import { Subscriptions } from './subscriptions.ts';

export type RawTap = (text: string, receiveUs: number, generation: number) => void;

export interface ExchangeSocketDeps {
  /** `{wsUrl}/websocket/exchange`. */
  readonly url: string;
  readonly transport: SocketTransport;
  readonly clock: Clock;
  /** Unadjusted clock. */
  readonly steady?: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Unix ms. */
  readonly exchangeNow: () => number;
  /** Null: public channels, no login. */
  readonly credentials: Credentials | null;
  readonly logger: Logger;
  readonly knobs?: Knobs;
  readonly onClockDoubt?: () => void;
}

export interface SocketCounts {
  readonly frames: number;
  /** Recorded anyway. */
  readonly unreadable: number;
  readonly connects: number;
}

const UNREADABLE_LOG_EVERY = 100;

export const LOGIN_REFUSED = 'login refused: ';

export class ExchangeSocket implements ChannelSource {
  readonly #deps: ExchangeSocketDeps;
  readonly #link: ReconnectingLink;
  readonly #subscriptions: Subscriptions;
  readonly #listeners = new Set<ChannelListener>();
  readonly #taps = new Set<RawTap>();
  /** Sent on this socket, unanswered. */
  #awaitsLogin = false;
  #frames = 0;
  #unreadable = 0;

  constructor(deps: ExchangeSocketDeps) {
    const { url, knobs } = deps;
    this.#deps = deps;
    this.#subscriptions = new Subscriptions(knobs);
    this.#link = new ReconnectingLink(
      { ...deps, name: 'WebSocket' },
      {
        address: () => ({ url }),
        connected: () => this.#onConnected(),
        message: (text, receiveUs, generation) => this.#onMessage(text, receiveUs, generation),
        state: (state) => this.#onState(state),
      },
    );
  }

  get state(): SocketState {
    return this.#link.state;
  }

  /** Since the last message of any kind, ms; null: none yet. */
  get ageMs(): number | null {
    return this.#link.ageMs;
  }

  get counts(): SocketCounts {
    return { frames: this.#frames, unreadable: this.#unreadable, connects: this.#link.generation };
  }

  start(): void {
    this.#link.start();
  }

  /** Final; resolves when closed or after 3 s. */
  stop(): Promise<void> {
    return this.#link.stop();
  }

  subscribe(channels: readonly string[]): void {
    for (const channel of this.#subscriptions.want(channels)) {
      this.#tell((listener) => listener.refused?.(channel, 'too many channels'));
    }
    this.#sync();
  }

  unsubscribe(channels: readonly string[]): void {
    this.#subscriptions.unwant(channels);
    this.#sync();
  }

  resubscribe(channel: string): void {
    if (this.#link.isOpen) for (const message of this.#subscriptions.renew(channel)) this.#link.send(message);
  }

  reconnect(reason: string): void {
    this.#link.lose(reason);
  }

  listen(listener: ChannelListener): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onRaw(tap: RawTap): Cancel {
    this.#taps.add(tap);
    return () => void this.#taps.delete(tap);
  }

  #onState(state: SocketState): void {
    this.#awaitsLogin = false;
    if (state.kind === 'open') this.#subscriptions.reset();
    this.#tell((listener) => listener.state(state));
    this.#sync();
  }

  #onConnected(): void {
    const { credentials, exchangeNow } = this.#deps;
    if (credentials === null) {
      this.#link.opened();
      return;
    }
    this.#awaitsLogin = true;
    const timestamp = Math.round(exchangeNow());
    const signature = signSocketLogin(credentials.secret, credentials.publicKey, timestamp);
    this.#link.send(encodeAuth(credentials.publicKey, timestamp, signature));
  }

  #onMessage(text: string, receiveUs: number, generation: number): void {
    this.#frames += 1;
    const message = this.#deps.credentials === null ? readServerMessage(text) : readServerMessage(text, parseExact);
    this.#take(message, receiveUs, generation);
    // Last: recording delays no decision, and a failing listener loses no recording.
    for (const tap of this.#taps) this.#guard('raw tap', () => tap(text, receiveUs, generation));
  }

  #take(message: ServerMessage, receiveUs: number, generation: number): void {
    if (message.kind !== 'push') {
      this.#onControl(message);
      return;
    }
    if (!this.#link.isOpen) return;
    const { channel, seq, ts, data } = message;
    const frame = { channel, seq, ts, data, receiveUs, generation };
    this.#tell((listener) => listener.frame(frame));
  }

  #onControl(message: Exclude<ServerMessage, { kind: 'push' }>): void {
    switch (message.kind) {
      case 'pong':
        this.#link.ponged();
        return;
      case 'auth':
        this.#onLogin(message.success, message.error ?? 'no reason given');
        return;
      case 'reply':
        this.#onReply(message);
        return;
      case 'unreadable':
        this.#onUnreadable(message);
    }
  }

  #onUnreadable({ problem, sample, hidesPush }: Extract<ServerMessage, { kind: 'unreadable' }>): void {
    this.#unreadable += 1;
    if (this.#unreadable % UNREADABLE_LOG_EVERY === 1)
      this.#deps.logger.warn({ problem, sample, count: this.#unreadable }, 'unreadable WebSocket frame');
    if (hidesPush && this.#link.isOpen) this.#tell((listener) => listener.unreadable?.(problem));
  }

  #onLogin(success: boolean, error: string): void {
    if (!this.#awaitsLogin) return;
    if (success) {
      this.#link.opened();
      return;
    }
    this.#deps.logger.warn({ error }, 'WebSocket login refused');
    if (error === 'timestamp_out_of_range') this.#deps.onClockDoubt?.();
    // No refusal is final: a clock that steps, or a login service for a moment, says the same as a key that is wrong.
    this.#link.lose(`${LOGIN_REFUSED}${error}`);
  }

  #onReply(reply: Extract<ServerMessage, { kind: 'reply' }>): void {
    const { acknowledged, refused, error } = this.#subscriptions.replied(reply);
    if (acknowledged.length > 0) this.#tell((listener) => listener.acknowledged?.(acknowledged));
    for (const channel of refused) {
      this.#deps.logger.warn({ channel, error }, 'subscription refused');
      this.#tell((listener) => listener.refused?.(channel, error));
    }
    if (!reply.success) this.#sync();
  }

  #sync(): void {
    if (!this.#link.isOpen) return;
    for (const message of this.#subscriptions.difference()) this.#link.send(message);
  }

  #tell(call: (listener: ChannelListener) => void): void {
    for (const listener of this.#listeners) this.#guard('listener', () => call(listener));
  }

  #guard(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#deps.logger.error({ what, problem: messageOf(error) }, 'a WebSocket listener failed');
    }
  }
}
