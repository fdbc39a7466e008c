/**
 * Between the P2P socket, which pushes, and a reader that takes its time (`p2p watch`): a queue with a bound. An
 * advertisement replaces an older state of itself that waits still; the user's own trades and messages are never
 * conflated. At the bound everything that waits gives way to one `gap`, so that the reader reads back over REST instead
 * of going on with holes. A new socket is a `gap`, too.
 */
import type { P2pEvent } from '../wire/p2p-frames.ts';

export type P2pBuffered =
  | { readonly kind: 'event'; readonly event: P2pEvent }
  /** Events may be missing here: `reason` says why. */
  | { readonly kind: 'gap'; readonly reason: string };

const EVENTS_MAX = 1000;

export class P2pEventBuffer {
  readonly #max: number;
  #waiting: P2pBuffered[] = [];
  #closed = false;
  #wake: (() => void) | null = null;

  constructor(max = EVENTS_MAX) {
    this.#max = max;
  }

  push(event: P2pEvent): void {
    if (this.#closed) return;
    if (event.kind === 'advertisement' && this.#replace(event)) return;
    if (this.#waiting.length >= this.#max) {
      this.gap(`more than ${this.#max} events waited`);
      return;
    }
    this.#add({ kind: 'event', event });
  }

  gap(reason: string): void {
    if (this.#closed) return;
    this.#waiting = [];
    this.#add({ kind: 'gap', reason });
  }

  /** What waits is read still; then `take` answers null. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** The next, in order; null at the end. One reader at a time. */
  async take(): Promise<P2pBuffered | null> {
    while (this.#waiting.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    return this.#waiting.shift() ?? null;
  }

  #add(entry: P2pBuffered): void {
    this.#waiting.push(entry);
    this.#wake?.();
  }

  /** In its old place: between two events of other things the order says nothing. */
  #replace(event: Extract<P2pEvent, { kind: 'advertisement' }>): boolean {
    const { advertisementId } = event.advertisement;
    const at = this.#waiting.findIndex(
      (entry) =>
        entry.kind === 'event' &&
        entry.event.kind === 'advertisement' &&
        entry.event.advertisement.advertisementId === advertisementId,
    );
    if (at < 0) return false;
    this.#waiting[at] = { kind: 'event', event };
    return true;
  }
}
