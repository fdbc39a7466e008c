/**
 * `tidewire futures order|cancel`: one order by hand, through the money journal, with its own client order id. Sessions
 * see it as external.
 */
import { randomUUID } from 'node:crypto';
import { Argument, Command, Option } from 'commander';
import { Instrument } from '../../../model/instrument.ts';
import { dec, decimalText, type Decimal } from '../../../model/money.ts';
import type { OrderReport, PositionSide, Side } from '../../../model/order.ts';
import type { Outcome } from '../../../model/result.ts';
import type { MoneyRequest } from '../../../model/money-commands.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withConsent, withYes } from '../../operations/options.ts';
import { answered, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { accepted } from '../../operations/outcome.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { orderSide, ordersText } from './history.ts';

interface Options extends MutatingOptions {
  readonly price?: string;
  readonly ioc?: boolean;
  readonly position: PositionSide;
  readonly reduceOnly?: boolean;
}

const WHAT = 'the order';
const LOOK = 'see `tidewire futures orders`, also with --history, and `tidewire futures positions`';

function requestOf(symbol: string, side: Side, quantity: string, options: Options): MoneyRequest<'futuresOrder'> {
  const price = options.price === undefined ? null : amountOption('price', options.price);
  return {
    kind: 'futuresOrder',
    symbol,
    side,
    type: price === null ? 'market' : 'limit',
    timeInForce: price === null || options.ioc === true ? 'ioc' : 'gtc',
    price,
    quantity: amountOption('QUANTITY', quantity),
    clientOrderId: `cli-${randomUUID()}`,
    positionSide: options.position,
    ...(options.reduceOnly === true ? { reduceOnly: true } : {}),
  };
}

/** Throws the refusal that the exchange would answer. */
async function checked(
  { exchange }: OpenExchange,
  { symbol, price, quantity }: MoneyRequest<'futuresOrder'>,
): Promise<Instrument> {
  const specs = answered('the perpetuals', await exchange.futures.instruments());
  const spec = specs.find((each) => each.symbol === symbol);
  if (spec === undefined) throw refusedBeforehand(WHAT, 'unknown_symbol', `there is no perpetual ${symbol}`, 'symbol');
  const instrument = new Instrument(spec);
  if (price !== null && Number.isNaN(instrument.ticksOf(price))) {
    throw offStep('price', price, spec.tickSize, instrument.countablePrice);
  }
  if (Number.isNaN(instrument.lotsOf(quantity))) {
    throw offStep('quantity', quantity, spec.lotSize, instrument.countableQuantity);
  }
  return instrument;
}

function offStep(field: 'price' | 'quantity', value: string, step: string, maximum: Decimal): Error {
  if (dec(value).gt(maximum)) {
    const message = `${field} ${value} is above the maximum ${maximum.toFixed()}`;
    return refusedBeforehand(WHAT, 'above_maximum', message, field);
  }
  const message = `${field} ${value} is no multiple of ${step}`;
  return refusedBeforehand(WHAT, field === 'price' ? 'off_tick' : 'off_lot', message, field);
}

async function order(
  io: CliIo,
  open: OpenExchange,
  request: MoneyRequest<'futuresOrder'>,
  options: Options,
): Promise<CommandResult> {
  const { symbol, side, quantity, price, timeInForce } = request;
  const move = { request, what: WHAT, look: LOOK } as const;
  await settleEarlier(io, open, move);
  const instrument = await checked(open, request);
  const mark = await open.exchange.futures.markPrice(symbol);
  const markPrice = mark.kind === 'value' ? mark.value.markPrice : null;
  const worthAt = price ?? markPrice;
  const notional = worthAt === null ? null : dec(quantity).times(worthAt).times(instrument.contractSize);
  const worth = notional === null ? 'unknown' : `${decimalText(notional)} ${instrument.quote}`;
  const plan = {
    title: `${side} ${quantity} ${symbol} ${price === null ? 'at market' : `at ${price}, ${timeInForce}`}`,
    rows: [
      ['account', await open.account()],
      ['mark price', markPrice ?? 'could not be read'],
      ['worth', `${price === null ? 'about ' : ''}${worth}`],
      ['position', `${options.position}${request.reduceOnly === true ? ', only reduces' : ''}`],
    ] as const,
    warnings: [
      'no risk check of a bot looks at an order by hand',
      ...(price === null ? ['a market order takes the prices that the book has'] : []),
    ],
  };
  await confirmPlan(io, plan, options);
  const report = await moveMoney(io, open, move);
  return { json: { command: 'futures order', ...report }, text: ordersText([report]) };
}

export function buildOrder(io: CliIo): Command {
  return withConsent(new Command('order').description('Send one order by hand: at market, or with --price as a limit.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .addArgument(new Argument('<side>', 'buy or sell').choices(['buy', 'sell']))
    .argument('<quantity>', 'plain decimal above zero')
    .option('--price <PRICE>', 'limit price; a market order without it')
    .option('--ioc', 'what does not trade at once is canceled')
    .addOption(
      new Option('--position <SIDE>', 'long or short in hedge mode').choices(['both', 'long', 'short']).default('both'),
    )
    .option('--reduce-only', 'never opens or turns a position')
    .addHelpText(
      'after',
      operationHelp(
        ['futures order BTCUSDTPERP buy 0.01 --price 60000 --config config/sandbox.yaml'],
        [
          'createDerivativeOrder',
          'derivativeInstruments',
          'markPrice',
          'activeOrders',
          'orderHistory',
          'derivativeTrades',
          'positions',
        ],
      ),
    )
    .action(
      action(io, async (symbol: string, side: Side, quantity: string, options: Options) => {
        const request = requestOf(symbol.toUpperCase(), side, quantity, options);
        return withExchange(io, options, 'key', (open) => order(io, open, request, options));
      }),
    );
}

function canceledOrder(outcome: Outcome, look: string): OrderReport {
  const what = 'the cancellation';
  const money = outcome.kind === 'accepted' ? { kind: 'accepted' as const, value: outcome.order } : outcome;
  const order = accepted(what, money, look);
  if (order !== undefined) return order;
  throw cliErrors.make('operation_unknown', `${what} was accepted without an order; ${look}`, { operation: what });
}

async function cancel(
  io: CliIo,
  open: OpenExchange,
  orderId: string,
  options: MutatingOptions,
): Promise<CommandResult> {
  const { orders } = open.exchange;
  const before = answered('the order', await orders.one(orderId));
  const plan = {
    title: `cancel order ${orderId}`,
    rows: [
      ['account', await open.account()],
      ['order', `${orderSide(before)} ${before.quantity} ${before.symbol} at ${before.price ?? 'market'}`],
      ['state', `${before.status}, ${before.filledQuantity} filled`],
    ] as const,
    warnings: [],
  };
  await confirmPlan(io, plan, options);
  const outcome = await new Promise<Outcome>((resolve) => {
    orders.cancel(orderId, { lane: 'cancel' }, resolve);
  });
  const report = canceledOrder(outcome, `${LOOK}; to cancel again is harmless`);
  return { json: { command: 'futures cancel', ...report }, text: ordersText([report]) };
}

export function buildCancel(io: CliIo): Command {
  return withYes(new Command('cancel').description('Cancel one order.'))
    .argument('<id>', 'id of the order, as `futures orders` lists it')
    .addHelpText('after', operationHelp(['futures cancel 17 --config config/sandbox.yaml'], ['cancelOrder', 'order']))
    .action(
      action(io, (orderId: string, options: MutatingOptions) =>
        withExchange(io, options, 'key', (open) => cancel(io, open, orderId, options)),
      ),
    );
}
