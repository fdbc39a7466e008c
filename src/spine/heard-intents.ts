/**
 * Which intents the journal has named: the highest count of each start. An intent beyond it, or of an unknown start,
 * belongs to lost rows.
 */
const DIGIT_0 = 48;

interface Start {
  readonly bootId: string;
  highest: number;
}

export class HeardIntents {
  readonly #starts = new Map<string, Start>();
  #last: Start = { bootId: '', highest: 0 };

  /** An intent, or the id of a start. */
  heard(intentId: string): void {
    const cut = intentId.lastIndexOf('-');
    const count = countOf(intentId, cut);
    const start = this.#startOf(intentId, cut) ?? { bootId: bootOf(intentId, cut), highest: 0 };
    this.#last = start;
    if (!(count > start.highest)) return;
    if (start.highest === 0) this.#starts.set(start.bootId, start);
    start.highest = count;
  }

  has(intentId: string): boolean {
    const cut = intentId.lastIndexOf('-');
    return countOf(intentId, cut) <= (this.#startOf(intentId, cut)?.highest ?? 0);
  }

  saved(): readonly (readonly [string, number])[] {
    return [...this.#starts.values()].map(({ bootId, highest }) => [bootId, highest]);
  }

  load(saved: ReturnType<HeardIntents['saved']>): void {
    for (const [bootId, highest] of saved) this.#starts.set(bootId, { bootId, highest });
  }

  #startOf(intentId: string, cut: number): Start | undefined {
    const { bootId } = this.#last;
    if (cut === bootId.length && intentId.startsWith(bootId)) return this.#last;
    return this.#starts.get(bootOf(intentId, cut));
  }
}

function bootOf(intentId: string, cut: number): string {
  return intentId.slice(0, Math.max(0, cut));
}

/** Counts all intents of the session up to this one. */
function countOf(intentId: string, cut: number): number {
  let count = 0;
  for (let at = cut + 1; at < intentId.length; at++) {
    const digit = intentId.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) return Number.NaN;
    count = count * 10 + digit;
  }
  return count;
}
