/**
 * What counted against limits at a moment: position, working orders, unknown outcomes. From a replay, so equal to the
 * figures of the risk checks. Pure.
 */
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { decimalText, ZERO } from '../../model/numbers/money.ts';

export interface ExposureThen {
  readonly symbol: string;
  readonly strategy: string;
  /** Of the strategy, signed canonical text. */
  readonly position: string;
  /** Unfilled quantities of the strategy, unknown outcomes included. */
  readonly workingBuys: string;
  readonly workingSells: string;
  readonly openOrders: number;
  /** Of all strategies. */
  readonly accountOpenOrders: number;
  readonly unresolved: number;
  /** Null: the switch was off. */
  readonly killed: string | null;
}

export function exposureThen(state: StateView, strategy: string, symbol: string): ExposureThen {
  let [position, workingBuys, workingSells] = [ZERO, ZERO, ZERO];
  let [openOrders, accountOpenOrders, unresolved] = [0, 0, 0];
  for (const held of state.positions.all()) {
    if (held.strategy === strategy && held.instrument.symbol === symbol)
      position = position.plus(held.position.quantity);
  }
  for (const order of state.orders.allLive()) {
    if (isClosed(order.progress)) continue;
    accountOpenOrders++;
    if (order.progress.state === 'unknown' || order.progress.state === 'sending') unresolved++;
    if (order.strategy !== strategy || order.instrument.symbol !== symbol) continue;
    openOrders++;
    const reserved = order.instrument.exactQuantity(reservedLots(order.progress));
    if (order.sign > 0) workingBuys = workingBuys.plus(reserved);
    else workingSells = workingSells.plus(reserved);
  }
  return {
    symbol,
    strategy,
    position: decimalText(position),
    workingBuys: decimalText(workingBuys),
    workingSells: decimalText(workingSells),
    openOrders,
    accountOpenOrders,
    unresolved,
    killed: state.killReason ?? null,
  };
}
