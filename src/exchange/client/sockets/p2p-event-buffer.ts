/**
 * Bounded queue between the P2P socket and a slow reader. Waiting advertisements are conflated. At the bound the queue
 * becomes one `gap`.
 */
import type { P2pEvent } from '../../wire/p2p/p2p-frames.ts';

export type P2pBuffered =
  | { readonly kind: 'event'; readonly event: P2pEvent }
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

  /** Waiting entries stay readable, then `take` returns null. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Null at the end. One reader only. */
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

  /** In place: order between unrelated events is meaningless. */
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
