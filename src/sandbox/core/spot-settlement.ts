/**
 * Money of spot orders, exactly (rule A1): a buy locks price × quantity of quote, a sell its quantity of base, nothing
 * is locked for fees; the fee is taken from the asset received. A market buy locks what its walk through the book costs.
 */
import { BID, ASK } from '../../model/market-event.ts';
import { ZERO, type Decimal } from '../../model/money.ts';
import { FEES, type Accounts } from './accounts.ts';
import type { OrderRecord } from './order-record.ts';
import type { FillCharges, Settlement } from './settlement.ts';

/** Quote that an order would trade at once, and the lots that the book has for it up to `limitTicks`. */
export function walkCost(
  { market, order }: Pick<OrderRecord, 'market' | 'order'>,
  limitTicks: number,
): { readonly cost: Decimal; readonly lots: number } {
  const { instrument, book } = market;
  const buys = order.side === 'buy';
  let cost = ZERO;
  let left = order.lots;
  book.walk(buys ? ASK : BID, (ticks, lots) => {
    if (buys ? ticks > limitTicks : ticks < limitTicks) return false;
    const taken = Math.min(left, lots);
    cost = cost.plus(instrument.exactNotional(ticks, taken));
    left -= taken;
    return left > 0;
  });
  return { cost, lots: order.lots - left };
}

export function lockedCurrency(record: OrderRecord): string {
  const { instrument } = record.market;
  return record.order.side === 'buy' ? instrument.quote : instrument.base;
}

function lockAmount(record: OrderRecord, limitTicks: number): Decimal {
  const { instrument } = record.market;
  const { side, ticks, lots } = record.order;
  if (side === 'sell') return instrument.exactQuantity(lots);
  if (ticks === null) return walkCost(record, limitTicks).cost;
  return instrument.exactNotional(ticks, lots);
}

/** The part of a buy's lock that belongs to `quantity`: at its own limit, or at the fill's price for market orders. */
function buyerLock(buyer: OrderRecord, fillTicks: number, quantity: Decimal, notional: Decimal): Decimal {
  const { ticks } = buyer.order;
  if (ticks === null || ticks === fillTicks) return notional;
  return buyer.market.instrument.exactPrice(ticks).times(quantity);
}

export function spotSettlement(accounts: Accounts): Settlement {
  return {
    lockedCurrency,

    lock(record, limitTicks) {
      const amount = lockAmount(record, limitTicks);
      if (!accounts.lock(record.trader.wallet, lockedCurrency(record), amount)) return false;
      record.locked = amount;
      return true;
    },

    fill(taker, maker, ticks, lots): FillCharges {
      const { instrument } = taker.market;
      const buyer = taker.order.side === 'buy' ? taker : maker;
      const seller = buyer === taker ? maker : taker;
      const { base, quote } = instrument;
      const quantity = instrument.exactQuantity(lots);
      const notional = instrument.exactNotional(ticks, lots);
      const buyerFee = quantity.times(buyer.trader.fees[buyer === taker ? 'taker' : 'maker']);
      const sellerFee = notional.times(seller.trader.fees[seller === taker ? 'taker' : 'maker']);
      const released = buyerLock(buyer, ticks, quantity, notional);
      const buyers = buyer.trader.wallet;
      const sellers = seller.trader.wallet;
      accounts.settle(
        [
          { account: buyers.locked, asset: quote, amount: released.neg() },
          { account: buyers.available, asset: quote, amount: released.minus(notional) },
          { account: sellers.available, asset: quote, amount: notional.minus(sellerFee) },
          { account: FEES, asset: quote, amount: sellerFee },
          { account: sellers.locked, asset: base, amount: quantity.neg() },
          { account: buyers.available, asset: base, amount: quantity.minus(buyerFee) },
          { account: FEES, asset: base, amount: buyerFee },
        ],
        [
          [buyers, quote],
          [buyers, base],
          [sellers, quote],
          [sellers, base],
        ],
      );
      buyer.locked = buyer.locked.minus(released);
      seller.locked = seller.locked.minus(quantity);
      const buyerCharge = { fee: buyerFee, currency: base };
      const sellerCharge = { fee: sellerFee, currency: quote };
      return buyer === taker
        ? { taker: buyerCharge, maker: sellerCharge }
        : { taker: sellerCharge, maker: buyerCharge };
    },

    release(record) {
      accounts.unlock(record.trader.wallet, lockedCurrency(record), record.locked);
      record.locked = ZERO;
    },
  };
}
