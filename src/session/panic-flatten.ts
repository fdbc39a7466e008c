/** `panic --flatten`: market orders against the holdings. Loaded on demand, since it reads journals. */
import type { Exchange } from '../exchange/exchange.ts';
import { clientOrderIdOf } from '../spine/intent-id.ts';
import { messageOf } from '../model/errors.ts';
import type { Instrument } from '../model/instrument.ts';
import { dec, ZERO, type Decimal } from '../model/money.ts';
import type { OrderRequest } from '../model/order.ts';
import type { Outcome } from '../model/result.ts';
import { holdings, type Holding, type HoldingsOptions } from './panic-holdings.ts';
import { splitName, writePanicLine, type PanicLine } from './panic-ledger.ts';
import { Problems } from './panic.ts';

export interface Flattened {
  readonly symbol: string;
  readonly quantity: string;
  readonly outcome: string;
}

/** `failed`: refused or partly filled. `unproved`: something may remain open. */
export interface Flattening {
  readonly flattened: readonly Flattened[];
  readonly end: 'done' | 'failed' | 'unproved';
}

/** One order per holder; the largest also closes what is too little for an order. Opposite holdings share one. */
function closings(held: readonly Holding[], instrument: Instrument): readonly Holding[] {
  const total = totalOf(held);
  const [most, ...rest] = held.toSorted((one, other) => other.quantity.times(total).cmp(one.quantity.times(total)));
  if (most === undefined) return [];
  const others = rest.filter(({ quantity }) => isEnough(quantity, instrument));
  const left = total.minus(totalOf(others));
  const isOneWay = [left, ...others.map(({ quantity }) => quantity)].every((each) => each.times(total).isPositive());
  if (isOneWay && isEnough(left, instrument)) return [{ ...most, quantity: left }, ...others];
  return isEnough(total, instrument) ? [{ ...most, quantity: total }] : [];
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

export interface FlattenOptions extends HoldingsOptions {
  readonly exchange: Exchange;
  /** For client order ids. */
  readonly unique: string;
}

/** Reduce-only on perpetuals. Nothing is repeated. */
export async function flattenEverything(options: FlattenOptions, problems: Problems): Promise<Flattening> {
  const { instruments } = options;
  const unread = new Problems();
  const byName = Map.groupBy(await holdings(options, unread), ({ name }) => name);
  for (const problem of unread.list()) problems.add(problem);
  let isUnproved = unread.list().length > 0;
  let hasFailed = false;
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
    if (orders.length === 0) problems.add(`${name}: ${total.toFixed()} is too little for an order, and stays`);
    for (const closing of orders) {
      const id = `panic_${options.unique}-${flattened.length + 1}`;
      const { isWhole, ...row } = await close(options, closing, instrument, id, problems);
      flattened.push(row);
      if (row.outcome === 'refused' || (row.outcome === 'accepted' && !isWhole)) hasFailed = true;
      else if (row.outcome !== 'accepted') isUnproved = true;
    }
  }
  return { flattened, end: isUnproved ? 'unproved' : hasFailed ? 'failed' : 'done' };
}

/** A full disk must not keep a position open. */
function tryLine(root: string, entry: PanicLine, problems: Problems): void {
  try {
    writePanicLine(root, entry);
  } catch (thrown) {
    problems.add(
      `panic.jsonl cannot be written, so another --flatten could send the same again (${messageOf(thrown)}); look before you repeat it`,
    );
  }
}

async function close(
  { exchange, root, owner, clock }: FlattenOptions,
  { session, strategy, name, quantity }: Holding,
  instrument: Instrument,
  id: string,
  problems: Problems,
): Promise<Flattened & { readonly isWhole: boolean }> {
  const [symbol, positionSide] = splitName(name);
  const text = instrument.quantityText(lotsIn(quantity, instrument));
  const side = quantity.isNegative() ? 'buy' : 'sell';
  const sign = side === 'buy' ? '' : '-';
  const moving = { symbol: name, quantity: `${sign}${text}`, session, strategy, at: clock.now() };
  tryLine(root, { kind: 'sending', id, ...owner, ...moving }, problems);
  const { market } = instrument;
  const order = { market, symbol, side, quantity: text, clientOrderId: clientOrderIdOf(id) } as const;
  const outcome = await sendMarket(exchange, market === 'spot' ? order : { ...order, positionSide, reduceOnly: true });
  const moved = movedBy(outcome);
  if (moved !== undefined) {
    const quantity = `${moved === '0' ? '' : sign}${moved}`;
    tryLine(root, { kind: 'done', id, quantity }, problems);
  }
  const isWhole = moved === undefined || !dec(moved).lt(text);
  if (outcome.kind !== 'accepted') problems.add(`${side} ${text} ${name}: ${outcome.kind}; look before you repeat it`);
  else if (!isWhole) problems.add(`${side} ${text} ${name}: only ${moved} of it went through`);
  return { symbol: name, quantity: `${side} ${text}`, outcome: outcome.kind, isWhole };
}

/** Undefined while unknown. */
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
