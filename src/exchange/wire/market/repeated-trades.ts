/**
 * Repeated trade frames: a new or doubled subscription resends the last push (docs/reliability.md, S07), and candles
 * would count it twice.
 */
interface Frame {
  readonly channel: string;
  readonly seq: number | null;
  readonly ts: number | null;
}

export class RepeatedTrades {
  readonly #last = new Map<string, Frame>();

  /** Same number with another time is a restarted sequence. */
  has({ channel, seq, ts }: Frame): boolean {
    const last = this.#last.get(channel);
    if (seq !== null && last !== undefined && last.seq === seq && last.ts === ts) return true;
    this.#last.set(channel, { channel, seq, ts });
    return false;
  }
}
