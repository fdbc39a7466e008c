/**
 * One user's futures: the margin account of `clearing/`, and what a user of an exchange sees besides: positions that are
 * over. A slot that is flat keeps the round of its last position until the next one opens.
 */
import type { Holding, HoldingTerms } from '../../../clearing/perpetual/holding.ts';
import { MarginAccount } from '../../../clearing/perpetual/margin-account.ts';
import type { FreeSpotLocks } from '../../../clearing/perpetual/margin-book.ts';
import type { PositionSlot } from '../../../clearing/perpetual/position-slot.ts';
import type { PerpetualRules } from '../../../clearing/perpetual/rules.ts';
import type { PositionSide } from '../../../model/order.ts';
import type { Assumed } from '../assumptions.ts';
import { HistoryLog } from '../history-log.ts';
import type { OrderRecord, Trader } from '../order-record.ts';
import type { PerpetualData } from '../perpetuals.ts';
import type { Round, ClosedPosition } from './round.ts';

export type Slot = PositionSlot<OrderRecord>;

export class FuturesAccount extends MarginAccount<OrderRecord> {
  readonly trader: Trader;
  /** In order of closing. */
  readonly closed: HistoryLog<ClosedPosition>;
  /** Of a symbol until its user sets others. */
  readonly #first: HoldingTerms;
  /** By slot the round of its position, or of its last one. */
  readonly rounds = new Map<Slot, Round>();

  constructor(trader: Trader, rules: PerpetualRules, assumed: Assumed, freeSpotLocks: FreeSpotLocks) {
    super(trader.wallet, rules, freeSpotLocks);
    this.trader = trader;
    this.#first = { leverage: assumed.futures.leverageDefault, marginType: 'cross' };
    this.closed = new HistoryLog(assumed.historyMax, () => true);
  }

  holdingOf(data: PerpetualData): Holding<OrderRecord> {
    return this.holding(data, this.#first);
  }

  slot(data: PerpetualData, side: PositionSide): Slot {
    return this.holdingOf(data).slot(side);
  }

  openSlots(): Slot[] {
    return this.books.flatMap((book) => book.open);
  }

  /** Keeps what the round of a position that has just become flat ended as. */
  archive(closed: ClosedPosition): void {
    this.closed.push(Object.freeze(closed));
    this.closed.forgetOld();
  }
}
