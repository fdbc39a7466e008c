/** Orders, programs and positions of a replica as the API shows them. Pure. */
import { replayedProgram } from '../../execution/programs/replayed-programs.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import { orderUpdate } from '../../spine/orders/own-order.ts';
import { strategyPosition } from '../../spine/positions.ts';
import type { Replay } from '../../spine/replay.ts';
import type { OrderRow, PositionRow, ProgramRow } from '../schemas/orders.ts';

export function orderRowOf(update: OrderUpdate, strategy: string, createdAt: number): OrderRow {
  return {
    ref: update.ref,
    strategy,
    tag: update.tag,
    symbol: update.symbol,
    side: update.side,
    type: update.type,
    timeInForce: update.timeInForce,
    price: update.price,
    quantity: update.quantity,
    filledQuantity: update.filledQuantity,
    averagePrice: update.averagePrice,
    state: update.state,
    orderId: update.orderId ?? null,
    positionSide: update.positionSide ?? null,
    reduceOnly: update.reduceOnly === true,
    postOnly: update.postOnly === true,
    parent: update.parent ?? null,
    leg: update.leg ?? null,
    createdAt,
  };
}

export function ordersOf({ state }: Replay): OrderRow[] {
  return state.orders
    .allLive()
    .filter(({ progress }) => progress.state !== 'pending')
    .map((order) => orderRowOf(orderUpdate(order, state.lastTs), order.strategy, order.createdAt));
}

export function programsOf(replay: Replay): ProgramRow[] {
  return [...replay.state.programs.working].map((program) => {
    const { tag: _, children, ...row } = replayedProgram(replay, program);
    const { trigger, at } = row.next;
    const next = { ...(trigger === undefined ? {} : { trigger }), ...(at === undefined ? {} : { at }) };
    return { ...row, next, children: [...children] };
  });
}

/** Size of a unit in quote or settlement currency. */
function unitOf({ market, contractSize }: Instrument): number {
  return market === 'spot' ? 1 : contractSize.toNumber();
}

export function positionsOf({ state }: Replay, marks: Readonly<Record<string, number>>): PositionRow[] {
  return [...state.positions.all()]
    .filter(({ position }) => !position.quantity.isZero())
    .map((held) => {
      const { instrument, strategy, position } = held;
      const { symbol, market, positionSide, quantity, entryPrice, realizedPnl, funding } = strategyPosition(
        held,
        Math.abs(held.lots) < 1,
      );
      const mark = marks[symbol] ?? null;
      const unit = unitOf(instrument);
      const size = position.quantity.toNumber();
      const moved = mark === null || entryPrice === null ? null : (mark - Number(entryPrice)) * size * unit;
      return {
        strategy,
        symbol,
        market,
        positionSide,
        quantity,
        entryPrice,
        realizedPnl,
        funding: funding ?? null,
        quote: market === 'spot' ? instrument.quote : instrument.settle,
        markPrice: mark,
        value: mark === null ? null : mark * size * unit,
        unrealizedPnl: moved,
      };
    });
}
