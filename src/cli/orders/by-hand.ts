/**
 * One order by hand, through the money journal, with a client order id that no session takes for its own: sessions see
 * it as external. Checked, shown as a plan, asked, sent once.
 */
import { randomUUID } from 'node:crypto';
import { Argument, Command } from 'commander';
import type { Answer } from '../../exchange/client/operations/answer.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { Instrument, type InstrumentSpec } from '../../model/market/instrument.ts';
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { OrderByHandKind } from '../../model/funds/money-commands.ts';
import type { Side } from '../../model/trading/order.ts';
import { answered, refusedBeforehand } from '../../operations/exchange/answers.ts';
import type { CliIo, CommandResult } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { moveMoney, settleEarlier, type Move } from '../operations/move-money.ts';
import type { MutatingOptions, OpenExchange } from '../operations/open-exchange.ts';
import { amountOption, withConsent } from '../operations/options.ts';
import { confirmPlan } from '../operations/plan.ts';
import { ordersText } from './list.ts';
import { clientOrderIdOption } from './market.ts';

export interface ByHandOptions extends MutatingOptions {
  readonly price?: string;
  readonly ioc?: boolean;
  readonly clientOrderId?: string;
}

export interface PlanPart {
  /** Of the market now; null: could not be read. */
  readonly price: string | null;
  readonly rows: readonly (readonly [label: string, value: string])[];
}

export interface ByHand<K extends OrderByHandKind> {
  readonly area: 'spot' | 'futures';
  /** "spot pair". */
  readonly noun: string;
  readonly look: string;
  readonly instruments: (exchange: Exchange) => Promise<Answer<readonly InstrumentSpec[]>>;
  readonly planOf: (open: OpenExchange, instrument: Instrument, request: Move<K>['request']) => Promise<PlanPart>;
}

const WHAT = 'the order';

export interface Terms {
  readonly symbol: string;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  readonly timeInForce: 'gtc' | 'ioc';
  readonly price: string | null;
  readonly quantity: string;
  readonly clientOrderId: string;
}

export function termsOf(symbol: string, side: Side, quantity: string, options: ByHandOptions): Terms {
  const price = options.price === undefined ? null : amountOption('price', options.price);
  const { clientOrderId } = options;
  return {
    symbol: symbol.toUpperCase(),
    side,
    type: price === null ? 'market' : 'limit',
    timeInForce: price === null || options.ioc === true ? 'ioc' : 'gtc',
    price,
    quantity: amountOption('QUANTITY', quantity),
    clientOrderId: clientOrderId === undefined ? `cli-${randomUUID()}` : clientOrderIdOption(clientOrderId),
  };
}

function offStep(field: 'price' | 'quantity', value: string, step: string, maximum: Decimal): Error {
  if (dec(value).gt(maximum)) {
    const message = `${field} ${value} is above the maximum ${maximum.toFixed()}`;
    return refusedBeforehand(WHAT, 'above_maximum', message, field);
  }
  const message = `${field} ${value} is no multiple of ${step}`;
  return refusedBeforehand(WHAT, field === 'price' ? 'off_tick' : 'off_lot', message, field);
}

/** Throws the refusal that the exchange would answer. */
function checked(noun: string, specs: readonly InstrumentSpec[], { symbol, price, quantity }: Terms): Instrument {
  const spec = specs.find((each) => each.symbol === symbol);
  if (spec === undefined) throw refusedBeforehand(WHAT, 'unknown_symbol', `there is no ${noun} ${symbol}`, 'symbol');
  const instrument = new Instrument(spec);
  if (price !== null && Number.isNaN(instrument.ticksOf(price))) {
    throw offStep('price', price, spec.tickSize, instrument.countablePrice);
  }
  if (Number.isNaN(instrument.lotsOf(quantity))) {
    throw offStep('quantity', quantity, spec.lotSize, instrument.countableQuantity);
  }
  return instrument;
}

/** An id that the exchange would ignore is refused, because the order could not be found by it. */
function checkIds({ config }: OpenExchange, { clientOrderId }: ByHandOptions): void {
  if (clientOrderId === undefined || config.exchange.clientOrderIds) return;
  const message = '--client-order-id: the exchange keeps none (exchange.clientOrderIds: false)';
  throw cliErrors.make('operation_invalid', message, { option: 'client-order-id' });
}

/** `spot order`, `futures order`. */
export async function sendByHand<K extends OrderByHandKind>(
  io: CliIo,
  open: OpenExchange,
  hand: ByHand<K>,
  request: Move<K>['request'] & Terms,
  options: ByHandOptions,
): Promise<CommandResult> {
  checkIds(open, options);
  const { side, symbol, quantity, price, timeInForce } = request;
  const move: Move<K> = { request, what: WHAT, look: hand.look };
  await settleEarlier(io, open, move);
  const specs = answered(`the ${hand.noun}s`, await hand.instruments(open.exchange));
  const instrument = checked(hand.noun, specs, request);
  const part = await hand.planOf(open, instrument, request);
  const worthAt = price ?? part.price;
  const notional = worthAt === null ? null : dec(quantity).times(worthAt).times(instrument.contractSize);
  const worth = notional === null ? 'unknown' : `${decimalText(notional)} ${instrument.quote}`;
  const [market, ...rest] = part.rows;
  const plan = {
    title: `${side} ${quantity} ${symbol} ${price === null ? 'at market' : `at ${price}, ${timeInForce}`}`,
    rows: [
      ['account', await open.account()] as const,
      ...(market === undefined ? [] : [market]),
      ['worth', `${price === null ? 'about ' : ''}${worth}`] as const,
      ...rest,
    ],
    warnings: [
      'no risk check of a bot applies to an order by hand',
      ...(price === null ? ['a market order takes the prices that the book has'] : []),
    ],
  };
  await confirmPlan(io, plan, options);
  const report = await moveMoney(io, open, move);
  return { json: { command: `${hand.area} order`, ...report }, text: ordersText([report]) };
}

/** Arguments and options that both markets have. */
export function orderCommand(example: string): Command {
  return withConsent(new Command('order').description('Send one order by hand: at market, or with --price as a limit.'))
    .argument('<symbol>', `for example ${example}`)
    .addArgument(new Argument('<side>', 'buy or sell').choices(['buy', 'sell']))
    .argument('<quantity>', 'plain decimal above zero')
    .option('--price <PRICE>', 'limit price; a market order without it')
    .option('--ioc', 'what does not trade at once is canceled')
    .option('--client-order-id <ID>', 'a name of your own for it, unique for ever');
}
