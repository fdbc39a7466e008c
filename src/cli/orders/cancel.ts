/** `cancel` of `tidewire spot` and `tidewire futures`: orders by their ids, or all open ones of a symbol. Harmless twice. */
import { Command, Option } from 'commander';
import type { OrderReport } from '../../model/trading/order.ts';
import type { MoneyOutcome, Outcome } from '../../model/result.ts';
import { answered, listed } from '../../operations/exchange/answers.ts';
import { action, type CliIo, type CommandResult } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { operationHelp } from '../operations/help.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../operations/open-exchange.ts';
import { withYes } from '../operations/options.ts';
import { accepted } from '../operations/outcome.ts';
import { confirmPlan } from '../operations/plan.ts';
import { intentIdOf } from '../../spine/intent-id.ts';
import { stillOpen } from './gone.ts';
import { isLive, orderSide, ordersText } from './list.ts';
import { requireSeen, type OrderMarket } from './market.ts';

interface Options extends MutatingOptions {
  readonly symbol?: string;
}

const WHAT = 'the cancellation';

function lookAt({ area }: OrderMarket): string {
  return `see \`tidewire ${area} orders\`, also with --history; to cancel again is harmless`;
}

function outcomeOf(send: (done: (outcome: Outcome) => void) => void): Promise<Outcome> {
  return new Promise((resolve) => {
    send(resolve);
  });
}

/** What an accepted outcome holds, else its typed error. */
function valueOf<T>(outcome: Outcome, value: T | undefined, look: string): T {
  const money: MoneyOutcome<T | undefined> = outcome.kind === 'accepted' ? { kind: 'accepted', value } : outcome;
  const found = accepted(WHAT, money, look);
  if (found !== undefined) return found;
  throw unproved(`${WHAT} was accepted without an order`, look);
}

function unproved(what: string, look: string): Error {
  return cliErrors.make('operation_unknown', `${what}; ${look}`, { operation: WHAT });
}

function orderText({ quantity, symbol, price, ...order }: OrderReport): string {
  return `${orderSide({ quantity, symbol, price, ...order })} ${quantity} ${symbol} at ${price ?? 'market'}`;
}

function sessionWarnings(orders: readonly OrderReport[]): readonly string[] {
  const count = orders.filter(({ clientOrderId }) => intentIdOf(clientOrderId) !== undefined).length;
  return count === 0 ? [] : [`${count} of them sent by a session of tidewire, which may place others instead`];
}

async function cancelOne(
  io: CliIo,
  open: OpenExchange,
  of: OrderMarket,
  orderId: string,
  options: Options,
): Promise<CommandResult> {
  const { orders } = open.exchange;
  const before = answered('the order', await orders.one(orderId));
  if (before.market !== of.market) {
    const other = of.area === 'spot' ? 'futures' : 'spot';
    const message = `order ${orderId} is none of ${of.symbols}: \`tidewire ${other} cancel ${orderId}\``;
    throw cliErrors.make('operation_invalid', message, { option: 'ID' });
  }
  const plan = {
    title: `cancel order ${orderId}`,
    rows: [
      ['account', await open.account()],
      ['order', orderText(before)],
      ['state', `${before.status}, ${before.filledQuantity} filled`],
    ] as const,
    warnings: sessionWarnings([before]),
  };
  await confirmPlan(io, plan, options);
  const outcome = await outcomeOf((done) => orders.cancel(orderId, { lane: 'cancel' }, done));
  const look = lookAt(of);
  valueOf(outcome, outcome.kind === 'accepted' ? outcome.order : undefined, look);
  const left = await stillOpen(open, (row) => row.orderId === orderId);
  if (left === null) throw unproved(`${WHAT} was accepted, and the open orders could not be read to prove it`, look);
  if (left.length > 0) throw unproved(`${WHAT} was accepted, and order ${orderId} is still open`, look);
  const report = answered('the order', await orders.one(orderId));
  if (isLive(report))
    throw unproved(`${WHAT} was accepted, and order ${orderId} says that it is ${report.status}`, look);
  return { json: { command: `${of.area} cancel`, ...report }, text: ordersText([report]) };
}

