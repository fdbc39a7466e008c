/**
 * Liquidation (rule A3). Positions whose equity at the mark is at or below their maintenance margin are closed at the
 * bankruptcy price with the liquidation fee, after the orders that tie up money are cancelled:
 *
 *   isolated   the orders of the symbol, then this position, which can lose its own margin only
 *   cross      every order that holds the currency, spot included; if what they free does not suffice, all cross
 *              positions of the currency together
 *
 * The market account takes the position over at the mark. The difference between mark and bankruptcy price is the
 * insurance account's, gain or loss, so the user ends with nothing, never less. Prices are rounded to the tick in the
 * user's favour. No trade is printed in the public feed: nothing trades in the book. The order in the history and the
 * closed position carry the reason `liquidation`.
 */
import { type Decimal } from '../../../model/money.ts';
import { unrealizedOf } from '../../../clearing/margin/exposure.ts';
import { bankruptcyPrice } from '../../../clearing/margin/liquidation.ts';
import type { OrderFlow } from '../order-flow.ts';
import type { OwnOrders } from '../own-orders.ts';
import type { FuturesSettlement } from './futures-settlement.ts';
import type { MarginAccount } from './margin-account.ts';
import type { PositionSlot } from './position-slot.ts';

export const LIQUIDATION = 'liquidation';

export interface LiquidatorPorts {
  readonly flow: OrderFlow;
  readonly orders: OwnOrders;
  readonly settlement: FuturesSettlement;
  readonly feeRate: Decimal;
  /** Cancels what locks money of the user in a currency in the spot market. */
  freeSpotLocks(account: MarginAccount, currency: string, now: number): void;
  /** A fee that went to the insurance account. */
  onFee(account: MarginAccount, currency: string, fee: Decimal, now: number): void;
}

export class Liquidator {
  readonly #ports: LiquidatorPorts;

  constructor(ports: LiquidatorPorts) {
    this.#ports = ports;
  }

  check(account: MarginAccount, now: number): void {
    const open = account.openSlots();
    for (const slot of open) {
      if (account.isIsolated(slot) && account.isolatedState(slot).isLiquidated) {
        this.#cancelOrders(account.slotsOf(slot.data), now);
        this.#close(account, [slot], now);
      }
    }
    for (const currency of new Set(open.map((slot) => slot.currency))) {
      if (!account.crossState(currency).isLiquidated) continue;
      this.#cancelOrders(account.slotsIn(currency), now);
      this.#ports.freeSpotLocks(account, currency, now);
      if (account.crossState(currency).isLiquidated) this.#close(account, account.crossSlots(currency), now);
    }
  }

  #cancelOrders(slots: readonly PositionSlot[], now: number): void {
    for (const record of slots.flatMap((slot) => [...slot.orders.records()])) {
      if (record.isActive) this.#ports.flow.cancel(record, now, LIQUIDATION);
    }
  }

  /** Gains first: in a cross account they pay for the losses. */
  #close(account: MarginAccount, slots: readonly PositionSlot[], now: number): void {
    const collaterals = account.bankruptcyCollaterals(slots);
    const closings = slots.map((slot, index) => {
      const ticks = bankruptcyTicks(slot, collaterals[index]!, this.#ports.feeRate);
      const price = slot.data.market.instrument.exactPrice(ticks);
      return { slot, ticks, price, profit: unrealizedOf(slot.exposure, price) };
    });
    for (const { slot, ticks, price } of closings.toSorted((a, b) => b.profit.cmp(a.profit))) {
      this.#closeOne(account, slot, ticks, price, now);
    }
  }

  #closeOne(account: MarginAccount, slot: PositionSlot, ticks: number, price: Decimal, now: number): void {
    const { flow, orders, settlement, feeRate } = this.#ports;
    const { market } = slot.data;
    const { exposure, mark } = slot;
    const quantity = slot.quantity.abs();
    const order = {
      side: slot.quantity.gt(0) ? 'sell' : 'buy',
      type: 'market',
      timeInForce: 'ioc',
      ticks: null,
      lots: market.instrument.lotsOf(quantity),
      positionSide: slot.side,
      reduceOnly: true,
    } as const;
    const taken = unrealizedOf(exposure, mark).minus(unrealizedOf(exposure, price));
    const record = flow.force(account.trader, market, order, { ticks, reason: LIQUIDATION, now }, (record) => {
      const fill = { price, quantity, feeRate, feeTo: 'insurance', reason: LIQUIDATION } as const;
      const charge = settlement.apply(record, fill);
      account.funds.betweenExchangeAccounts(slot.currency, taken, 'market', 'insurance');
      this.#ports.onFee(account, slot.currency, charge.amount, now);
      return charge;
    });
    orders.keep(record);
  }
}

/** Up for a long, down for a short, at least one tick. */
function bankruptcyTicks(slot: PositionSlot, collateral: Decimal, feeRate: Decimal): number {
  const { spec } = slot.data.market.instrument;
  const exact = bankruptcyPrice(slot.exposure, collateral, feeRate).div(spec.tickSize);
  const rounding = slot.quantity.gt(0) ? 'ceil' : 'floor';
  return Math.max(1, exact.toDecimalPlaces(0, rounding).toNumber());
}
