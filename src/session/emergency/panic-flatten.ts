/** `panic --flatten`: market orders against the holdings. Loaded on demand, since it reads journals. */
import type { Exchange } from '../../exchange/exchange.ts';
import { quantitiesOf } from '../../reconciler/account/account-rows.ts';
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import { messageOf } from '../../model/errors.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { OrderRequest } from '../../model/trading/order.ts';
import type { Outcome } from '../../model/result.ts';
import { takeTurn } from './flatten-turn.ts';
import { holdings, type HoldingsOptions } from './panic-holdings.ts';
import { splitName, writePanicLine, writePanicLineAside, type Holding, type PanicLine } from './panic-ledger.ts';
import { Problems } from './panic.ts';

/** A position and the outcome of its closing order. */
export interface Flattened {
  readonly symbol: string;
  readonly quantity: string;
  readonly outcome: string;
}

/** `failed`: an order was refused or partly filled. `unproved`: something may remain open. */
export interface Flattening {
  readonly flattened: readonly Flattened[];
  readonly end: 'done' | 'failed' | 'unproved';
}

/** The price may have moved since the refusal. */
const WORTH_ROOM = 1.1;

interface Sent extends Flattened {
  readonly isWhole: boolean;
  /** The position does not allow so much. */
  readonly isTooMuch: boolean;
  /** The exchange takes no order of so little worth. */
  readonly isDust: boolean;
}

interface Closing extends Holding {
  /** What the holder itself has of the quantity. */
  readonly own: Decimal;
}

/**
 * One order per holder, so that together they close the account's position; opposite holdings stay. No order takes a
 * holder past zero, except for a rest that is too small for an order, which the largest order closes too.
 */
function closings(held: readonly Holding[], instrument: Instrument): readonly Closing[] {
  const total = totalOf(held);
  const [most, ...others] = held
    .filter(({ quantity }) => quantity.times(total).gt(ZERO))
    .toSorted((one, other) => other.quantity.abs().cmp(one.quantity.abs()));
  if (most === undefined) return [];
  const orders: Closing[] = [];
  let left = total;
  for (const other of others.toReversed()) {
    const quantity = other.quantity.abs().gt(left.abs()) ? left : other.quantity;
    if (!isEnough(quantity, instrument)) continue;
    orders.unshift({ ...other, quantity, own: other.quantity });
    left = left.minus(quantity);
  }
  if (isEnough(left, instrument)) orders.unshift({ ...most, quantity: left, own: most.quantity });
  return orders;
}

function totalOf(held: readonly Holding[]): Decimal {
  return held.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
}

function lotsIn(quantity: Decimal, { spec }: Instrument): number {
  return quantity.abs().div(spec.lotSize).floor().toNumber();
}

function isEnough(quantity: Decimal, instrument: Instrument): boolean {
  const lots = lotsIn(quantity, instrument);
  return lots > 0 && !dec(instrument.quantityText(lots)).lt(instrument.spec.minQuantity);
}

/** A holding that `panic` left without an exit. */
export interface Left {
  readonly session: string;
  readonly strategy: string;
  /** With the side in hedge mode. */
  readonly symbol: string;
  /** What `--flatten` would close of it, in base units. */
  readonly quantity: string;
}

/** What `flattenEverything` would close. Sends nothing. */
export async function leftToFlatten(options: HoldingsOptions, problems: Problems): Promise<readonly Left[]> {
  const byName = Map.groupBy(await holdings(options, problems, problems), ({ name }) => name);
  return [...byName].flatMap(([name, held]) => {
    const instrument = options.instruments.find(splitName(name)[0]);
    if (instrument === undefined)
      return held
        .filter(({ quantity }) => !quantity.isZero())
        .map(({ session, strategy, quantity }) => ({
          session,
          strategy,
          symbol: name,
          quantity: quantity.abs().toFixed(),
        }));
    return closings(held, instrument).map(({ session, strategy, quantity }) => {
      return { session, strategy, symbol: name, quantity: instrument.quantityText(lotsIn(quantity, instrument)) };
    });
  });
}

