/**
 * The P2P socket (wire profile: `{wsUrl}/websocket/p2p?token=<JWT>`, all of it assumed): trades of the user,
 * advertisements of everybody, chat. One state machine, one socket at a time, like `socket.ts`.
 *
 *   idle ─start─▶ connecting ─open─▶ open ─┐
 *                     ▲                    │ close, deadline, dead, no token
 *                     └───── waiting ◀─────┘                            stop ─▶ stopped
 *
 * The token is in the address, so addresses are never logged. Nothing is told twice and nothing is kept: what happened
 * while the socket was down is read over REST after each `open` with a generation above the first. Events of an older
 * socket are never delivered after a newer one began. Used by `p2p watch` and by the P2P streams of strategies.
 */
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger, Random, SocketConnection, SocketTransport } from '../../model/ports.ts';
import { encodeChatMessage, readP2pFrame, type P2pEvent } from '../wire/p2p-frames.ts';
import { pingMessage } from '../wire/socket-messages.ts';
import type { SocketState } from './channel-source.ts';
import { CHECK_EVERY_MS, LinkHealth } from './link-health.ts';
import { ReconnectPolicy, STABLE_AFTER_MS } from './reconnect-policy.ts';

export interface P2pListener {
  /** Frozen; may be kept. */
  event(event: P2pEvent, generation: number): void;
  state?(state: SocketState): void;
  /** The server did not take a chat message. */
  refused?(code: string): void;
}

export interface P2pSocketDeps {
  /** The address with this token; it is a secret. */
  readonly urlOf: (token: string) => string;
  readonly transport: SocketTransport;
  readonly clock: Clock;
  /** The machine's own clock where `clock` is set to the exchange's time: reconnects are counted by it. */
  readonly steady?: Pick<Clock, 'now'>;
  readonly random: Random;
  /** The login token, or null without one (`LoginSession.token`). Asked anew for every connection. */
  readonly token: () => string | null;
  readonly logger: Logger;
  /** There is no token, or the server did not take it. Whoever can log in again does; the next attempt uses it. */
  readonly onLoginNeeded?: (reason: string) => void;
}

const OPEN_DEADLINE_MS = 10_000;
const STOP_DEADLINE_MS = 3000;
const UNREADABLE_LOG_EVERY = 100;
/** How the transport tells that the upgrade was refused for its token. */
const TOKEN_REFUSED = /\b401\b/;

interface Link {
  readonly generation: number;
  connection: SocketConnection | null;
  readonly health: LinkHealth;
  openedAt: number | null;
  readonly timers: Cancel[];
}

export class P2pSocket {
  readonly #deps: P2pSocketDeps;
  readonly #policy: ReconnectPolicy;
  readonly #listeners = new Set<P2pListener>();
  #state: SocketState = { kind: 'lost', generation: 0, reason: 'not started' };
  #started = false;
  #link: Link | null = null;
  #generation = 0;
  #retry: Cancel | null = null;
  #unreadable = 0;
  #onGone: (() => void) | null = null;

  constructor(deps: P2pSocketDeps) {
    this.#deps = deps;
    this.#policy = new ReconnectPolicy(deps.steady ?? deps.clock, deps.random.fork('reconnect'));
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Frames that were no message of the wire profile. */
  get unreadable(): number {
    return this.#unreadable;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#connect();
  }

  /** Orderly close; resolves when the socket is gone or after 3 s, whichever is first. Final. */
  stop(): Promise<void> {
    const link = this.#link;
    this.#retry?.();
    if (link !== null) this.#release(link);
    this.#setState({ kind: 'stopped', generation: this.#generation, reason: 'stopped' });
    const connection = link?.connection ?? null;
    if (connection === null) return Promise.resolve();
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

  listen(listener: P2pListener): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends a chat line. False when there is no open socket: it was not sent. The sender gets its own line back. */
  say(roomId: string, line: string): boolean {
    if (this.#state.kind !== 'open') return false;
    this.#send(encodeChatMessage(roomId, line));
    return true;
  }

  #connect(): void {
    const { clock, random, transport, token, urlOf } = this.#deps;
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
    this.#setState({ kind: 'connecting', generation, attempt: this.#policy.attempt });
    const current = token();
    if (current === null) {
      this.#lose(link, 'no login token');
      this.#deps.onLoginNeeded?.('there is no login, or it is over');
      return;
    }
    this.#policy.began();
    link.timers.push(clock.after(OPEN_DEADLINE_MS, () => this.#lose(link, 'connecting took too long')));
    link.connection = transport.connect(urlOf(current), {
      open: () => this.#onOpen(link),
      message: (text) => this.#onMessage(link, text),
      close: (code, reason) => this.#onClose(link, code, reason),
    });
  }

  #onOpen(link: Link): void {
    if (this.#link !== link) return;
    link.openedAt = this.#deps.clock.now();
    link.health.received(link.openedAt);
    this.#checkLater(link);
    this.#setState({ kind: 'open', generation: link.generation });
  }

  #onMessage(link: Link, text: string): void {
    if (this.#link !== link) return;
    link.health.received(this.#deps.clock.now());
    const frame = readP2pFrame(text);
    switch (frame.kind) {
      case 'pong':
        link.health.ponged();
        return;
      case 'event':
        this.#tell((listener) => listener.event(frame.event, link.generation));
        return;
      case 'error':
        this.#tell((listener) => listener.refused?.(frame.code));
        return;
      case 'unreadable':
        this.#unreadable += 1;
        if (this.#unreadable % UNREADABLE_LOG_EVERY === 1) {
          const { problem } = frame;
          this.#deps.logger.warn({ problem, count: this.#unreadable }, 'unreadable frame of the P2P socket');
        }
    }
  }

  #onClose(link: Link, code: number, reason: string): void {
    if (this.#link !== link) {
      if (this.#state.kind === 'stopped') this.#onGone?.();
      return;
    }
    const refused = link.openedAt === null && TOKEN_REFUSED.test(reason);
    this.#lose(link, `closed with ${code}${reason === '' ? '' : `: ${reason}`}`);
    if (refused) this.#deps.onLoginNeeded?.('the P2P socket does not take the login token');
  }

  /** The only way from a socket to the next one. */
  #lose(link: Link, reason: string): void {
    if (this.#link !== link || this.#state.kind === 'stopped') return;
    this.#release(link);
    link.connection?.terminate();
    const delayMs = this.#policy.nextDelayMs();
    this.#deps.logger.info({ generation: link.generation, reason, delayMs }, 'P2P socket lost');
    this.#retry = this.#deps.clock.after(delayMs, () => {
      if (this.#state.kind === 'lost') this.#connect();
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

  #send(text: string): void {
    const link = this.#link;
    if (link === null || link.connection === null) return;
    link.connection.send(text, (ok) => {
      if (!ok) this.#lose(link, 'a frame could not be sent');
    });
  }

  #setState(state: SocketState): void {
    if (this.#state.kind === 'stopped') return;
    this.#state = state;
    this.#tell((listener) => listener.state?.(state));
  }

  #tell(call: (listener: P2pListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        call(listener);
      } catch (error) {
        this.#deps.logger.error({ problem: messageOf(error) }, 'a listener of the P2P socket failed');
      }
    }
  }
}
