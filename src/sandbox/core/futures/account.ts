/** One user's futures. A flat slot keeps its last round until the next position opens. */
import type { Holding, HoldingTerms } from '../../../clearing/perpetual/position-slot.ts';
import { MarginAccount } from '../../../clearing/perpetual/margin-account.ts';
import type { FreeSpotLocks } from '../../../clearing/perpetual/margin-book.ts';
import type { PerpetualRules } from '../../../clearing/perpetual/rules.ts';
import type { PositionSide } from '../../../model/trading/order.ts';
import type { Assumed } from '../assumptions.ts';
import { HistoryLog } from '../history-log.ts';
import type { OrderRecord, Trader } from '../orders/order-record.ts';
import type { PerpetualData } from '../market/perpetuals.ts';
import type { Round, ClosedPosition } from './round.ts';
import type { Slot } from './slot.ts';

export class FuturesAccount extends MarginAccount<OrderRecord> {
  readonly trader: Trader;
  readonly closed: HistoryLog<ClosedPosition>;
  /** Initial terms of a symbol. */
  readonly #first: HoldingTerms;
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

  archive(closed: ClosedPosition): void {
    this.closed.push(Object.freeze(closed));
    this.closed.forgetOld();
  }
}
