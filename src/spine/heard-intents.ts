/**
 * Which intents the journal has named: the highest count of each start. An intent beyond it, or of an unknown start,
 * belongs to lost rows.
 */
import { countOf } from './orders/refs.ts';

interface Start {
  readonly bootId: string;
  highest: number;
}

export class HeardIntents {
  private readonly starts = new Map<string, Start>();
  #last: Start = { bootId: '', highest: 0 };

  /** An intent, or the id of a start. */
  heard(intentId: string): void {
    const cut = intentId.lastIndexOf('-');
    const count = countOf(intentId);
    const start = this.#startOf(intentId, cut) ?? { bootId: bootOf(intentId, cut), highest: 0 };
    this.#last = start;
    if (count <= start.highest) return;
    if (start.highest === 0) this.starts.set(start.bootId, start);
    start.highest = count;
  }

  has(intentId: string): boolean {
    const cut = intentId.lastIndexOf('-');
    const count = countOf(intentId);
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
