/** Positions of perpetuals and their settings. */
import { z } from 'zod';
import { orderSchema } from '../../../exchange/wire/orders.ts';
import { leverageSchema, marginTypeSchema, positionModeSchema } from '../../../exchange/wire/positions.ts';
import { moneyRow, readAll, terminalRow, type OperationRow } from '../operation-row.ts';
import { closedPosition, order, position } from '../outputs/trading.ts';
import { amount, period, symbol } from '../parameters.ts';
import { positionSide } from '../../schemas/common.ts';

const terminalOnly = 'it changes the margin below open positions; change it while no session trades';
const ofPeriod = z.strictObject({ symbol: symbol.optional(), ...period });

interface Wanted {
  readonly symbol?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function filterOf({ symbol: wanted, from, to }: Wanted): { symbol?: string; from?: number; to?: number } {
  return {
    ...(wanted === undefined ? {} : { symbol: wanted }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

export const positionRows: readonly OperationRow[] = [
  readAll({
    name: 'futures.positions',
    about: 'Open positions of the account',
    endpoints: ['positions'],
    command: 'futures positions',
    params: z.strictObject({ symbol: symbol.optional() }),
    item: position,
    run: ({ futures }, { symbol: wanted }) => futures.positions(wanted),
  }),
  readAll({
    name: 'futures.closed-positions',
    about: 'Positions that are over, newest first',
    endpoints: ['closedPositions'],
    command: 'futures closed-positions',
    params: ofPeriod,
    item: closedPosition,
    run: ({ futures }, wanted) => futures.closedPositions(filterOf(wanted)),
  }),
  readAll({
    name: 'futures.closed-orders',
    about: 'Orders that opened or closed positions, newest first',
    endpoints: ['closedPositionOrders'],
    command: 'futures closed-orders',
    params: ofPeriod,
    item: order,
    run: ({ futures }, wanted) => futures.closedPositionOrders(filterOf(wanted)),
  }),
  moneyRow({
    name: 'futures.close',
    about: 'Close a position, or a part of it, at market',
    endpoints: ['closePosition'],
    command: 'futures close',
    params: z.strictObject({
      symbol,
      positionSide,
      quantity: amount.optional().describe('Without it all of it'),
    }),
    output: orderSchema,
    money: 'futuresClose',
    moves: 'orders',
    terminalOnly: 'a session closes what its strategies hold, and books it to them: the command `flatten`',
  }),
  terminalRow({
    name: 'futures.leverage',
    about: 'Set the leverage of a perpetual',
    endpoints: ['setLeverage'],
    command: 'futures leverage',
    params: z.strictObject({ symbol, leverage: z.int().min(1).max(1_000) }),
    output: leverageSchema,
    method: 'futures.setLeverage',
    moves: 'orders',
    terminalOnly,
  }),
  terminalRow({
    name: 'futures.margin-type',
    about: 'Set isolated or cross margin for a perpetual',
    endpoints: ['setMarginType'],
    command: 'futures margin-type',
    params: z.strictObject({ symbol, marginType: z.enum(['isolated', 'cross']) }),
    output: marginTypeSchema,
    method: 'futures.setMarginType',
    moves: 'orders',
    terminalOnly,
  }),
  terminalRow({
    name: 'futures.mode',
    about: 'Hold one position a perpetual, or long and short beside each other',
    endpoints: ['setPositionMode'],
    command: 'futures mode',
    params: z.strictObject({ mode: z.enum(['one-way', 'hedge']) }),
    output: positionModeSchema,
    method: 'futures.setMode',
    moves: 'orders',
    terminalOnly,
  }),
];
