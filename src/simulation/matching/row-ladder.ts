/** Runs matching after every row of a depth update (mode `hft`). Snapshots are applied at once. */
import type { Instrument } from '../../model/market/instrument.ts';
import { Ladder } from '../../model/book/ladder.ts';
import { ASK, BID, type BookSide, type DepthEvent } from '../../model/market/market-event.ts';

export type AfterRow = (side: BookSide, ticks: number, us: number) => void;

export class RowLadder extends Ladder {
  readonly #afterRow: AfterRow;

  constructor(instrument: Instrument, afterRow: AfterRow) {
    super(instrument);
    this.#afterRow = afterRow;
  }

  override applyDepth(event: DepthEvent): void {
    if (event.snapshot) {
      super.applyDepth(event);
      return;
    }
    const { sides, ticks, lots, from, to } = event.levels;
    this.noteDepth(event);
    for (let row = from; row < to; row++) {
      const side = sides[row] === BID ? BID : ASK;
      this.setLevel(side, ticks[row]!, lots[row]!);
      this.#afterRow(side, ticks[row]!, event.exchangeUs);
    }
  }
}
