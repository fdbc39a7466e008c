/**
 * Frames of trades that come twice: what an exchange last pushed comes again with a new subscription, or by two at once (S07).
 * A book and a ticker stand where they stood then; candles would count the trades twice. Used wherever frames become
 * events, so that a tape holds what a session saw.
 */
interface Frame {
  readonly channel: string;
  readonly seq: number | null;
  readonly ts: number | null;
}

export class RepeatedTrades {
  /** By channel. */
  readonly #last = new Map<string, Frame>();

  /** Whether the frame is the last one of its channel once more: a later one with its number is of a sequence that began again. */
  has({ channel, seq, ts }: Frame): boolean {
    const last = this.#last.get(channel);
    if (seq !== null && last !== undefined && last.seq === seq && last.ts === ts) return true;
    this.#last.set(channel, { channel, seq, ts });
    return false;
  }
}
