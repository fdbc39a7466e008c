/**
 * Executes liquidations: cancels orders that hold the same money, and fills an exchange order per position. The
 * insurance takes over at the mark; no public trade is printed.
 */
import {
  LIQUIDATION,
  liquidate,
  type DueLiquidation,
  type ForcedClose,
} from '../../../clearing/perpetual/liquidation.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { FuturesAccount } from './account.ts';
import type { FuturesParts } from './futures-parts.ts';
import type { FuturesSettlement } from './futures-settlement.ts';

const CLOSING = { type: 'market', timeInForce: 'ioc', ticks: null, reduceOnly: true } as const;

export class Liquidator {
  readonly #futures: FuturesParts;
  readonly #settlement: FuturesSettlement;

  constructor(futures: FuturesParts, settlement: FuturesSettlement) {
    this.#futures = futures;
    this.#settlement = settlement;
  }

  check(account: FuturesAccount, now: number): void {
    liquidate(account.books, {
      cancelOrders: (due) => this.#cancelOrders(account, due, now),
      close: (close) => this.#close(account, close, now),
    });
  }

  #cancelOrders(account: FuturesAccount, due: DueLiquidation<OrderRecord>, now: number): void {
    const { book, marginType, slots } = due;
    const concerned = marginType === 'cross' ? book.slots : slots.flatMap(({ holding }) => account.slotsOf(holding));
    for (const record of concerned.flatMap(({ orders }) => [...orders.all()])) {
      if (record.isActive) this.#futures.flow.cancel(record, now, LIQUIDATION);
    }
    if (marginType === 'cross') this.#futures.deps.freeSpotLocks(account.trader, book.currency, now);
  }

  #close(account: FuturesAccount, close: ForcedClose<OrderRecord>, now: number): void {
    const { flow, deps, perpetuals } = this.#futures;
    const { slot, side, quantity, price } = close;
    const { trader } = account;
    const { market } = perpetuals.get(slot.symbol)!;
    const { instrument } = market;
    const order = { ...CLOSING, side, lots: instrument.lotsOf(quantity), positionSide: slot.side };
    const forced = { ticks: instrument.ticksOf(price), reason: LIQUIDATION, now };
    const record = flow.force(trader, market, order, forced, (record) => {
      const charge = this.#settlement.force(record, close, LIQUIDATION);
      const { amount, currency } = charge;
      const entry = { type: 'trade_fee', currency, amount, account: 'unified-trading' } as const;
      // Went to the insurance.
      if (amount.gt(0)) deps.transactions.complete(trader.userId, entry, now);
      return charge;
    });
    deps.orders.keep(record);
  }
}
