/**
 * A WebSocket connection that reconnects until stopped, one socket at a time.
 *
 *   idle ─start─▶ connecting ─connected─▶ (login) ─opened()─▶ open ─┐
 *                     ▲                      │ close, deadline, dead │
 *                     └────── waiting ◀──────┴───────────────────────┘      stop, end ─▶ stopped
 *
 * Events of an older generation are dropped, so repeated errors and closes cause one reconnect.
 */
import { asWritten, type Knobs } from '../../../model/knobs.ts';
import type { Cancel, Clock, Logger, Random, SocketConnection, SocketTransport } from '../../../model/ports.ts';
import { pingMessage } from '../../wire/socket-messages.ts';
import type { SocketState } from './channel-source.ts';
import { CHECK_EVERY_MS, LinkHealth } from './link-health.ts';
import { ReconnectPolicy, STABLE_AFTER_MS } from './reconnect-policy.ts';

export interface ReconnectingLinkDeps {
  /** For logs: the address may hold a secret. */
  readonly name: string;
  readonly transport: SocketTransport;
  readonly clock: Clock;
  /** Unadjusted clock. */
  readonly steady?: Pick<Clock, 'now'> | undefined;
  readonly random: Random;
  readonly logger: Logger;
  readonly knobs?: Knobs | undefined;
}

export interface LinkOwner {
  address(): { readonly url: string } | { readonly missing: string };
  /** `opened()` is due within the opening deadline. */
  connected(): void;
  /** `receiveUs`: Unix µs. */
  message(text: string, receiveUs: number, generation: number): void;
  state(state: SocketState): void;
  /** Closed before it was open; the link already waits. */
  refused?(reason: string): void;
}

/** Handshake and login. */
const OPEN_DEADLINE_MS = 10_000;
const STOP_DEADLINE_MS = 3000;

interface Socket {
  readonly generation: number;
  connection: SocketConnection | null;
  readonly health: LinkHealth;
  isConnected: boolean;
  openedAt: number | null;
  readonly timers: Cancel[];
}

export class ReconnectingLink {
  readonly #deps: ReconnectingLinkDeps;
  readonly #owner: LinkOwner;
  readonly #policy: ReconnectPolicy;
  readonly #openWithinMs: number;
  #state: SocketState = { kind: 'lost', generation: 0, reason: 'not started' };
  #isStarted = false;
  #socket: Socket | null = null;
  #generation = 0;
  #retry: Cancel | null = null;
  #onGone: (() => void) | null = null;
  #heardAt: number | null = null;

  constructor(deps: ReconnectingLinkDeps, owner: LinkOwner) {
    const { clock, steady = clock, random, knobs = asWritten } = deps;
    this.#deps = deps;
    this.#owner = owner;
    this.#policy = new ReconnectPolicy(steady, random.fork('reconnect'), knobs);
    this.#openWithinMs = knobs('socket-opening', OPEN_DEADLINE_MS);
  }

  get state(): SocketState {
    return this.#state;
  }

  get isOpen(): boolean {
    return this.#state.kind === 'open';
  }

  /** Since the last message, of an earlier connection too, ms; null: none yet. */
  get ageMs(): number | null {
    return this.#heardAt === null ? null : Math.max(0, this.#deps.clock.now() - this.#heardAt);
  }

  get generation(): number {
    return this.#generation;
  }

