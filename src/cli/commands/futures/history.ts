/** `tidewire futures orders|closed-orders|trades`: open orders, orders of closed positions, own trades. */
import { Command } from 'commander';
import type { VenueFill } from '../../../model/fill.ts';
import type { OrderReport } from '../../../model/order.ts';
import type { Reading } from '../../../model/result.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OpenExchange } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../table.ts';
import { filterOf, periodOptions, type PeriodOptions } from './period.ts';

interface OrdersOptions extends PeriodOptions {
  readonly history?: boolean;
}

const ORDER_HEAD = ['id', 'symbol', 'side', 'price', 'filled', 'state'];

/** `sell long` closes a long position in hedge mode. */
export function orderSide({ side, positionSide, reduceOnly }: OrderReport): string {
  const leg = positionSide === undefined || positionSide === 'both' ? '' : ` ${positionSide}`;
  return `${side}${leg}${reduceOnly === true ? ' reduce' : ''}`;
}

/** `past`: shows the time in place of the id for `futures cancel`. */
export function ordersText(items: readonly OrderReport[], past = false): string {
  if (items.length === 0) return 'no orders';
  const rows = items.map((order) => [
    past ? timeText(order.createdAt) : order.orderId,
    order.symbol,
    orderSide(order),
    order.averagePrice ?? order.price ?? order.type,
    `${order.filledQuantity}/${order.quantity}`,
    order.status,
  ]);
  return table(rows, { head: past ? ORDER_HEAD.with(0, 'created') : ORDER_HEAD, right: [3, 4] });
}

function isPast({ history, from, to }: OrdersOptions): boolean {
  return history === true || from !== undefined || to !== undefined;
}

async function ordersOf(
  { exchange }: OpenExchange,
  symbol: string | undefined,
  options: OrdersOptions,
): Promise<Reading<OrderReport>> {
  const filter = filterOf(symbol, options);
  if (isPast(options)) {
    return exchange.orders.history({ from: 0, ...filter, market: 'derivative' });
  }
  const reading = await exchange.orders.active();
  if (reading.kind === 'failed') return reading;
  const items = reading.items.filter(
    (order) => order.market === 'derivative' && (filter.symbol === undefined || order.symbol === filter.symbol),
  );
  return { ...reading, items };
}

export function buildOrders(io: CliIo): Command {
  return periodOptions(
    withConfig(new Command('orders').description('List open orders of perpetuals; with --history those that ended.')),
  )
    .option('--history', 'orders that ended, newest first')
    .addHelpText(
      'after',
      operationHelp(['futures orders --config config/sandbox.yaml'], ['activeOrders', 'orderHistory']),
    )
    .action(
      action(io, (symbol: string | undefined, options: OrdersOptions) =>
        withExchange(io, options, 'key', async (open) =>
          listing({
            command: 'futures orders',
            what: 'orders',
            reading: await ordersOf(open, symbol, options),
            text: (items) => ordersText(items, isPast(options)),
          }),
        ),
      ),
    );
}

export function buildClosedOrders(io: CliIo): Command {
  return periodOptions(
    withConfig(new Command('closed-orders').description('List orders that opened or closed positions, newest first.')),
  )
    .addHelpText(
      'after',
      operationHelp(['futures closed-orders --config config/sandbox.yaml'], ['closedPositionOrders']),
    )
    .action(
      action(io, async (symbol: string | undefined, options: PeriodOptions) => {
        const filter = filterOf(symbol, options);
        return withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'futures closed-orders',
            what: 'orders of positions',
            reading: await exchange.futures.closedPositionOrders(filter),
            text: (items) => ordersText(items, true),
          }),
        );
      }),
    );
}

const TRADE_HEAD = ['time', 'symbol', 'side', 'price', 'quantity', 'fee', 'pnl'];

function tradesText(items: readonly VenueFill[]): string {
  if (items.length === 0) return 'no trades';
  const rows = items.map((fill) => [
    timeText(fill.ts),
    fill.symbol,
    fill.side,
    fill.price,
    fill.quantity,
    fill.fee,
    fill.realizedPnl ?? '',
  ]);
  return table(rows, { head: TRADE_HEAD, right: [3, 4, 5, 6] });
}

export function buildTrades(io: CliIo): Command {
  return periodOptions(withConfig(new Command('trades').description('List own trades of perpetuals, newest first.')))
    .addHelpText('after', operationHelp(['futures trades --config config/sandbox.yaml'], ['derivativeTrades']))
    .action(
      action(io, async (symbol: string | undefined, options: PeriodOptions) => {
        const filter = filterOf(symbol, options);
        return withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'futures trades',
            what: 'trades',
            reading: await exchange.futures.ownTrades(filter),
            text: tradesText,
          }),
        );
      }),
    );
}
