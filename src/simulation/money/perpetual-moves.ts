/** Settles funding and liquidates (`clearing/perpetual/liquidation.ts`) by the exchange's own orders. */
import {
  LIQUIDATION,
  liquidate,
  settleForced,
  type DueLiquidation,
  type ForcedClose,
  type LiquidationPorts,
} from '../../clearing/perpetual/liquidation.ts';
import type { MarginAccount } from '../../clearing/perpetual/margin-account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { News } from '../venue/news.ts';
import type { VenueObserver } from '../venue/observer.ts';
import { msOfUs, type OrderRecord } from '../venue/order-record.ts';
import type { OrderStore } from '../venue/order-store.ts';
import type { SymbolVenue } from '../venue/symbol-venue.ts';

export interface PerpetualMovesDeps {
  readonly margin: MarginAccount<OrderRecord>;
  readonly store: OrderStore;
  readonly observer: VenueObserver | undefined;
  readonly news: News;
  readonly cancel: (record: OrderRecord, us: number, reason: string) => void;
  readonly nextOrderId: () => string;
  readonly nextTradeId: () => string;
  readonly filled: (fill: VenueFill, us: number) => void;
}

export class PerpetualMoves implements LiquidationPorts<OrderRecord> {
  readonly #deps: PerpetualMovesDeps;
  #us = 0;

  constructor(deps: PerpetualMovesDeps) {
    this.#deps = deps;
  }

  /** False when nothing moved. */
  fund(venue: SymbolVenue, us: number): boolean {
    const { symbol } = venue.instrument;
    let settled = 0;
    for (let rate = venue.fundingDue(us); rate !== null; rate = venue.fundingDue(us)) {
      // Settlements that waited for a mark share one moment.
      const id = settled === 0 ? `sim-f-${symbol}-${us}` : `sim-f-${symbol}-${us}-${settled + 1}`;
      if (this.#settle(venue, rate, us, id)) settled++;
    }
    return settled > 0;
  }

  #settle({ perpetual, instrument, mark }: SymbolVenue, rate: string, us: number, id: string): boolean {
    if (perpetual === null || mark === null) return false;
    const sides = perpetual.fund(dec(rate), mark, us);
    let received = ZERO;
    for (const [positionSide, amount] of sides) {
      received = received.plus(amount);
      this.#deps.observer?.funded(instrument, positionSide, decimalText(amount), us);
    }
    const { symbol, settle: currency } = instrument;
    if (!received.isZero()) {
      this.#deps.news.paid({ id, symbol, currency, amount: decimalText(received), ts: msOfUs(us) });
    }
    return sides.length > 0;
  }

  /** Restores margin that losses took. Call between operations. */
  makeUp(): void {
    for (const book of this.#deps.margin.books) if (book.isShort) book.rehold();
  }

  liquidate(us: number): void {
    this.makeUp();
    this.#us = us;
    liquidate(this.#deps.margin.books, this);
  }

  cancelOrders(due: DueLiquidation<OrderRecord>): void {
    const { store, cancel } = this.#deps;
    for (const record of store.openOrders()) if (isConcerned(record, due)) cancel(record, this.#us, LIQUIDATION);
  }

  close(close: ForcedClose<OrderRecord>): void {
    const { store, observer, news, filled, nextOrderId, nextTradeId } = this.#deps;
    const { slot, side, price } = close;
    const { instrument, mark } = slot.market;
    const us = this.#us;
    const { fee, profit } = settleForced(close, msOfUs(us));
    const orderId = nextOrderId();
    const quantity = decimalText(close.quantity);
    const terms = { market: instrument.market, symbol: slot.symbol, side, quantity, positionSide: slot.side } as const;
    const report: OrderReport = {
      ...terms,
      orderId,
      type: 'market',
      timeInForce: 'ioc',
      price: null,
      filledQuantity: quantity,
      averagePrice: decimalText(price),
      status: 'filled',
      reduceOnly: true,
      reason: LIQUIDATION,
      createdAt: msOfUs(us),
      updatedAt: msOfUs(us),
    };
    const fill: VenueFill = {
      ...terms,
      tradeId: nextTradeId(),
      orderId,
      price: decimalText(price),
      fee: decimalText(fee),
      feeCurrency: instrument.settle,
      liquidity: 'taker',
      realizedPnl: decimalText(profit),
      ts: msOfUs(us),
    };
    store.addClosed(report);
    store.addFill(fill);
    news.closes.push(report);
    news.filled(fill);
    filled(fill, us);
    observer?.filled(fill, null);
    observer?.liquidated(fill, reasonOf(close, mark));
  }
}

/** Cross: every order that holds the currency. Isolated: orders of that position. */
function isConcerned(
  { instrument, request }: OrderRecord,
  { book: { currency }, marginType, slots }: DueLiquidation<OrderRecord>,
): boolean {
  if (marginType === 'cross') {
    if (instrument.market === 'derivative') return instrument.settle === currency;
    return (request.side === 'buy' ? instrument.quote : instrument.base) === currency;
  }
  return slots.some((slot) => slot.symbol === instrument.symbol && (request.positionSide ?? 'both') === slot.side);
}

function reasonOf({ slot, side, quantity, price, due }: ForcedClose<OrderRecord>, mark: Decimal | null): string {
  const { instrument } = slot.market;
  const at = mark === null ? 'an unknown mark' : `mark ${decimalText(mark)}`;
  const held = `${side === 'sell' ? 'long' : 'short'} ${decimalText(quantity)} ${slot.symbol}`;
  const { equity, maintenance } = due.state;
  return (
    `${held} liquidated at ${decimalText(price.toDecimalPlaces(instrument.pricePrecision + 2))} (bankruptcy price): at ` +
    `${at} the equity ${decimalText(equity.toDecimalPlaces(8))} ${due.book.currency} did not cover the maintenance margin ` +
    decimalText(maintenance.toDecimalPlaces(8))
  );
}
