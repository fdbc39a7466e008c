/**
 * Which intents a journal has told of. Their ids count up through all starts of a session, so the highest of each start is
 * enough: one that lies beyond it, or bears a start that the journal does not know, was made by rows that are gone. What was
 * taken over after a loss raises nothing, since others of the same start may yet turn up. One number a start. Part of the
 * state that the journal rebuilds.
 */
const DIGIT_0 = 48;

interface Start {
  readonly bootId: string;
  highest: number;
}

export class HeardIntents {
  readonly #starts = new Map<string, Start>();
  /** The start of the intent that was heard last: most are of one. */
  #last: Start = { bootId: '', highest: 0 };

  /** A start, or an intent that it made. */
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

  /** For the snapshot: the highest of each start. */
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

/** Of all intents of the session before it and with it. */
function countOf(intentId: string, cut: number): number {
  let count = 0;
  for (let at = cut + 1; at < intentId.length; at++) {
    const digit = intentId.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) return Number.NaN;
    count = count * 10 + digit;
  }
  return count;
}