  start(): void {
    if (this.#isStarted || this.#isStopped) return;
    this.#isStarted = true;
    this.#connect();
  }

  /** Final; resolves when closed or after 3 s. */
  stop(): Promise<void> {
    const connection = this.#socket?.connection;
    this.#retry?.();
    if (this.#socket !== null) this.#release(this.#socket);
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

  opened(): void {
    const socket = this.#socket;
    if (socket === null) return;
    socket.openedAt = this.#deps.clock.now();
    this.#checkLater(socket);
    this.#setState({ kind: 'open', generation: socket.generation });
  }

  ponged(): void {
    this.#socket?.health.ponged();
  }

  /** A failed send loses the connection. */
  send(text: string): void {
    const socket = this.#socket;
    if (socket === null || socket.connection === null) return;
    socket.connection.send(text, (ok) => {
      if (!ok) this.#lose(socket, 'a frame could not be sent');
    });
  }

  lose(reason: string): void {
    if (this.#socket !== null) this.#lose(this.#socket, reason);
  }

  get #isStopped(): boolean {
    return this.#state.kind === 'stopped';
  }

  #connect(): void {
    const { clock, random, transport } = this.#deps;
    const generation = ++this.#generation;
    const socket: Socket = {
      generation,
      connection: null,
      health: new LinkHealth(random.fork(`ping-${generation}`), clock.now()),
      isConnected: false,
      openedAt: null,
      timers: [],
    };
    this.#socket = socket;
    this.#setState({ kind: 'connecting', generation, attempt: this.#policy.attempt });
    // A listener may have stopped the link.
    if (this.#socket !== socket) return;
    const address = this.#owner.address();
    if ('missing' in address) {
      this.#lose(socket, address.missing);
      return;
    }
    this.#policy.began();
    socket.timers.push(clock.after(this.#openWithinMs, () => this.#expire(socket)));
    socket.connection = transport.connect(address.url, {
      open: () => this.#onOpen(socket),
      message: (text) => this.#onMessage(socket, text),
      close: (code, reason) => this.#onClose(socket, `closed with ${code}${reason === '' ? '' : `: ${reason}`}`),
    });
  }

  #onOpen(socket: Socket): void {
    if (this.#socket !== socket) return;
    socket.isConnected = true;
    socket.health.received(this.#deps.clock.now());
    this.#owner.connected();
  }

  #onMessage(socket: Socket, text: string): void {
    if (this.#socket !== socket) return;
    const receiveUs = this.#deps.clock.nowUs();
    this.#heardAt = receiveUs / 1000;
    socket.health.received(this.#heardAt);
    this.#owner.message(text, receiveUs, socket.generation);
  }

  #onClose(socket: Socket, reason: string): void {
    if (this.#socket === socket) {
      this.#lose(socket, reason);
      if (socket.openedAt === null) this.#owner.refused?.(reason);
    } else if (this.#isStopped) this.#onGone?.();
  }

  #expire(socket: Socket): void {
    const step = socket.isConnected ? 'login' : 'connecting';
    this.#lose(socket, `${step} took more than ${this.#openWithinMs / 1000} s`);
  }

  #lose(socket: Socket, reason: string): void {
    if (this.#socket !== socket || this.#isStopped) return;
    this.#release(socket);
    socket.connection?.terminate();
    const delayMs = this.#policy.nextDelayMs();
    const { clock, logger, name } = this.#deps;
    logger.info({ generation: socket.generation, reason, delayMs }, `${name} lost`);
    this.#retry = clock.after(delayMs, () => {
      if (this.#state.kind === 'lost') this.#connect();
    });
    this.#setState({ kind: 'lost', generation: socket.generation, reason });
  }

  #release(socket: Socket): void {
    if (this.#socket === socket) this.#socket = null;
    for (const cancel of socket.timers.splice(0)) cancel();
  }

  #checkLater(socket: Socket): void {
    for (const cancel of socket.timers.splice(0)) cancel();
    socket.timers.push(this.#deps.clock.after(CHECK_EVERY_MS, () => this.#check(socket)));
  }

  #check(socket: Socket): void {
    if (this.#socket !== socket) return;
    const now = this.#deps.clock.now();
    if (socket.openedAt !== null && now - socket.openedAt >= STABLE_AFTER_MS) this.#policy.stable();
    const verdict = socket.health.check(now, socket.connection?.bufferedBytes ?? 0);
    if (verdict.kind === 'dead') {
      this.#lose(socket, verdict.reason);
      return;
    }
    if (verdict.kind === 'ping') this.send(pingMessage);
    if (this.#socket === socket) this.#checkLater(socket);
  }

  #setState(state: SocketState): void {
    if (this.#isStopped) return;
    this.#state = state;
    this.#owner.state(state);
  }
}
