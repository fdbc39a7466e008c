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
import { orderSide, ordersText } from './list.ts';
import type { OrderMarket } from './market.ts';

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
function told<T>(outcome: Outcome, value: T | undefined, look: string): T {
  const money: MoneyOutcome<T | undefined> = outcome.kind === 'accepted' ? { kind: 'accepted', value } : outcome;
  const found = accepted(WHAT, money, look);
  if (found !== undefined) return found;
  throw cliErrors.make('operation_unknown', `${WHAT} was accepted without an order; ${look}`, { operation: WHAT });
}

function orderText({ quantity, symbol, price, ...order }: OrderReport): string {
  return `${orderSide({ quantity, symbol, price, ...order })} ${quantity} ${symbol} at ${price ?? 'market'}`;
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
  const plan = {
    title: `cancel order ${orderId}`,
    rows: [
      ['account', await open.account()],
      ['order', orderText(before)],
      ['state', `${before.status}, ${before.filledQuantity} filled`],
    ] as const,
    warnings: [],
  };
  await confirmPlan(io, plan, options);
  const outcome = await outcomeOf((done) => orders.cancel(orderId, { lane: 'cancel' }, done));
  const report = told(outcome, outcome.kind === 'accepted' ? outcome.order : undefined, lookAt(of));
  return { json: { command: `${of.area} cancel`, ...report }, text: ordersText([report]) };
}

async function cancelSome(
  io: CliIo,
  open: OpenExchange,
  of: OrderMarket,
  wanted: readonly string[],
  options: Options,
): Promise<CommandResult> {
  const { orders } = open.exchange;
  const command = `${of.area} cancel`;
  const active = listed('the open orders', await orders.active());
  const symbol = options.symbol?.toUpperCase();
  const chosen = active.filter((order) =>
    symbol === undefined ? wanted.includes(order.orderId) : order.market === of.market && order.symbol === symbol,
  );
  const gone = wanted.filter((id) => !chosen.some(({ orderId }) => orderId === id));
  if (chosen.length === 0) {
    const text = gone.length > 0 ? `not open: ${gone.join(', ')}` : 'no open orders';
    return { json: { command, canceled: [], failed: gone }, text, exit: gone.length > 0 ? 1 : 0 };
  }
  const plan = {
    title: `cancel ${chosen.length} order${chosen.length === 1 ? '' : 's'}`,
    rows: [
      ['account', await open.account()] as const,
      ...chosen.map((order) => [order.orderId, orderText(order)] as const),
    ],
    warnings: gone.map((id) => `order ${id} is not open`),
  };
  await confirmPlan(io, plan, options);
  const ids = chosen.map(({ orderId }) => orderId);
  const outcome = await outcomeOf((done) => orders.cancelMany(ids, { lane: 'cancel' }, done));
  const canceled = told(outcome, outcome.kind === 'accepted' ? outcome.canceled : undefined, lookAt(of));
  const failed = [...gone, ...ids.filter((id) => !canceled.includes(id))];
  const left = failed.map((id) => `not canceled: ${id} (\`tidewire ${of.area} orders --id ${id}\`)`);
  return {
    json: { command, canceled, failed },
    text: [`canceled: ${canceled.join(', ') || 'none'}`, ...left].join('\n'),
    exit: failed.length > 0 ? 1 : 0,
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
