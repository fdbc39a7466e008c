/**
 * The exchange WebSocket as a `ChannelSource`: one state machine, one socket at a time.
 *
 *   idle ─start─▶ connecting ─open─▶ login (private only) ─▶ open ─┐
 *                     ▲                  │ close, deadline, dead    │
 *                     └──── waiting ◀────┴──────────────────────────┘      stop, login refused ─▶ stopped
 *
 * Every socket has a generation; whatever an older one still says is dropped, so an error followed by a close, or a
 * close twice, makes one reconnect (S06). Listeners are guarded: what they throw is logged and stays there (S20).
 */
import { messageOf } from '../../model/errors.ts';
import { asWritten, type Knobs } from '../../model/knobs.ts';
import type { Cancel, Clock, Logger, Random, SocketConnection, SocketTransport } from '../../model/ports.ts';
import { signSocketLogin } from '../interface/signature.ts';
import { encodeAuth, pingMessage, readServerMessage, type ServerMessage } from '../wire/socket-messages.ts';
import type { ChannelListener, ChannelSource, SocketState } from './channel-source.ts';
import type { Credentials } from './credentials.ts';
import { CHECK_EVERY_MS, LinkHealth } from './link-health.ts';
import { ReconnectPolicy, STABLE_AFTER_MS } from './reconnect-policy.ts';
import { Subscriptions } from './subscriptions.ts';

/** Receives every frame as it came, before it is decoded: the recorder. */
export type RawTap = (text: string, receiveUs: number, generation: number) => void;

export interface ExchangeSocketDeps {
  /** `{wsUrl}/websocket/exchange`. */
  readonly url: string;
  readonly transport: SocketTransport;
  readonly clock: Clock;
  /** The machine's own clock where `clock` is set to the exchange's time: reconnects are counted by it. */
  readonly steady?: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Exchange time in Unix ms, for the login. */
  readonly exchangeNow: () => number;
  /** Null: public channels only, no login. */
  readonly credentials: Credentials | null;
  readonly logger: Logger;
  readonly knobs?: Knobs;
  /** The login was refused for its timestamp: the clock offset should be measured again. */
  readonly onClockDoubt?: () => void;
}

export interface SocketCounts {
  readonly frames: number;
  /** Frames that were no message of the wire profile; they are recorded all the same. */
  readonly unreadable: number;
  readonly connects: number;
}

/** From the start of a connection to open: handshake and login. */
const OPEN_DEADLINE_MS = 10_000;
const STOP_DEADLINE_MS = 3000;
/** Logged once per this many unreadable frames. */
const UNREADABLE_LOG_EVERY = 100;

/** Login errors that trying again does not cure. `timestamp_out_of_range` is not one: the clock is measured again. */
const FINAL_LOGIN_ERRORS: ReadonlySet<string> = new Set([
  'invalid_key_format',
  'invalid_signature',
  'key_not_found',
  'key_expired',
]);

type Phase = 'idle' | 'connecting' | 'login' | 'open' | 'waiting' | 'stopped';

interface Link {
  readonly generation: number;
  connection: SocketConnection | null;
  readonly health: LinkHealth;
  openedAt: number | null;
  readonly timers: Cancel[];
}

export class ExchangeSocket implements ChannelSource {
  readonly #deps: ExchangeSocketDeps;
  readonly #policy: ReconnectPolicy;
  readonly #subscriptions: Subscriptions;
  readonly #openWithinMs: number;
  readonly #listeners = new Set<ChannelListener>();
  readonly #taps = new Set<RawTap>();
  #phase: Phase = 'idle';
  #state: SocketState = { kind: 'lost', generation: 0, reason: 'not started' };
  #link: Link | null = null;
  #generation = 0;
  #retry: Cancel | null = null;
  #frames = 0;
  #unreadable = 0;
  /** Called when the last socket reports its close after `stop`. */
  #onGone: (() => void) | null = null;

