/**
 * The second half of `panic --flatten`: market orders against what the live sessions hold. It reads their journals, so it
 * is apart from `panic.ts`, which needs none, and is only loaded when it is asked for.
 */
import type { Exchange } from '../exchange/exchange.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { clientOrderIdOf } from '../execution/order-spec.ts';
import { positionName } from '../execution/positions.ts';
import { Replay } from '../execution/replay.ts';
import { messageOf } from '../model/errors.ts';
import type { Instrument, Instruments } from '../model/instrument.ts';
import { dec, ZERO, type Decimal } from '../model/money.ts';
import type { OrderRequest, PositionSide } from '../model/order.ts';
import type { Outcome } from '../model/result.ts';
import { panicOrders, writePanicLine, type Holder, type PanicAccount, type PanicLine } from './panic-ledger.ts';
import { Problems, readableSessions } from './panic.ts';

/** One position and what its closing order ended in. */
export interface Flattened {
  readonly symbol: string;
  readonly quantity: string;
  readonly outcome: string;
}

/** `failed`: the exchange refused one, or took a part of it. `unproved`: something may be held that was not closed. */
export interface Flattening {
  readonly flattened: readonly Flattened[];
  readonly end: 'done' | 'failed' | 'unproved';
}

/** What one strategy of one session holds. */
interface Holding extends Holder {
  /** The symbol, and its side in hedge mode. */
  readonly name: string;
  readonly quantity: Decimal;
}

/**
 * What the live sessions of the account hold by their journals, less what panics sold or bought that stands in no journal
 * yet. What cannot be read is told to `unread`. Throws when the list of panics cannot be: it might be sold twice.
 */
function holdings(root: string, owner: PanicAccount, unread: Problems): readonly Holding[] {
  const held: Holding[] = [];
  const taken = new Set<string>();
  for (const { path, record } of readableSessions(root, unread)) {
    if (record.mode !== 'live' || record.account !== owner.account || record.exchange !== owner.exchange) continue;
    try {
      const replay = new Replay();
      for (const row of readJournal(path)) {
        replay.row(row);
        if (row.entry.kind === 'intent') taken.add(row.entry.intentId);
      }
      for (const { strategy, instrument, positionSide, position } of replay.state.positions.all()) {
        const name = positionName(instrument.symbol, positionSide);
        held.push({ session: record.id, strategy, name, quantity: position.quantity });
      }
    } catch (thrown) {
      unread.add(`${record.id}: ${messageOf(thrown)}`);
    }
  }
  const moved = panicOrders(root, owner).filter(({ id }) => !taken.has(id));
  return summed([...held, ...moved.map(({ symbol, ...order }) => ({ ...order, name: symbol }))]);
}

function summed(parts: readonly Holding[]): readonly Holding[] {
  const sums = new Map<string, Holding>();
  for (const { session, strategy, name, quantity } of parts) {
    const key = `${session}\n${strategy}\n${name}`;
    sums.set(key, { session, strategy, name, quantity: quantity.plus(sums.get(key)?.quantity ?? ZERO) });
  }
  return [...sums.values()].filter(({ quantity }) => !quantity.isZero());
}

/**
 * One order for each holder, so that its journal can take it over; where they hold against each other, or one too little
 * for an order of its own, one for all, in the name of the one who holds most of it.
 */
function closings(held: readonly Holding[], instrument: Instrument): readonly Holding[] {
  const total = held.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  const isOwn = held.every(
    ({ quantity }) => quantity.isNegative() === total.isNegative() && isEnough(quantity, instrument),
  );
  if (isOwn) return held;
  const [most] = held.toSorted((one, other) => other.quantity.times(total).cmp(one.quantity.times(total)));
  return most === undefined || !isEnough(total, instrument) ? [] : [{ ...most, quantity: total }];
}

function lotsIn(quantity: Decimal, { spec }: Instrument): number {
  return quantity.abs().div(spec.lotSize).floor().toNumber();
}

function isEnough(quantity: Decimal, instrument: Instrument): boolean {
  const lots = lotsIn(quantity, instrument);
  return lots > 0 && !dec(instrument.quantityText(lots)).lt(instrument.spec.minQuantity);
}

export interface FlattenOptions {
  readonly exchange: Exchange;
  readonly instruments: Instruments;
  /** Where the sessions are. */
  readonly root: string;
  readonly owner: PanicAccount;
  /** Part of the client order ids. */
  readonly unique: string;
  /** Unix ms. */
  readonly now: () => number;
}

/**
 * Sends one market order per position, reduce-only on perpetuals; whatever it ends in is said, nothing is repeated.
 */
export async function flattenEverything(options: FlattenOptions, problems: Problems): Promise<Flattening> {
  const { instruments, root, owner } = options;
  const unread = new Problems();
  const byName = Map.groupBy(holdings(root, owner, unread), ({ name }) => name);
  for (const problem of unread.list()) problems.add(problem);
  let isUnproved = unread.list().length > 0;
  let hasFailed = false;
  const flattened: Flattened[] = [];
  for (const [name, held] of byName) {
    const total = held.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
    if (total.isZero()) continue;
    const instrument = instruments.find(splitName(name)[0]);
    if (instrument === undefined) {
      problems.add(`${name}: ${total.toFixed()} is held and was not closed, since its instrument is not known`);
      isUnproved = true;
      continue;
    }
    const orders = closings(held, instrument);
    // What fees leave over is no reason to try again.
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

/** A disk that takes no line must not keep a position open (INV-K4); that another panic would not know of it is said. */
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
  { exchange, root, owner, now }: FlattenOptions,
  { session, strategy, name, quantity }: Holding,
  instrument: Instrument,
  id: string,
  problems: Problems,
): Promise<Flattened & { readonly isWhole: boolean }> {
  const [symbol, positionSide] = splitName(name);
  const text = instrument.quantityText(lotsIn(quantity, instrument));
  const side = quantity.isNegative() ? 'buy' : 'sell';
  const sign = side === 'buy' ? '' : '-';
  const moving = { symbol: name, quantity: `${sign}${text}`, session, strategy, at: now() };
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

export function splitName(name: string): readonly [symbol: string, positionSide: PositionSide] {
  const [symbol = name, side] = name.split('/');
  return [symbol, side === 'long' || side === 'short' ? side : 'both'];
}

/** What an order has certainly moved; undefined while that is not known. */
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
