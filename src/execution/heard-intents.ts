/**
 * Which intents a journal has told of. Their ids count up through all starts of a session, so the highest of each start is
 * enough: one that lies beyond it, or bears a start that the journal does not know, was made by rows that are gone. What was
 * taken over after a loss raises nothing, since others of the same start may yet turn up. One number a start. Part of the
 * state that the journal rebuilds.
 */
export class HeardIntents {
  readonly #highest = new Map<string, number>();

  /** A start, or an intent that it made. */
  heard(intentId: string): void {
    const [bootId, count] = partsOf(intentId);
    if (count > (this.#highest.get(bootId) ?? 0)) this.#highest.set(bootId, count);
  }

  has(intentId: string): boolean {
    const [bootId, count] = partsOf(intentId);
    return count <= (this.#highest.get(bootId) ?? 0);
  }
}

/** The start, and the count of all intents of the session before it and with it. */
function partsOf(intentId: string): readonly [string, number] {
  const cut = intentId.lastIndexOf('-');
  return [intentId.slice(0, Math.max(0, cut)), Number(intentId.slice(cut + 1))];
}
