/**
 * The P2P socket (`{wsUrl}/websocket/p2p?token=<JWT>`, assumed). After each `open` above generation 1, read over REST
 * what was missed.
 */
import { messageOf } from '../../../model/errors.ts';
import type { Cancel, Clock, Logger, Random, SocketTransport } from '../../../model/ports.ts';
import { encodeChatMessage, readP2pFrame, type P2pEvent } from '../../wire/p2p/p2p-frames.ts';
import type { SocketState } from './channel-source.ts';
import { ReconnectingLink } from './reconnecting-link.ts';

export interface P2pListener {
  event(event: P2pEvent, generation: number): void;
  state?(state: SocketState): void;
  refused?(code: string): void;
}

export interface P2pSocketDeps {
  /** Secret, as it holds the token; never logged. */
  readonly urlOf: (token: string) => string;
  readonly transport: SocketTransport;
  readonly clock: Clock;
  /** Unadjusted clock. */
  readonly steady?: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Asked for every connection. */
  readonly token: () => string | null;
  readonly logger: Logger;
  /** No token, or it was refused. */
  readonly onLoginNeeded?: (reason: string) => void;
}

const UNREADABLE_LOG_EVERY = 100;
const TOKEN_REFUSED = /\b401\b/;

export class P2pSocket {
  readonly #deps: P2pSocketDeps;
  readonly #link: ReconnectingLink;
  readonly #listeners = new Set<P2pListener>();
  #unreadable = 0;

  constructor(deps: P2pSocketDeps) {
    this.#deps = deps;
    this.#link = new ReconnectingLink(
      { ...deps, name: 'P2P socket' },
      {
        address: () => this.#address(),
        connected: () => this.#link.opened(),
        message: (text, _receiveUs, generation) => this.#onMessage(text, generation),
        state: (state) => this.#tell((listener) => listener.state?.(state)),
        refused: (reason) => {
          if (TOKEN_REFUSED.test(reason)) deps.onLoginNeeded?.('the P2P socket does not take the login token');
        },
      },
    );
  }

  get state(): SocketState {
    return this.#link.state;
  }

  get unreadable(): number {
    return this.#unreadable;
  }

  start(): void {
    this.#link.start();
  }

  /** Final; resolves when closed or after 3 s. */
  stop(): Promise<void> {
    return this.#link.stop();
  }

  listen(listener: P2pListener): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** False when not sent. The sender gets its own line back. */
  say(roomId: string, line: string): boolean {
    if (!this.#link.isOpen) return false;
    this.#link.send(encodeChatMessage(roomId, line));
    return true;
  }

  #address(): { readonly url: string } | { readonly missing: string } {
    const { token, urlOf, onLoginNeeded } = this.#deps;
    const current = token();
    if (current !== null) return { url: urlOf(current) };
    onLoginNeeded?.('there is no login, or it is over');
    return { missing: 'no login token' };
  }

  #onMessage(text: string, generation: number): void {
    const frame = readP2pFrame(text);
    switch (frame.kind) {
      case 'pong':
        this.#link.ponged();
        return;
      case 'event':
        this.#tell((listener) => listener.event(frame.event, generation));
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