export interface FlattenOptions extends HoldingsOptions {
  readonly exchange: Exchange;
  /** Part of the client order ids. */
  readonly unique: string;
}

/** One market order per position, reduce-only on perpetuals. Nothing is repeated, also by another one at this time. */
export async function flattenEverything(options: FlattenOptions, problems: Problems): Promise<Flattening> {
  const turn = await takeTurn(options.owner, options.clock);
  if (turn === null) {
    problems.add(
      'nothing was flattened: another `panic --flatten` still works on the account; end it and repeat this one',
    );
    return { flattened: [], end: 'unproved' };
  }
  try {
    return await flattenInTurn(options, problems);
  } finally {
    turn.release();
  }
}

async function flattenInTurn(options: FlattenOptions, problems: Problems): Promise<Flattening> {
  const { instruments } = options;
  const unread = new Problems();
  const byName = Map.groupBy(await holdings(options, unread, problems), ({ name }) => name);
  for (const problem of unread.list()) problems.add(problem);
  let isUnproved = unread.list().length > 0;
  let hasFailed = false;
  let orderCount = 0;
  const flattened: Flattened[] = [];
  for (const [name, held] of byName) {
    const total = totalOf(held);
    if (total.isZero()) continue;
    const instrument = instruments.find(splitName(name)[0]);
    if (instrument === undefined) {
      problems.add(`${name}: ${total.toFixed()} is held and was not closed, since its instrument is not known`);
      isUnproved = true;
      continue;
    }
    const orders = closings(held, instrument);
    // Remainders from fees need no retry.
    if (orders.length === 0) problems.add(staysText(name, total));
    const send = async (closing: Closing): Promise<Sent> => {
      const sent = await close(options, closing, instrument, `panic_${options.unique}-${++orderCount}`, problems);
      const { symbol, quantity, outcome, isDust } = sent;
      if (!isDust) flattened.push({ symbol, quantity, outcome });
      return sent;
    };
    for (const closing of orders) {
      let sent = await send(closing);
      if (sent.isTooMuch) {
        const left = await stillHeld(options.exchange, closing, problems);
        if (left?.isZero() === true) continue;
        if (left !== null && left.abs().lt(closing.quantity.abs())) sent = await send({ ...closing, quantity: left });
      }
      if (sent.isDust) continue;
      if (sent.outcome === 'refused' || (sent.outcome === 'accepted' && !sent.isWhole)) hasFailed = true;
      else if (sent.outcome !== 'accepted') isUnproved = true;
    }
  }
  return { flattened, end: isUnproved ? 'unproved' : hasFailed ? 'failed' : 'done' };
}

/** What the account shows of a position that the exchange would not reduce by so much; null: unreadable. */
async function stillHeld(exchange: Exchange, { name, quantity }: Holding, problems: Problems): Promise<Decimal | null> {
  const reading = await exchange.futures.positions();
  if (reading.kind !== 'complete') {
    problems.add(`${name}: the positions of the account could not be read (${reading.reason})`);
    return null;
  }
  const held = quantitiesOf(reading.items).get(name) ?? ZERO;
  const left = held.isNegative() === quantity.isNegative() ? held : ZERO;
  if (left.abs().lt(quantity.abs()))
    problems.add(`${name}: the books hold ${quantity.toFixed()}, of which the account has ${left.toFixed()}`);
  return left;
}

/** A full disk must not keep a position open. */
function tryLine({ root, owner }: FlattenOptions, entry: PanicLine, problems: Problems): void {
  try {
    writePanicLine(root, entry);
  } catch (thrown) {
    problems.add(`panic.jsonl cannot be written (${messageOf(thrown)})`);
    problems.unwritten(aside(root, owner, entry));
  }
}

