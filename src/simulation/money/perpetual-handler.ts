/** Money of a linear perpetual, by `clearing/perpetual/`. Mode, margin type and leverage never change. */
import type { FeeRates } from '../../clearing/fees.ts';
import { initialMargin } from '../../clearing/margin/initial-margin.ts';
import type { Holding, HoldingTerms, PositionSlot } from '../../clearing/perpetual/position-slot.ts';
import type { PerpetualMarket } from '../../clearing/perpetual/margin-book.ts';
import type { MarginAccount } from '../../clearing/perpetual/margin-account.ts';
import {
  admitOrder,
  coversFill,
  orderMarginOf,
  refuseClosing,
  refuseLeverage,
  releaseOrder,
  type Walk,
} from '../../clearing/perpetual/order-margin.ts';
import { PositionRow } from '../../clearing/perpetual/position-row.ts';
import { payFunding, settleFill } from '../../clearing/perpetual/settlement.ts';
import { refuseBalance, type ClearingRefusal } from '../../clearing/refusal.ts';
import { signedQuantity } from '../../model/trading/account.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { dec, decimalText, greater, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Liquidity, PositionSide } from '../../model/trading/order.ts';
import type { MarketHandler, SettledFill } from './market-handler.ts';
import type { AccountTotals } from '../venue/observer.ts';
import { msOfUs, type OrderRecord } from '../venue/order-record.ts';
import type { RestoredPosition } from './restored-position.ts';

type Slot = PositionSlot<OrderRecord>;

export class PerpetualHandler implements MarketHandler {
  readonly #instrument: Instrument;
  readonly #holding: Holding<OrderRecord>;
  readonly #slots: readonly Slot[];
  readonly #rates: FeeRates;

  constructor(account: MarginAccount<OrderRecord>, market: PerpetualMarket, terms: HoldingTerms, rates: FeeRates) {
    this.#instrument = market.instrument;
    this.#holding = account.holding(market, terms);
    this.#slots = account.slotsOf(this.#holding);
    this.#rates = rates;
  }

  admit(record: OrderRecord, walk: Walk): ClearingRefusal | undefined {
    const slot = this.#slotOf(record);
    const { request, working, lots } = record;
    const { side, reduceOnly } = request;
    const order = { side, ticks: request.type === 'limit' ? working.ticks : null, lots, reduceOnly, walk };
    const margin = orderMarginOf(slot, order, this.#rates.taker);
    const refused = slot.onlyCloses(side, reduceOnly)
      ? refuseClosing(slot, side, lots)
      : refuseLeverage(slot, order, margin.opening);
    if (refused !== undefined) return refused;
    return admitOrder(slot, record, order, margin) ? undefined : refuseBalance(this.#instrument.settle);
  }

  covers(record: OrderRecord, ticks: number, lots: number): boolean {
    const price = this.#instrument.exactPrice(ticks);
    const fill = { price, quantity: this.#instrument.exactQuantity(lots), leftLots: leftOf(record) };
    return coversFill(this.#slotOf(record), record, fill, this.#rates.taker);
  }

  /** As far as possible: prices may have moved since admission. */
  rejoin(record: OrderRecord): boolean {
    const slot = this.#slotOf(record);
    const { side, type } = record.request;
    const price = type === 'limit' ? this.#instrument.exactPrice(record.working.ticks) : ZERO;
    slot.orders.put(record, side, mayOnlyClose(slot, record) ? null : price, leftOf(record));
    slot.renew();
    slot.book.rehold();
    return true;
  }

  settle(record: OrderRecord, ticks: number, lots: number, liquidity: Liquidity): SettledFill {
    const slot = this.#slotOf(record);
    slot.orders.update(record, leftOf(record));
    const fill = {
      side: record.request.side,
      price: this.#instrument.exactPrice(ticks),
      quantity: this.#instrument.exactQuantity(lots),
      feeRate: this.#rates[liquidity],
      feeTo: 'fees',
    } as const;
    const { fee, profit } = settleFill(slot, fill, msOfUs(record.updatedUs));
    return { fee: { currency: slot.book.currency, amount: fee }, realizedPnl: profit };
  }

  release(record: OrderRecord): void {
    releaseOrder(this.#slotOf(record), record);
  }

  /** Reduce-only orders greater than the position. */
  excess(): OrderRecord[] {
    const excess: OrderRecord[] = [];
    for (const slot of this.#slots) {
      for (const record of slot.orders.all()) {
        if (!mayOnlyClose(slot, record)) continue;
        if (this.#instrument.exactQuantity(leftOf(record)).gt(slot.closable(record.request.side))) excess.push(record);
      }
    }
    return excess;
  }

  /** By side, without zeros. */
  fund(rate: Decimal, mark: Decimal, us: number): readonly (readonly [PositionSide, Decimal])[] {
    return this.#slots
      .map((slot) => [slot.side, payFunding(slot, rate, mark, msOfUs(us))] as const)
      .filter(([, amount]) => !amount.isZero());
  }

  /** Past profit is already in the balance. False: the mode has no such side. */
  restore(row: RestoredPosition): boolean {
    const slot = this.#slots.find(({ side }) => side === row.positionSide);
    if (slot === undefined) return false;
    const { position } = slot;
    position.quantity = signedQuantity(row);
    position.cost = dec(row.entryPrice).times(position.quantity);
    position.realized = dec(row.realizedPnl).div(this.#instrument.contractSize);
    slot.moved();
    if (this.#holding.isIsolated) {
      const margin = initialMargin(slot.exposure.cost, this.#holding.terms.leverage).plus(row.funding ?? ZERO);
      slot.book.endow(slot, greater(margin, ZERO));
    }
    slot.book.rehold();
    return true;
  }

  /** Open sides, always signed. */
  held(): AccountTotals['positions'] {
    const { symbol } = this.#instrument;
    return this.#slots.flatMap(({ isOpen, quantity, exposure: { cost } }) =>
      isOpen ? [{ symbol, quantity: decimalText(quantity), cost: decimalText(cost) }] : [],
    );
  }

  positions(): readonly PositionRow[] {
    return this.#slots.map((slot) => new PositionRow(slot));
  }

  #slotOf({ request: { positionSide = 'both' } }: OrderRecord): Slot {
    for (const slot of this.#slots) if (slot.side === positionSide) return slot;
    throw new RangeError(`${this.#instrument.symbol} has no position side ${positionSide}`);
  }
}

function leftOf({ lots, filledLots }: OrderRecord): number {
  return lots - filledLots;
}

function mayOnlyClose(slot: Slot, { request: { side, reduceOnly } }: OrderRecord): boolean {
  return slot.onlyCloses(side, reduceOnly);
}