  constructor(deps: ExchangeSocketDeps) {
    this.#deps = deps;
    const { clock, steady = clock, random, knobs = asWritten } = deps;
    this.#policy = new ReconnectPolicy(steady, random.fork('reconnect'), knobs);
    this.#subscriptions = new Subscriptions(knobs);
    this.#openWithinMs = knobs('socket-opening', OPEN_DEADLINE_MS);
  }

  get state(): SocketState {
    return this.#state;
  }

  get counts(): SocketCounts {
    return { frames: this.#frames, unreadable: this.#unreadable, connects: this.#generation };
  }

  start(): void {
    if (this.#phase === 'idle') this.#connect();
  }

  /** Orderly close; resolves when the socket is gone or after 3 s, whichever is first. Final. */
  stop(): Promise<void> {
    const link = this.#link;
    const connection = link?.connection;
    this.#phase = 'stopped';
    this.#retry?.();
    if (link !== null) this.#release(link);
    this.#setState({ kind: 'stopped', generation: this.#generation, reason: 'stopped' });
    if (!connection) return Promise.resolve();
    return new Promise((resolve) => {
      const disarm = this.#deps.clock.after(STOP_DEADLINE_MS, () => {
        connection.terminate();
        this.#onGone = null;
        resolve();
      });
      this.#onGone = () => {
        disarm();
        resolve();
      };
      connection.close();
    });
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
    if (this.#phase === 'open') for (const message of this.#subscriptions.renew(channel)) this.#send(message);
  }