/** All of a symbol are canceled by the symbol: a list that lags hides none. */
async function cancelSome(
  io: CliIo,
  open: OpenExchange,
  of: OrderMarket,
  wanted: readonly string[],
  options: Options,
): Promise<CommandResult> {
  const { orders } = open.exchange;
  const command = `${of.area} cancel`;
  const symbol = options.symbol === undefined ? undefined : options.symbol.toUpperCase();
  if (symbol !== undefined) await requireSeen(open, of, symbol);
  const active = listed('the open orders', await orders.active());
  const chosen = active.filter(
    (order) =>
      order.market === of.market && (symbol === undefined ? wanted.includes(order.orderId) : order.symbol === symbol),
  );
  const gone = wanted.filter((id) => !chosen.some(({ orderId }) => orderId === id));
  if (chosen.length === 0 && symbol === undefined)
    return { json: { command, canceled: [], failed: gone }, text: `not open: ${gone.join(', ')}`, exit: 1 };
  const plan = {
    title:
      symbol === undefined
        ? `cancel ${chosen.length} order${chosen.length === 1 ? '' : 's'}`
        : `cancel all open orders of ${symbol}: ${chosen.length === 0 ? 'none is listed' : chosen.length}`,
    rows: [
      ['account', await open.account()] as const,
      ...chosen.map((order) => [order.orderId, orderText(order)] as const),
    ],
    warnings: [...gone.map((id) => `order ${id} is not open`), ...sessionWarnings(chosen)],
  };
  await confirmPlan(io, plan, options);
  const ids = chosen.map(({ orderId }) => orderId);
  const outcome = await outcomeOf((done) =>
    symbol === undefined
      ? orders.cancelMany(ids, { lane: 'cancel' }, done)
      : orders.cancelAll(symbol, { lane: 'cancel' }, done),
  );
  const look = lookAt(of);
  const answer = valueOf(outcome, outcome.kind === 'accepted' ? outcome.canceled : undefined, look);
  const left = await stillOpen(open, (row) => ids.includes(row.orderId) || row.symbol === symbol);
  if (left === null) throw unproved(`${WHAT} was accepted, and the open orders could not be read to prove it`, look);
  const canceled = answer.filter((id) => !left.includes(id));
  const failed = [...gone, ...new Set([...ids, ...left])].filter((id) => !canceled.includes(id));
  const lines = failed.map((id) => `not canceled: ${id} (\`tidewire ${of.area} orders --id ${id}\`)`);
  const done =
    canceled.length > 0 ? `canceled: ${canceled.join(', ')}` : failed.length > 0 ? 'canceled: none' : 'no open orders';
  return {
    json: { command, canceled, failed },
    text: [done, ...lines].join('\n'),
    exit: left.length > 0 ? 4 : failed.length > 0 ? 1 : 0,
  };
}

function checkChoice(ids: readonly string[], { symbol }: Options): void {
  if (ids.length > 0 !== (symbol !== undefined)) return;
  const message = ids.length > 0 ? 'ids and --symbol do not go together' : 'name the ids of orders, or --symbol';
  throw cliErrors.make('operation_invalid', message, { option: 'ID' });
}

export function buildCancel(io: CliIo, of: OrderMarket): Command {
  const { area, example } = of;
  return withYes(new Command('cancel').description('Cancel orders by their ids, or all open ones of a symbol.'))
    .argument('[ids...]', `as \`${area} orders\` lists them`)
    .addOption(new Option('--symbol <SYMBOL>', `every open order of it, for example ${example}`))
    .addHelpText(
      'after',
      operationHelp(
        [
          `${area} cancel 17 --config config/sandbox.yaml`,
          `${area} cancel --symbol ${example} --yes --config config/sandbox.yaml`,
        ],
        ['cancelOrder', 'cancelManyOrders', 'order', 'activeOrders'],
      ),
    )
    .action(
      action(io, async (ids: readonly string[], options: Options) => {
        checkChoice(ids, options);
        const wanted = [...new Set(ids)];
        const [only, another] = wanted;
        return withExchange(io, options, 'key', (open) =>
          only !== undefined && another === undefined
            ? cancelOne(io, open, of, only, options)
            : cancelSome(io, open, of, wanted, options),
        );
      }),
    );
}
