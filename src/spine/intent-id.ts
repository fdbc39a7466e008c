/** Intent ids, and which of them the journal has named. */
import { countOf } from './orders/refs.ts';

/** An order with this prefix and an entry in the journal is an own order. */
export const CLIENT_PREFIX = 'tw-';

export function clientOrderIdOf(intentId: string): string {
  return `${CLIENT_PREFIX}${intentId}`;
}

/** Undefined for an external order. */
export function intentIdOf(clientOrderId: string | undefined): string | undefined {
  return clientOrderId !== undefined && clientOrderId.startsWith(CLIENT_PREFIX)
    ? clientOrderId.slice(CLIENT_PREFIX.length)
    : undefined;
}

/** The intent id without the number of the start and the count (reliability O40). */
export function sessionOfIntent(intentId: string): string {
  return sessionOfBoot(intentId.slice(0, Math.max(0, intentId.lastIndexOf('-'))));
}

/** From 1 on, over all intents of the journal; undefined when another process made it. */
export function countOfIntent(intentId: string, bootId: string): number | undefined {
  return intentId.startsWith(`${bootId}-`) ? Number(intentId.slice(bootId.length + 1)) : undefined;
}

/** Removes the time and the number of the start. */
export function sessionOfBoot(bootId: string): string {
  return bootId.replace(/(?:_\d+){1,2}$/, '');
}

interface Start {
  readonly bootId: string;
  highest: number;
}

/**
 * The highest count of each start that the journal has named. An intent beyond it, or of an unknown start, belongs to lost
 * rows.
 */
export class HeardIntents {
  private readonly starts = new Map<string, Start>();
  #last: Start = { bootId: '', highest: 0 };

  /** An intent, or the id of a start. */
  heard(intentId: string): void {
    const cut = intentId.lastIndexOf('-');
    const count = countOf(intentId, cut);
    const start = this.#startOf(intentId, cut) ?? { bootId: bootOf(intentId, cut), highest: 0 };
    this.#last = start;
    if (count <= start.highest) return;
    if (start.highest === 0) this.starts.set(start.bootId, start);
    start.highest = count;
  }

  has(intentId: string): boolean {
    const cut = intentId.lastIndexOf('-');
    const count = countOf(intentId, cut);
    return count > 0 && count <= (this.#startOf(intentId, cut)?.highest ?? 0);
  }

  #startOf(intentId: string, cut: number): Start | undefined {
    const { bootId } = this.#last;
    if (cut === bootId.length && intentId.startsWith(bootId)) return this.#last;
    return this.starts.get(bootOf(intentId, cut));
  }
}

function bootOf(intentId: string, cut: number): string {
  return intentId.slice(0, Math.max(0, cut));
}