  reconnect(reason: string): void {
    if (this.#link !== null) this.#lose(this.#link, reason);
  }

  listen(listener: ChannelListener): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onRaw(tap: RawTap): Cancel {
    this.#taps.add(tap);
    return () => void this.#taps.delete(tap);
  }

  #connect(): void {
    const { clock, random, transport, url } = this.#deps;
    const now = clock.now();
    const generation = ++this.#generation;
    const link: Link = {
      generation,
      connection: null,
      health: new LinkHealth(random.fork(`ping-${generation}`), now),
      openedAt: null,
      timers: [],
    };
    this.#link = link;
    this.#phase = 'connecting';
    this.#policy.began();
    this.#setState({ kind: 'connecting', generation, attempt: this.#policy.attempt });
    link.timers.push(clock.after(this.#openWithinMs, () => this.#expire(link)));
    link.connection = transport.connect(url, {
      open: () => this.#current(link, () => this.#onOpen(link)),
      message: (text) => this.#current(link, () => this.#onMessage(link, text)),
      close: (code, reason) => this.#onClose(link, `closed with ${code}${reason === '' ? '' : `: ${reason}`}`),
    });
  }

  #current(link: Link, run: () => void): void {
    if (this.#link === link) run();
  }

  #onOpen(link: Link): void {
    const { credentials, exchangeNow } = this.#deps;
    link.health.received(this.#deps.clock.now());
    if (credentials === null) {
      this.#opened(link);
      return;
    }
    this.#phase = 'login';
    const timestamp = Math.round(exchangeNow());
    const signature = signSocketLogin(credentials.secret, credentials.publicKey, timestamp);
    this.#send(encodeAuth(credentials.publicKey, timestamp, signature));
  }

  #opened(link: Link): void {
    this.#phase = 'open';
    link.openedAt = this.#deps.clock.now();
    this.#subscriptions.reset();
    this.#checkLater(link);
    this.#setState({ kind: 'open', generation: link.generation });
    this.#sync();
  }

  #onMessage(link: Link, text: string): void {
    const receiveUs = this.#deps.clock.nowUs();
    link.health.received(receiveUs / 1000);
    this.#frames += 1;
    this.#take(link, readServerMessage(text), receiveUs);
    // Last, so that no decision waits for the recording. Listeners are guarded: a frame that fails one is recorded too.
    for (const tap of this.#taps) this.#guard('raw tap', () => tap(text, receiveUs, link.generation));
  }

  #take(link: Link, message: ServerMessage, receiveUs: number): void {
    if (message.kind !== 'push') {
      this.#onControl(link, message);
      return;
    }
    if (this.#phase !== 'open') return;
    const { channel, seq, ts, data } = message;
    const frame = { channel, seq, ts, data, receiveUs, generation: link.generation };
    this.#tell((listener) => listener.frame(frame));
  }

  #onControl(link: Link, message: Exclude<ServerMessage, { kind: 'push' }>): void {
    switch (message.kind) {
      case 'pong':
        link.health.ponged();
        return;
      case 'auth':
        this.#onLogin(link, message.success, message.error ?? 'no reason given');
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
    if (hidesPush && this.#phase === 'open') this.#tell((listener) => listener.unreadable?.(problem));
  }

  #onLogin(link: Link, success: boolean, error: string): void {
    if (this.#phase !== 'login') return;
    if (success) {
      this.#opened(link);
      return;
    }
    const reason = `login refused: ${error}`;
    if (!FINAL_LOGIN_ERRORS.has(error)) {
      this.#deps.logger.warn({ error }, 'WebSocket login refused');
      if (error === 'timestamp_out_of_range') this.#deps.onClockDoubt?.();
      this.#lose(link, reason);
      return;
    }
    this.#phase = 'stopped';
    this.#release(link);
    link.connection?.terminate();
    this.#setState({ kind: 'stopped', generation: link.generation, reason });
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

  #onClose(link: Link, reason: string): void {
    if (this.#link === link) this.#lose(link, reason);
    else if (this.#phase === 'stopped') this.#onGone?.();
  }

  #expire(link: Link): void {
    if (this.#link === link && link.openedAt === null) {
      this.#lose(link, `${this.#phase} took more than ${OPEN_DEADLINE_MS / 1000} s`);
    }
  }

  /** The only way from a socket to the next one. */
  #lose(link: Link, reason: string): void {
    if (this.#link !== link || this.#phase === 'stopped') return;
    this.#release(link);
    link.connection?.terminate();
    this.#phase = 'waiting';
    const delayMs = this.#policy.nextDelayMs();
    this.#deps.logger.info({ generation: link.generation, reason, delayMs }, 'WebSocket lost');
    this.#retry = this.#deps.clock.after(delayMs, () => {
      if (this.#phase === 'waiting') this.#connect();
    });
    this.#setState({ kind: 'lost', generation: link.generation, reason });
  }

  /** From here on nothing of this socket is heard, apart from its close. */
  #release(link: Link): void {
    if (this.#link === link) this.#link = null;
    for (const cancel of link.timers.splice(0)) cancel();
  }

  #checkLater(link: Link): void {
    for (const cancel of link.timers.splice(0)) cancel();
    link.timers.push(this.#deps.clock.after(CHECK_EVERY_MS, () => this.#check(link)));
  }

  #check(link: Link): void {
    if (this.#link !== link) return;
    const now = this.#deps.clock.now();
    if (link.openedAt !== null && now - link.openedAt >= STABLE_AFTER_MS) this.#policy.stable();
    const verdict = link.health.check(now, link.connection?.bufferedBytes ?? 0);
    if (verdict.kind === 'dead') {
      this.#lose(link, verdict.reason);
      return;
    }
    if (verdict.kind === 'ping') this.#send(pingMessage);
    if (this.#link === link) this.#checkLater(link);
  }

  #sync(): void {
    if (this.#phase !== 'open') return;
    for (const message of this.#subscriptions.difference()) this.#send(message);
  }

  #send(text: string): void {
    const link = this.#link;
    if (link?.connection === null || link === null) return;
    link.connection.send(text, (ok) => {
      if (!ok) this.#lose(link, 'a frame could not be sent');
    });
  }

  #setState(state: SocketState): void {
    this.#state = state;
    this.#tell((listener) => listener.state(state));
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
