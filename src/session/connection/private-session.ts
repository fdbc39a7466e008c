/**
 * Renews the private stream's login on a schedule and after a fill without its push, because an exchange may end it
 * without notice (S10).
 */
import type { ChannelSource } from '../../exchange/client/sockets/channel-source.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';

const RELOGIN_EVERY_MS = 12 * 3_600_000;
/** Between a fill and its push, either way. */
const PUSH_WITHIN_MS = 5_000;
/** A slow stream must survive. */
const SUSPECT_EVERY_MS = 300_000;

export class PrivateSession {
  readonly #source: ChannelSource;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #cancels: Cancel[] = [];
  #pending: Cancel | null = null;
  #pushedAt = Number.NEGATIVE_INFINITY;
  #suspectedAt = Number.NEGATIVE_INFINITY;

  constructor(source: ChannelSource, clock: Clock, logger: Logger) {
    this.#source = source;
    this.#clock = clock;
    this.#logger = logger;
  }

  start(): void {
    const frame = (): void => {
      this.#pushedAt = this.#clock.now();
    };
    this.#cancels = [
      this.#source.listen({ frame, state: () => {} }),
      this.#clock.every(RELOGIN_EVERY_MS, () => this.#source.reconnect('the login is made anew, as planned')),
    ];
  }

  stop(): void {
    this.#pending?.();
    for (const cancel of this.#cancels.splice(0)) cancel();
  }

  /** An own fill became known by any source. */
  filled(): void {
    if (this.#pending !== null) return;
    const learnedAt = this.#clock.now();
    this.#pending = this.#clock.after(PUSH_WITHIN_MS, () => {
      this.#pending = null;
      if (this.#pushedAt < learnedAt - PUSH_WITHIN_MS) this.#suspect();
    });
  }

  #suspect(): void {
    const now = this.#clock.now();
    if (this.#source.state.kind !== 'open' || now - this.#suspectedAt < SUSPECT_EVERY_MS) return;
    this.#suspectedAt = now;
    this.#logger.warn({}, 'a fill was not pushed: the private stream may be logged out, so it is connected anew');
    this.#source.reconnect('a fill was not pushed');
  }
}
