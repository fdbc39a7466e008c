/** Orders and own trades of the account, whoever placed them. In a session orders are placed by strategies alone. */
import { z } from 'zod';
import type { Market } from '../../../model/market/instrument.ts';
import type { OrderReport } from '../../../model/trading/order.ts';
import type { HistoryRequest } from '../../../model/venue.ts';
import type { Reading } from '../../../model/result.ts';
import { orderSchema } from '../../../exchange/wire/orders.ts';
import { readAll, readOne, moneyRow, terminalRow, type OperationRow } from '../operation-row.ts';
import { order, trade } from '../outputs/trading.ts';
import { amount, id, period, symbol } from '../parameters.ts';
import { positionSide, side } from '../../schemas/common.ts';

const ofSymbol = z.strictObject({ symbol: symbol.optional() });
const ofPeriod = ofSymbol.extend(period);
const toCancel = z.strictObject({ orderIds: z.array(id).optional(), symbol: symbol.optional() });

interface Wanted {
  readonly symbol?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function open(reading: Reading<OrderReport>, market: Market, wanted: string | undefined): Reading<OrderReport> {
  if (reading.kind === 'failed') return reading;
  const items = reading.items.filter((row) => row.market === market && (wanted === undefined || row.symbol === wanted));
  return { ...reading, items };
}

function past(market: Market, { symbol: wanted, from = 0, to }: Wanted): HistoryRequest {
  return { market, from, ...(wanted === undefined ? {} : { symbol: wanted }), ...(to === undefined ? {} : { to }) };
}

/** The same reads for either market. */
function readsOf(area: 'spot' | 'futures', market: Market): readonly OperationRow[] {
  const what = area === 'spot' ? 'spot pairs' : 'perpetuals';
  return [
    readAll({
      name: `${area}.orders`,
      about: `Open orders of ${what}`,
      endpoints: ['activeOrders'],
      command: `${area} orders`,
      params: ofSymbol,
      item: order,
      run: async ({ orders }, { symbol: wanted }) => open(await orders.active(), market, wanted),
    }),
    readAll({
      name: `${area}.order-history`,
      about: `Orders of ${what} that ended, newest first`,
      endpoints: ['orderHistory'],
      command: `${area} orders`,
      params: ofPeriod,
      item: order,
      run: ({ orders }, wanted) => orders.history(past(market, wanted)),
    }),
    readAll({
      name: `${area}.trades`,
      about: `Own trades of ${what}, newest first`,
      endpoints: [area === 'spot' ? 'spotTrades' : 'derivativeTrades'],
      command: `${area} trades`,
      params: ofPeriod,
      item: trade,
      run: ({ orders }, wanted) => orders.ownTrades(past(market, wanted)),
    }),
  ];
}

/** One order by hand. */
function orderRow(area: 'spot' | 'futures'): OperationRow {
  const isSpot = area === 'spot';
  const ofPosition = isSpot ? {} : { positionSide: positionSide.optional(), reduceOnly: z.boolean().optional() };
  return moneyRow({
    name: `${area}.order`,
    about: `Send one order of a ${isSpot ? 'spot pair' : 'perpetual'} by hand`,
    endpoints: [isSpot ? 'createSpotOrder' : 'createDerivativeOrder'],
    command: `${area} order`,
    params: z.strictObject({
      symbol,
      side,
      quantity: amount,
      price: amount.optional().describe('Without it at market'),
      timeInForce: z.enum(['gtc', 'ioc']).default('gtc'),
      clientOrderId: id.optional(),
      ...ofPosition,
    }),
    output: orderSchema,
    money: isSpot ? 'spotOrder' : 'futuresOrder',
    moves: 'orders',
    terminalOnly: 'in a session orders are decided by strategies, whose limits judge each',
  });
}

function cancelRow(area: 'spot' | 'futures'): OperationRow {
  return terminalRow({
    name: `${area}.cancel`,
    about: 'Cancel orders by their ids, or all open ones of a symbol, whoever placed them',
    endpoints: ['cancelOrder', 'cancelManyOrders'],
    command: `${area} cancel`,
    params: toCancel,
    output: toCancel,
    method: 'orders.cancel',
    moves: 'orders',
    terminalOnly: 'a session cancels its own orders: the commands `cancel` and `cancel-all`',
  });
}

export const orderRows: readonly OperationRow[] = [
  ...readsOf('spot', 'spot'),
  ...readsOf('futures', 'derivative'),
  readOne({
    name: 'orders.find',
    about: 'One order of the account by its id',
    endpoints: ['order'],
    command: 'spot orders',
    params: z.strictObject({ orderId: id }),
    item: order,
    run: ({ orders }, { orderId }) => orders.one(orderId),
  }),
  orderRow('spot'),
  cancelRow('spot'),
  orderRow('futures'),
  cancelRow('futures'),
];
