/** One perpetual in one account: its terms and position slots. The market is shared by all accounts. */
import type { VenuePosition } from '../../model/account.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Decimal } from '../../model/money.ts';
import type { PositionSide } from '../../model/order.ts';
import type { RiskTiers } from '../margin/risk-tiers.ts';
import type { MarginBook } from './margin-book.ts';
import { PositionSlot } from './position-slot.ts';

export interface PerpetualMarket {
  readonly instrument: Instrument;
  readonly tiers: RiskTiers;
  readonly mark: Decimal | null;
  /** NaN before the first. */
  readonly markNumber: number;
}

export type MarginType = VenuePosition['marginType'];

export interface HoldingTerms {
  readonly leverage: number;
  readonly marginType: MarginType;
}

export class Holding<Order extends object> {
  readonly market: PerpetualMarket;
  readonly book: MarginBook<Order>;
  readonly slots: PositionSlot<Order>[] = [];
  #terms: HoldingTerms;

  constructor(market: PerpetualMarket, book: MarginBook<Order>, terms: HoldingTerms) {
    this.market = market;
    this.book = book;
    this.#terms = terms;
  }

  get terms(): HoldingTerms {
    return this.#terms;
  }

  get isIsolated(): boolean {
    return this.#terms.marginType === 'isolated';
  }

  /** What is held changes with the next `rehold` of the book. */
  setTerms(terms: HoldingTerms): void {
    this.#terms = terms;
    for (const slot of this.slots) slot.moved();
  }

  slot(side: PositionSide): PositionSlot<Order> {
    for (const slot of this.slots) if (slot.side === side) return slot;
    const slot = new PositionSlot(this, side);
    this.slots.push(slot);
    this.book.join(slot);
    return slot;
  }
}
