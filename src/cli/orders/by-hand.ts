/**
 * One order by hand, through the money journal, with a client order id that no session takes for its own: sessions see
 * it as external. Checked, shown as a plan, asked, sent once.
 */
import { randomUUID } from 'node:crypto';
import { Argument, Command } from 'commander';
import { Instrument, type InstrumentSpec } from '../../model/market/instrument.ts';
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { OrderByHandKind } from '../../model/funds/money-commands.ts';
import type { OrderReport, Side } from '../../model/trading/order.ts';
import { refusedBeforehand } from '../../operations/exchange/answers.ts';
import type { CliIo, CommandResult } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { moveMoney, settleEarlier, type Move } from '../operations/move-money.ts';
import type { MutatingOptions, OpenExchange } from '../operations/open-exchange.ts';
import { amountOption, withConsent } from '../operations/options.ts';
import { confirmPlan } from '../operations/plan.ts';
import { isLive, ordersText } from './list.ts';
import { clientOrderIdOption, requireSymbol, type OrderMarket } from './market.ts';
import { askedOf, requireStands } from './stands.ts';

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
  readonly of: OrderMarket;
  readonly look: string;
  /** Throws what the exchange would answer. */
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
function checked(spec: InstrumentSpec, { price, quantity }: Terms, closes: boolean): Instrument {
  const instrument = new Instrument(spec);
  if (price !== null && Number.isNaN(instrument.ticksOf(price))) {
    throw offStep('price', price, spec.tickSize, instrument.countablePrice);
  }
  if (Number.isNaN(instrument.lotsOf(quantity))) {
    throw offStep('quantity', quantity, spec.lotSize, instrument.countableQuantity);
  }
  const { minQuantity, maxQuantity, minNotional } = spec;
  if (dec(quantity).gt(maxQuantity))
    throw refusedBeforehand(WHAT, 'above_maximum', `quantity ${quantity} is above ${maxQuantity}`, 'quantity');
  if (closes) return instrument;
  if (dec(quantity).lt(minQuantity))
    throw refusedBeforehand(WHAT, 'below_minimum', `quantity ${quantity} is below ${minQuantity}`, 'quantity');
  if (price !== null && dec(price).times(quantity).times(instrument.contractSize).lt(minNotional))
    throw refusedBeforehand(WHAT, 'below_minimum', `it is worth less than ${minNotional} ${spec.quote}`, 'quantity');
  return instrument;
}

/** What the exchange says of the order against what was asked; null: the same. */
function contradictionOf(asked: Terms, got: OrderReport): string | null {
  const { type, timeInForce, price, quantity } = asked;
  if (!dec(got.quantity).eq(quantity)) return `a quantity of ${got.quantity} instead of ${quantity}`;
  if (dec(got.filledQuantity).gt(quantity)) return `${got.filledQuantity} filled of ${quantity}`;
  if (got.type !== type) return `a ${got.type} order instead of a ${type} order`;
  if (type === 'market') return null;
  // Where the answer names none it is read as gtc: it contradicts an ioc order that rests.
  if (got.timeInForce !== timeInForce && (timeInForce === 'gtc' || isLive(got)))
    return `${got.timeInForce} instead of ${timeInForce}`;
  if (got.price === null || price === null || !dec(got.price).eq(price))
    return `a price of ${got.price} instead of ${price}`;
  return null;
}

/** Throws where the answer is not the order that was asked for. */
function requireAsAsked(asked: Terms, got: OrderReport, area: string): void {
  const contradiction = contradictionOf(asked, got);
  if (contradiction === null) return;
  const { orderId } = got;
  const look = `see \`tidewire ${area} orders --id ${orderId}\`, and cancel it with \`tidewire ${area} cancel ${orderId}\``;
  const message = `order ${orderId} was taken, but the exchange says ${contradiction}; ${look}`;
  throw cliErrors.make('order_contradicted', message, { operation: WHAT, orderId });
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
  const spec = await requireSymbol(open.exchange, hand.of, WHAT, request.symbol);
  const instrument = checked(spec, request, 'reduceOnly' in request && request.reduceOnly === true);
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
  const { area } = hand.of;
  requireAsAsked(request, report, area);
  await requireStands(io, open, { what: WHAT, area, report, asked: askedOf(request) });
  return { json: { command: `${area} order`, ...report }, text: ordersText([report]) };
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
