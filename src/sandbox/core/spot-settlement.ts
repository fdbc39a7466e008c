/**
 * Money of spot orders (rule A1): a limit order locks what it may use at its limit, a market buy what its walk through the
 * book costs. Both sides of a fill settle by `clearing/spot.ts`.
 */
import type { Fee } from '../../clearing/fees.ts';
import type { Walk } from '../../clearing/perpetual/order-margin.ts';
import { payingPocket, settleSpot, spotLock, spotPockets } from '../../clearing/spot.ts';
import { BID, ASK } from '../../model/market-event.ts';
import { ZERO, type Decimal } from '../../model/money.ts';
import type { Liquidity } from '../../model/order.ts';
import type { OrderRecord } from './order-record.ts';
import type { Settlement } from './settlement.ts';

/** Quote that an order would trade at once, and the lots that the book has for it up to `limitTicks`. */
export function walkCost({ market, order }: Pick<OrderRecord, 'market' | 'order'>, limitTicks: number): Walk {
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

export function lockedCurrency({ market, order }: OrderRecord): string {
  return order.side === 'buy' ? market.instrument.quote : market.instrument.base;
}

function lockAmount(record: OrderRecord, limitTicks: number): Decimal {
  const { side, ticks, lots } = record.order;
  if (side === 'buy' && ticks === null) return walkCost(record, limitTicks).cost;
  return spotLock(record.market.instrument, side, ticks ?? 0, lots);
}

function settleSide(record: OrderRecord, liquidity: Liquidity, ticks: number, lots: number): Fee {
  const { instrument } = record.market;
  const { trader, order } = record;
  // A market order has locked what it pays.
  const released = spotLock(instrument, order.side, order.ticks ?? ticks, lots);
  record.locked = record.locked.minus(released);
  return settleSpot(spotPockets(trader.wallet, instrument), order.side, {
    quantity: instrument.exactQuantity(lots),
    value: instrument.exactNotional(ticks, lots),
    released,
    feeRate: trader.fees[liquidity],
  });
}

export const spotSettlement: Settlement = {
  lockedCurrency,

  lock(record, limitTicks) {
    const amount = lockAmount(record, limitTicks);
    const { trader, market, order } = record;
    if (!payingPocket(spotPockets(trader.wallet, market.instrument), order.side).lock(amount)) return false;
    record.locked = amount;
    return true;
  },

  fill(taker, maker, ticks, lots) {
    if (maker.order.side === 'sell') {
      const charge = settleSide(taker, 'taker', ticks, lots);
      return { taker: charge, maker: settleSide(maker, 'maker', ticks, lots) };
    }
    const charge = settleSide(maker, 'maker', ticks, lots);
    return { taker: settleSide(taker, 'taker', ticks, lots), maker: charge };
  },

  release(record) {
    record.trader.wallet.pocket(lockedCurrency(record)).unlock(record.locked);
    record.locked = ZERO;
  },
};
