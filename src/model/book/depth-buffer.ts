/**
 * Copies of depth updates that wait for their snapshot, at most `eventsMax` messages and `ROWS_MAX` levels. The oldest
 * go first, which the sequence rule then detects.
 */
import type { DepthEvent } from '../market/market-event.ts';

const ROWS_MAX = 262_144;

export function copyDepth(event: DepthEvent): DepthEvent {
  const { sides, ticks, lots, from, to } = event.levels;
  return {
    ...event,
    levels: {
      sides: sides.slice(from, to),
      ticks: ticks.slice(from, to),
      lots: lots.slice(from, to),
      from: 0,
      to: to - from,
    },
  };
}

export class DepthBuffer {
  readonly #eventsMax: number;
  #events: DepthEvent[] = [];
  #rows = 0;

  constructor(eventsMax: number) {
    this.#eventsMax = eventsMax;
  }

  get length(): number {
    return this.#events.length;
  }

  first(): DepthEvent | undefined {
    return this.#events[0];
  }

  push(event: DepthEvent): void {
    this.#events.push(copyDepth(event));
    this.#rows += event.levels.to - event.levels.from;
    while (this.#events.length > this.#eventsMax || (this.#rows > ROWS_MAX && this.#events.length > 1)) {
      const oldest = this.#events.shift();
      if (oldest !== undefined) this.#rows -= oldest.levels.to;
    }
  }

  /** Empties the buffer; oldest first. */
  take(): readonly DepthEvent[] {
    const events = this.#events;
    this.clear();
    return events;
  }

  clear(): void {
    this.#events = [];
    this.#rows = 0;
  }
}
