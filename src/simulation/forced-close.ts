/**
 * Carries out a liquidation (rule A3): cancels the open orders that hold the same money, then closes each position at its
 * bankruptcy price with the liquidation fee, as an order of the exchange's own with the reason `liquidation`. What the
 * account cannot pay is the insurance fund's. Used by `exchange.ts`, which owns ids, store and events.
 */
import type { VenueFill } from '../model/fill.ts';
import { decimalText } from '../model/money.ts';
import type { OrderReport } from '../model/order.ts';
import type { DueClose, DueLiquidation } from './margin-pool.ts';
import type { OrderRecord } from './order-record.ts';
import { msOfUs } from './order-record.ts';

export const LIQUIDATION = 'liquidation';

export interface ForcedClosePorts {
  readonly liquidationFee: Parameters<DueClose['desk']['liquidate']>[2];
  openOrders(): Iterable<OrderRecord>;
  cancel(record: OrderRecord, reason: string): void;
  orderId(): string;
  tradeId(): string;
  /** Money and position have moved. `reason` names the numbers. */
  closed(report: OrderReport, fill: VenueFill, reason: string): void;
}

export function closeForced(due: DueLiquidation, us: number, ports: ForcedClosePorts): void {
  for (const record of ports.openOrders()) if (isConcerned(record, due)) ports.cancel(record, LIQUIDATION);
  // Profits first: what one position earns pays for what another loses.
  const closes = due.closes.toSorted((left, right) => profitOf(right) - profitOf(left));
  for (const close of closes) closeOne(close, due, us, ports);
}

/** Cross: whatever holds the currency, on spot too. Isolated: the orders of that position. */
function isConcerned({ instrument, request }: OrderRecord, { currency, marginType, closes }: DueLiquidation): boolean {
  if (marginType === 'cross') {
    if (instrument.market === 'derivative') return instrument.settle === currency;
    return (request.side === 'buy' ? instrument.quote : instrument.base) === currency;
  }
  return closes.some(
    ({ desk, side }) =>
      desk.instrument.symbol === instrument.symbol && (request.positionSide ?? 'both') === side.positionSide,
  );
}

/** In numbers, for the order of the closes alone. */
function profitOf({ side, price }: DueClose): number {
  return side.quantityNumber * price.toNumber() - side.costNumber;
}

function closeOne({ desk, side, price }: DueClose, due: DueLiquidation, us: number, ports: ForcedClosePorts): void {
  const { instrument } = desk;
  const mark = desk.mark;
  const { side: closing, quantity, fee, realizedPnl } = desk.liquidate(side, price, ports.liquidationFee, us);
  const orderId = ports.orderId();
  const terms = {
    market: instrument.market,
    symbol: instrument.symbol,
    side: closing,
    quantity: decimalText(quantity),
    positionSide: side.positionSide,
  } as const;
  const report: OrderReport = {
    ...terms,
    orderId,
    type: 'market',
    timeInForce: 'ioc',
    price: null,
    filledQuantity: terms.quantity,
    averagePrice: decimalText(price),
    status: 'filled',
    reduceOnly: true,
    reason: LIQUIDATION,
    createdAt: msOfUs(us),
    updatedAt: msOfUs(us),
  };
  const fill: VenueFill = {
    ...terms,
    tradeId: ports.tradeId(),
    orderId,
    price: decimalText(price),
    fee: decimalText(fee),
    feeCurrency: instrument.settle,
    liquidity: 'taker',
    realizedPnl: decimalText(realizedPnl),
    ts: msOfUs(us),
  };
  const at = mark === null ? 'an unknown mark' : `mark ${decimalText(mark)}`;
  const held = `${closing === 'sell' ? 'long' : 'short'} ${terms.quantity} ${instrument.symbol}`;
  const reason =
    `${held} liquidated at ${decimalText(price.toDecimalPlaces(instrument.pricePrecision + 2))} (bankruptcy price): at ` +
    `${at} the equity ${decimalText(due.equity.toDecimalPlaces(8))} ${due.currency} did not cover the maintenance margin ` +
    `${decimalText(due.maintenance.toDecimalPlaces(8))}`;
  ports.closed(report, fill, reason);
}