/** Writes it where a start looks, too; returns what is left to a human. */
function aside(root: string, owner: FlattenOptions['owner'], entry: PanicLine): string {
  const writable = `${root}: panic.jsonl could not be written. Before anything is started, make the folder writable (rights, a full or read-only disk)`;
  try {
    const file = writePanicLineAside(owner, entry);
    return `${writable} and call \`tidewire reconcile\`: what was sent stands in ${file}, which only this user on this machine reads`;
  } catch {
    return `${writable}, append this line to that file, and call \`tidewire reconcile\`. Without it a start believes in what was sold, and it or another --flatten can sell the same again: ${JSON.stringify(entry)}`;
  }
}

async function close(
  options: FlattenOptions,
  { session, also, strategy, name, quantity, own }: Closing,
  instrument: Instrument,
  id: string,
  problems: Problems,
): Promise<Sent> {
  const { exchange, owner, clock, clientOrderIds } = options;
  const [symbol, positionSide] = splitName(name);
  const text = instrument.quantityText(lotsIn(quantity, instrument));
  const side = quantity.isNegative() ? 'buy' : 'sell';
  const sign = side === 'buy' ? '' : '-';
  const held = own.toFixed();
  const moving = { symbol: name, quantity: `${sign}${text}`, held, session, strategy, at: clock.now() };
  const copies = also.length === 0 ? {} : { also: [...also] };
  tryLine(options, { kind: 'sending', id, ...owner, ...moving, ...copies }, problems);
  const { market } = instrument;
  const order = { market, symbol, side, quantity: text, clientOrderId: clientOrderIdOf(id) } as const;
  const outcome = await sendMarket(exchange, market === 'spot' ? order : { ...order, positionSide, reduceOnly: true });
  const moved = movedBy(outcome);
  if (moved !== undefined) {
    const quantity = `${moved === '0' ? '' : sign}${moved}`;
    tryLine(options, { kind: 'done', id, quantity, refused: clientOrderIds && outcome.kind === 'refused' }, problems);
  }
  const isWhole = moved === undefined || !dec(moved).lt(text);
  const isDust = isTooSmall(outcome) && (await isWorthTooLittle(exchange, instrument, text));
  if (isDust) problems.add(staysText(name, quantity));
  else if (outcome.kind !== 'accepted')
    problems.add(`${side} ${text} ${name}: ${outcome.kind}${whyOf(outcome)}; look before you repeat it`);
  else if (!isWhole) problems.add(`${side} ${text} ${name}: only ${moved} of it went through`);
  const isTooMuch = outcome.kind === 'refused' && outcome.code === 'reduce_only_violation';
  return { symbol: name, quantity: `${side} ${text}`, outcome: outcome.kind, isWhole, isTooMuch, isDust };
}

function staysText(name: string, quantity: Decimal): string {
  return `${name}: ${quantity.toFixed()} is too little for an order, and stays`;
}

function isTooSmall(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.code === 'below_minimum';
}

/** A refusal may be false, so the price confirms it. No order waits for a price. */
async function isWorthTooLittle(exchange: Exchange, instrument: Instrument, quantity: string): Promise<boolean> {
  const { symbol, spec, contractValue } = instrument;
  const answer = await exchange.marketData.ticker(symbol);
  if (answer.kind === 'failed') return false;
  const worth = answer.value.last * Number(quantity) * contractValue;
  return worth > 0 && worth < Number(spec.minNotional) * WORTH_ROOM;
}

function whyOf(outcome: Outcome): string {
  return outcome.kind === 'refused' ? ` (${outcome.code}: ${outcome.message})` : '';
}

/** What an order certainly moved; undefined while unknown. */
function movedBy(outcome: Outcome): string | undefined {
  if (outcome.kind === 'unknown') return undefined;
  if (outcome.kind !== 'accepted') return '0';
  const { order } = outcome;
  return order === undefined || order.status === 'new' || order.status === 'partially_filled'
    ? undefined
    : order.filledQuantity;
}

function sendMarket(exchange: Exchange, order: Omit<OrderRequest, 'type' | 'timeInForce' | 'price'>): Promise<Outcome> {
  const request: OrderRequest = { ...order, type: 'market', timeInForce: 'ioc', price: null };
  return new Promise((resolve) => {
    exchange.orders.create(request, { lane: 'kill' }, resolve);
  });
}
