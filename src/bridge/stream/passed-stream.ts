/** The live part of a session of another process, from the stream of its own server. Requested again when that ends. */
import type { Cancel, Clock } from '../../model/ports.ts';
import type { LiveWish } from '../fleet/session-link.ts';
import type { SessionView } from '../fleet/session-view.ts';
import { streamMessage, type StreamMessage } from '../schemas/stream.ts';

const AGAIN_MS = 1_000;

export class PassedStream {
  readonly #view: SessionView;
  readonly #clock: Clock;
  readonly #heard: (message: StreamMessage) => void;
  #end: Cancel = () => {};

  /** @param heard gets entries and snapshots too, which the journal has in a better form */
  constructor(view: SessionView, clock: Clock, heard: (message: StreamMessage) => void) {
    this.#view = view;
    this.#clock = clock;
    this.#heard = heard;
  }

  /** Replaces what was wanted before. */
  want(wish: LiveWish): void {
    this.stop();
    if (wish.topics.length > 0) this.#open(wish);
  }

  stop(): void {
    this.#end();
    this.#end = () => {};
  }

  #open(wish: LiveWish): void {
    const again = (): void => void (this.#end = this.#clock.after(AGAIN_MS, () => this.#open(wish)));
    const end = this.#view.follow(wish, { heard: (text) => this.#hear(text), over: again });
    if (end === null) again();
    else this.#end = end;
  }

  #hear(text: string): void {
    const message = streamMessage.safeParse(jsonOf(text));
    if (message.success) this.#heard(message.data);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
