/** `orders` and `trades` of `tidewire spot` and `tidewire futures`. */
import { Command, Option } from 'commander';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { OrderReport, VenueOrderStatus } from '../../model/trading/order.ts';
import type { Reading } from '../../model/result.ts';
import type { PastRequest } from '../../exchange/client/operations/orders.ts';
import { answered } from '../../operations/exchange/answers.ts';
import { action, type CliIo, type CommandResult } from '../command.ts';
import { operationHelp } from '../operations/help.ts';
import { listing } from '../operations/listing.ts';
import { withExchange, type OpenExchange } from '../operations/open-exchange.ts';
import { withConfig } from '../operations/options.ts';
import { timeText } from '../operations/text.ts';
import { table } from '../terminal/table.ts';
import { mostOf, requireSeen, requireSymbol, withMost, type MostOptions, type OrderMarket } from './market.ts';
import { filterOf, periodOptions, type PeriodOptions } from './period.ts';

interface OrdersOptions extends PeriodOptions, MostOptions {
  readonly history?: boolean;
  readonly status?: VenueOrderStatus;
  readonly id?: string;
}

const LIVE: readonly VenueOrderStatus[] = ['new', 'partially_filled'];
const ENDED: readonly VenueOrderStatus[] = ['filled', 'canceled', 'rejected', 'expired'];
const ORDER_HEAD = ['id', 'symbol', 'side', 'price', 'average', 'filled', 'state'];

export function isLive({ status }: OrderReport): boolean {
  return LIVE.includes(status);
}

/** `sell long` closes a long position in hedge mode. */
export function orderSide({ side, positionSide, reduceOnly }: OrderReport): string {
  const leg = positionSide === undefined || positionSide === 'both' ? '' : ` ${positionSide}`;
  return `${side}${leg}${reduceOnly === true ? ' reduce' : ''}`;
}

/** `past`: shows the time in place of the id that cancels. */
export function ordersText(items: readonly OrderReport[], past = false): string {
  if (items.length === 0) return 'no orders';
  const rows = items.map((order) => [
    past ? timeText(order.createdAt) : order.orderId,
    order.symbol,
    orderSide(order),
    order.price ?? order.type,
    order.averagePrice ?? '-',
    `${order.filledQuantity}/${order.quantity}`,
    order.status,
  ]);
  return table(rows, { head: past ? ORDER_HEAD.with(0, 'created') : ORDER_HEAD, right: [3, 4, 5] });
}

function isPast({ history, from, to, status }: OrdersOptions): boolean {
  return history === true || from !== undefined || to !== undefined || (status !== undefined && ENDED.includes(status));
}

function pastOf({ market }: OrderMarket, symbol: string | undefined, options: PeriodOptions): PastRequest {
  return { from: 0, ...filterOf(symbol, options), market };
}

async function ordersOf(
  open: OpenExchange,
  of: OrderMarket,
  symbol: string | undefined,
  options: OrdersOptions,
): Promise<Reading<OrderReport>> {
  const { exchange } = open;
  const { status } = options;
  const most = mostOf(options);
  const past = pastOf(of, symbol, options);
  const reading = isPast(options)
    ? await exchange.orders.history(status !== undefined || most === undefined ? past : { ...past, most })
    : await exchange.orders.active();
  if (reading.kind === 'failed') return reading;
  const items = reading.items.filter(
    (order) =>
      order.market === of.market &&
      (past.symbol === undefined || order.symbol === past.symbol) &&
      (status === undefined || order.status === status),
  );
  if (items.length === 0) await requireSeen(open, of, past.symbol);
  // The history has the newest first.
  const isOld = most !== undefined && !isPast(options);
  return { ...reading, items: isOld ? items.toSorted((a, b) => b.createdAt - a.createdAt) : items };
}

async function oneOrder({ exchange }: OpenExchange, command: string, orderId: string): Promise<CommandResult> {
  const order = answered('the order', await exchange.orders.one(orderId));
  const { clientOrderId, reason, createdAt, updatedAt } = order;
  const rows = [
    ['client id', clientOrderId ?? 'none'],
    ['terms', `${order.type}, ${order.timeInForce}${order.price === null ? '' : `, ${order.price}`}`],
    ...(reason === undefined ? [] : [['reason', reason]]),
    ['created', timeText(createdAt)],
    ['updated', timeText(updatedAt)],
  ];
  return { json: { command, complete: true, items: [order] }, text: `${ordersText([order])}\n\n${table(rows)}` };
}

export function buildOrders(io: CliIo, of: OrderMarket): Command {
  const { area, symbols } = of;
  const command = `${area} orders`;
  const alone = ['history', 'from', 'to', 'status', 'limit'];
  return withMost(
    periodOptions(
      withConfig(new Command('orders').description(`List open orders of ${symbols}; with --history those that ended.`)),
    )
      .option('--history', 'orders that ended, newest first')
      .addOption(new Option('--status <STATUS>', 'only in this state').choices([...LIVE, ...ENDED])),
  )
    .addOption(new Option('--id <ID>', 'one order, open or not').conflicts(alone))
    .addHelpText(
      'after',
      operationHelp(
        [
          `${command} --config config/sandbox.yaml`,
          `${command} --status filled --limit 20 --config config/sandbox.yaml`,
        ],
        ['activeOrders', 'orderHistory', 'order'],
      ),
    )
    .action(
      action(io, async (symbol: string | undefined, options: OrdersOptions) => {
        const most = mostOf(options);
        filterOf(symbol, options);
        return withExchange(io, options, 'key', async (open) =>
          options.id !== undefined
            ? oneOrder(open, command, options.id)
            : listing({
                command,
                what: 'orders',
                reading: await ordersOf(open, of, symbol, options),
                text: (items) => ordersText(items, isPast(options)),
                most,
              }),
        );
      }),
    );
}

function tradesText(items: readonly VenueFill[], { market }: OrderMarket): string {
  if (items.length === 0) return 'no trades';
  const isSpot = market === 'spot';
  const rows = items.map((fill) => [
    timeText(fill.ts),
    fill.symbol,
    fill.side,
    fill.price,
    fill.quantity,
    isSpot ? `${fill.fee} ${fill.feeCurrency}` : fill.fee,
    ...(isSpot ? [] : [fill.realizedPnl ?? '']),
  ]);
  const head = ['time', 'symbol', 'side', 'price', 'quantity', 'fee', ...(isSpot ? [] : ['pnl'])];
  return table(rows, { head, right: [3, 4, 5, 6] });
}

export function buildTrades(io: CliIo, of: OrderMarket): Command {
  const command = `${of.area} trades`;
  return withMost(
    periodOptions(withConfig(new Command('trades').description(`List own trades of ${of.symbols}, newest first.`))),
  )
    .addHelpText(
      'after',
      operationHelp([`${command} ${of.example} --limit 20 --config config/sandbox.yaml`], [of.trades]),
    )
    .action(
      action(io, async (symbol: string | undefined, options: PeriodOptions & MostOptions) => {
        const most = mostOf(options);
        const past = pastOf(of, symbol, options);
        return withExchange(io, options, 'key', async ({ exchange }) => {
          const reading = await exchange.orders.ownTrades(most === undefined ? past : { ...past, most });
          const isNone = reading.kind === 'complete' && reading.items.length === 0;
          if (isNone && past.symbol !== undefined) await requireSymbol(exchange, of, 'the list', past.symbol);
          return listing({ command, what: 'trades', reading, text: (items) => tradesText(items, of), most });
        });
      }),
    );
}
