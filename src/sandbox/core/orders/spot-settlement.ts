/** Money of spot orders: a limit order locks at its limit, a market buy its walk through the book. */
import type { Fee } from '../../../clearing/fees.ts';
import type { Walk } from '../../../clearing/perpetual/order-margin.ts';
import { payingPocket, settleSpot, spotLock, spotPockets } from '../../../clearing/spot.ts';
import { BID, ASK } from '../../../model/market/market-event.ts';
import { ZERO } from '../../../model/numbers/money.ts';
import type { Liquidity } from '../../../model/trading/order.ts';
import type { OrderRecord } from './order-record.ts';
import type { Settlement } from './settlement.ts';

/** Quote and lots of immediate execution up to `limitTicks`. */
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

function settleSide(record: OrderRecord, liquidity: Liquidity, ticks: number, lots: number): Fee {
  const { instrument } = record.market;
  const { trader, order } = record;
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
    const { trader, market, order } = record;
    const { instrument } = market;
    const { side, ticks, lots } = order;
    const isWalk = side === 'buy' && ticks === null;
    const amount = isWalk ? walkCost(record, limitTicks).cost : spotLock(instrument, side, ticks ?? 0, lots);
    if (!payingPocket(spotPockets(trader.wallet, instrument), side).lock(amount)) return false;
    record.locked = amount;
    return true;
  },

  fill(taker, maker, ticks, lots) {
    // The buyer pays first.
    return maker.order.side === 'sell'
      ? { taker: settleSide(taker, 'taker', ticks, lots), maker: settleSide(maker, 'maker', ticks, lots) }
      : { maker: settleSide(maker, 'maker', ticks, lots), taker: settleSide(taker, 'taker', ticks, lots) };
  },

  release(record) {
    record.trader.wallet.pocket(lockedCurrency(record)).unlock(record.locked);
    record.locked = ZERO;
  },
};
