/**
 * The login of the private stream does not last for ever, and an exchange may end it without a word while the socket stays
 * open and answers pings (S10). So it is made anew on a schedule, and at once when the account changed and the stream said
 * nothing of it: a fill is always pushed as well, however it was learned first. Each new login is a new connection, and the
 * reconciler closes the gap. Used by `live.ts`.
 */
import type { ChannelSource } from '../exchange/client/channel-source.ts';
import type { Cancel, Clock, Logger } from '../model/ports.ts';

const RELOGIN_EVERY_MS = 12 * 3_600_000;
/** How far the push of a fill may lie from the moment at which it was learned, either way. */
const PUSH_WITHIN_MS = 5_000;
/** A stream that is slow and not dead must not be cut again and again. */
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

  /** A fill of ours was learned, by whatever way. */
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
