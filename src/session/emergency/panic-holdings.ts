/**
 * Holdings of an account's live sessions for `panic --flatten`. The exchange is polled before the journals are read to
 * the end, so that trade ids remove duplicates.
 */
import type { Exchange } from '../../exchange/exchange.ts';
import { messageOf } from '../../model/errors.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instruments, Market } from '../../model/market/instrument.ts';
import type { JournalEntry } from '../../model/entries/journal.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Clock } from '../../model/ports.ts';
import { itemsOf } from '../../model/result.ts';
import { compareOrders, type CompareRules } from '../../reconciler/compare.ts';
import { couldBe, couldHaveTraded, earliestOf, fenceOf } from '../../reconciler/match.ts';
import { reconcileSchema } from '../../reconciler/options.ts';
import { ordersIn } from '../../reconciler/local-order.ts';
import { externalOrderKey } from '../../spine/external-keys.ts';
import { clientOrderIdOf, intentIdOf, sessionOfIntent } from '../../spine/intent-id.ts';
import { positionName } from '../../spine/positions.ts';
import { isSettled, isUnresolved } from '../../spine/orders/order-machine.ts';
import { listedOtherwise } from '../../spine/orders/fill-check.ts';
import { agreedBy } from './panic-contradictions.ts';
import { PanicBook } from './panic-book.ts';
import { withoutCopies } from './panic-copies.ts';
import {
  isOfSession,
  panicOrders,
  splitName,
  type Holding,
  type PanicAccount,
  type PanicOrder,
} from './panic-ledger.ts';
import { readForPanic, unreadOrders, type PanicReadings } from './panic-readings.ts';
import { readableSessions, type Problems } from './panic.ts';

export interface HoldingsOptions {
  readonly exchange: Pick<Exchange, 'orders' | 'clockOffset'>;
  readonly instruments: Instruments;
  readonly root: string;
  readonly owner: PanicAccount;
  readonly clock: Clock;
  /** Whether the exchange keeps client order ids. */
  readonly clientOrderIds: boolean;
}

const UNCOVERED =
  "were closed by an earlier --flatten, but its journal has less (its folder is gone, or the journal is an older copy): put it back, or check the account and remove the session's lines from panic.jsonl";

/** Extra time range of trades read. */
const OVERLAP_MS = 120_000;
const SKEW_MS = 2_000;
const DEFAULTS = reconcileSchema.parse({});

/** Less panic orders not yet journalled. Throws when the panic ledger is unreadable: it might sell twice. */
export async function holdings(
  options: HoldingsOptions,
  unread: Problems,
  copies: Problems,
): Promise<readonly Holding[]> {
  const books = withoutCopies(openBooks(options.root, options.owner, unread), unread, copies);
  const readings = await readBeyond(options, books, unread);
  const held: Holding[] = [];
  for (const book of books) {
    try {
      book.read();
    } catch (thrown) {
      unread.add(`${book.record.id}: ${messageOf(thrown)}`);
    }
    takeBeyond(book, books, readings, options, unread);
    held.push(...agreedBy(book, heldBy(book), unread));
  }
  const moved = sentEarlier(options, books).map((order) => leftOf(order, books, readings, unread));
  return lessMoved(summed(held), moved, unread);
}

/** Less what others have closed of a perpetual by the same journal; that comes off the largest. */
function heldBy({ record, also, state }: PanicBook): readonly Holding[] {
  const all = state.positions.all().map(({ strategy, instrument, positionSide, position }) => {
    const name = positionName(instrument.symbol, positionSide);
    return { session: record.id, also, strategy, name, quantity: position.quantity, market: instrument.market };
  });
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, held]) => {
    const total = held.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
    if (held[0]?.market !== 'derivative' || total.isZero()) return held;
    const explained = state.explainedPosition(name);
    const there = explained.isNegative() === total.isNegative() ? explained.abs() : ZERO;
    let gone = total.abs().minus(there);
    return held
      .toSorted((one, other) => other.quantity.abs().cmp(one.quantity.abs()))
      .map((one) => {
        if (!gone.gt(ZERO) || one.quantity.isNegative() !== total.isNegative()) return one;
        const size = one.quantity.abs();
        const left = gone.gte(size) ? ZERO : size.minus(gone);
        gone = gone.minus(size.minus(left));
        return { ...one, quantity: one.quantity.isNegative() ? left.neg() : left };
      });
  });
}

/** A journal that lacks the closes of an earlier panic would treat them as a new position, so nothing is concluded. */
function lessMoved(held: readonly Holding[], moved: readonly Moved[], unread: Problems): readonly Holding[] {
  const known = new Map(held.map((holding) => [keyOf(holding), holding.quantity]));
  const doubtful = new Set<string>();
  for (const [key, parts] of Map.groupBy(moved, keyOf)) {
    const [first] = parts;
    const own = parts.reduce((sum, part) => sum.plus(part.own), ZERO);
    if (first === undefined || first.session === '' || isCovered(own, known.get(key) ?? ZERO)) continue;
    doubtful.add(key);
    unread.add(`${first.session}: ${own.abs().toFixed()} ${first.name} of ${first.strategy} ${UNCOVERED}`);
  }
  return summed([...held, ...moved].filter((part) => !doubtful.has(keyOf(part))));
}

function isCovered(closed: Decimal, held: Decimal): boolean {
  return closed.isZero() || (closed.isNegative() !== held.isNegative() && closed.abs().lte(held.abs()));
}

function openBooks(root: string, owner: PanicAccount, unread: Problems): readonly PanicBook[] {
  const books: PanicBook[] = [];
  for (const folder of readableSessions(root, unread)) {
    const { record } = folder;
    if (record.mode !== 'live' || record.account !== owner.account || record.exchange !== owner.exchange) continue;
    try {
      const book = new PanicBook(folder);
      book.read();
      books.push(book);
    } catch (thrown) {
      unread.add(`${record.id}: ${messageOf(thrown)}`);
    }
  }
  return books;
}

/** It left orders, or is the newest and died. */
function mayLag(book: PanicBook, books: readonly PanicBook[]): boolean {
  if (book.hasLive) return true;
  const { clean, startedAt } = book.record;
  return (
    !clean &&
    tagsOf(book).every(
      (tag) => !books.some((other) => other.record.startedAt > startedAt && tagsOf(other).includes(tag)),
    )
  );
}

function tagsOf({ record }: PanicBook): readonly string[] {
  return record.strategies.map(({ tag }) => tag);
}

/** Of the sessions here: those of another folder may stand aside, too. Those of a copy count for its session. */
function sentEarlier({ root, owner }: HoldingsOptions, books: readonly PanicBook[]): readonly PanicOrder[] {
  return panicOrders(root, owner).flatMap((order) => {
    const book = books.find(({ record, also }) => [record.id, ...also].some((id) => isOfSession(order, id)));
    if (book === undefined) return order.isAside ? [] : order;
    return { ...order, session: book.record.id, also: book.also };
  });
}

async function readBeyond(
  options: HoldingsOptions,
  books: readonly PanicBook[],
  unread: Problems,
): Promise<PanicReadings> {
  const { exchange, instruments, clock } = options;
  const asked = books.filter((book) => mayLag(book, books));
  const unknown = sentEarlier(options, books).filter((order) => !order.isKnown && !isInJournal(order, books));
  const markets = new Set<Market>(asked.flatMap(({ markets: traded }) => [...traded]));
  for (const { symbol } of unknown) {
    const market = instruments.find(splitName(symbol)[0])?.market;
    if (market !== undefined) markets.add(market);
  }
  const offsetMs = Math.abs(exchange.clockOffset.estimate?.offsetMs ?? 0);
  const marks = [...asked.map(({ bookedTo }) => bookedTo), ...unknown.map(({ at }) => at)];
  const from = Math.max(0, Math.min(...marks, clock.now()) - OVERLAP_MS - DEFAULTS.earlierClockMs - offsetMs);
  const isKnown = ({ orderId }: VenueFill): boolean =>
    books.some(({ state }) => state.orders.byOrderId(orderId) !== undefined);
  const wantsOrders = (trades: readonly VenueFill[]): boolean =>
    unknown.length > 0 || books.some((book) => book.unproved().length > 0) || !trades.every(isKnown);
  return await readForPanic({ orders: exchange.orders, clock, markets: [...markets], from, wantsOrders }, unread);
}

/** Applies what the exchange shows of a session's orders; reports doubts. */
function takeBeyond(
  book: PanicBook,
  books: readonly PanicBook[],
  readings: PanicReadings,
  { clientOrderIds, clock }: HoldingsOptions,
  unread: Problems,
): void {
  const { state } = book;
  const take = (entry: JournalEntry): void => book.take(entry, clock.now());
  // The process that awaited the answer is dead or latched.
  for (const { intentId, state: was } of book.unproved())
    if (was === 'sending') take({ kind: 'outcome', intentId, outcome: { kind: 'unknown', reason: 'panic' } });
  const reports = [...itemsOf(readings.active), ...itemsOf(readings.history)];
  const trades = itemsOf(readings.trades);
  const rules = rulesOf(book, books, reports, clientOrderIds);
  const strangers: VenueFill[] = [];
  for (const fill of trades) {
    const order = state.orders.byOrderId(fill.orderId);
    const entry = order === undefined ? null : listedOtherwise(order, fill);
    if (entry !== null) take(entry);
  }
  for (const finding of compareOrders(ordersIn(state, reports, trades), readings, rules)) {
    if (finding.kind === 'report') {
      const { intentId, report } = finding;
      take({ kind: 'order', intentId, report, source: 'reconcile' });
    } else if (finding.kind === 'fill') {
      const { fill } = finding;
      const intentId = state.orders.byOrderId(fill.orderId)?.intentId;
      if (intentId !== undefined) take({ kind: 'fill', intentId, fill, mid: null, source: 'reconcile' });
    } else if (finding.kind === 'external-fill') {
      strangers.push(finding.fill);
    }
  }
  doubtStrangers(book, { strangers, reports, rules, why: unreadOrders(readings) }, unread);
  for (const { intentId, instrument, progress } of state.orders.allLive())
    if (progress.fillLots < progress.reportedLots && readings.whole.has(instrument.market))
      unread.add(`${book.record.id}: ${intentId} has filled more than its trades show: more may be held`);
}

function rulesOf(
  { state }: PanicBook,
  books: readonly PanicBook[],
  reports: readonly OrderReport[],
  clientOrderIds: boolean,
): CompareRules {
  const { signatureWindowMs, fenceMarginMs, historyLagMs, earlierClockMs } = DEFAULTS;
  const isElsewhere = (orderId: string): boolean =>
    books.some((other) => other.state !== state && other.state.orders.byOrderId(orderId) !== undefined);
  const others = reports.filter(({ symbol, orderId }) => state.isBooked(externalOrderKey(symbol, orderId)));
  return {
    fenceMs: signatureWindowMs + SKEW_MS + fenceMarginMs,
    skewMs: SKEW_MS,
    earlier: { until: Number.POSITIVE_INFINITY, moreMs: earlierClockMs },
    ids: clientOrderIds ? 'kept' : 'absent',
    // Asks only about possible own orders, so either side may match.
    believesSide: () => false,
    wasThere: (orderId) => state.disowned.has(orderId) || isElsewhere(orderId),
    historyLagMs,
    // No absence is concluded here.
    offsetMs: 0,
    isLast: true,
    doubtful: new Set(),
    others: new Set(others.map(({ orderId }) => orderId)),
    adopts: false,
  };
}

interface Strangers {
  /** Trades of orders unknown to the journal. */
  readonly strangers: readonly VenueFill[];
  readonly reports: readonly OrderReport[];
  readonly rules: CompareRules;
  /** Why the order lists are incomplete, or null. */
  readonly why: string | null;
}

const MOVED = { buy: 'bought', sell: 'sold' } as const;

function doubtStrangers(book: PanicBook, { strangers, reports, rules, why }: Strangers, unread: Problems): void {
  const { record, state } = book;
  const shown = new Map(reports.map((report) => [report.orderId, report]));
  const unproved = book.unproved();
  for (const fill of strangers) {
    const report = shown.get(fill.orderId);
    const intentId = intentIdOf(report?.clientOrderId);
    const what = `${record.id}: ${fill.quantity} ${fill.symbol} of order ${fill.orderId}`;
    if (report !== undefined && intentId !== undefined) {
      const isMarked = state.sessions.has(sessionOfIntent(intentId)) && report.createdAt > state.acknowledgedAt;
      if (isMarked && !book.knows(intentId))
        unread.add(
          `${what} bear its mark, were ${MOVED[fill.side]} and stand in no journal: what it holds may differ by them`,
        );
      continue;
    }
    // A forgotten own order: its trades are journalled.
    if (report === undefined && fill.ts <= state.orders.forgottenTo) continue;
    const could = unproved.find(
      (order) =>
        couldHaveTraded(order, fill, rules) &&
        fill.ts >= earliestOf(order) - fenceOf(order, rules) &&
        (report === undefined || couldBe(order, report, rules)),
    );
    if (could === undefined) continue;
    const because = why === null ? '' : `, since the orders could not be read (${why})`;
    unread.add(`${what} may be of ${could.intentId}, which was never answered${because}: they may be held`);
  }
}

function isInJournal({ id }: PanicOrder, books: readonly PanicBook[]): boolean {
  return books.some((book) => book.knows(id));
}

interface Moved extends Holding {
  /** The part that closes the holder's own. */
  readonly own: Decimal;
}

/** The part of a panic order that no journal has booked. */
function leftOf(order: PanicOrder, books: readonly PanicBook[], readings: PanicReadings, unread: Problems): Moved {
  const { id, symbol: name, session, also, strategy, quantity, own } = order;
  const moved = (left: Decimal): Moved => {
    return { session, also, strategy, name, quantity: left, own: left.abs().lt(own.abs()) ? left : own };
  };
  const book = books.find((one) => one.knows(id));
  const doubt = `${id}: it is not known what became of ${quantity.toFixed()} ${name}, which an earlier panic sent`;
  const report = [...itemsOf(readings.active), ...itemsOf(readings.history)].find(
    ({ clientOrderId }) => clientOrderId === clientOrderIdOf(id),
  );
  if (order.isRefused && report === undefined && unreadOrders(readings) === null) return moved(ZERO);
  if (book !== undefined) {
    const taken = book.state.orders.byIntent(id);
    if (taken === undefined || isSettled(taken.progress)) return moved(ZERO);
    if (isUnresolved(taken.progress)) unread.add(doubt);
    const left = quantity.abs().minus(taken.progress.fillQuantity);
    return moved(quantity.isNegative() ? left.neg() : left);
  }
  if (order.isKnown) return moved(quantity);
  if (report === undefined || report.status === 'new' || report.status === 'partially_filled') {
    unread.add(doubt);
    return moved(quantity);
  }
  const filled = dec(report.filledQuantity);
  return moved(quantity.isNegative() ? filled.neg() : filled);
}

function keyOf({ session, strategy, name }: Omit<Holding, 'quantity' | 'also'>): string {
  return `${session}\n${strategy}\n${name}`;
}

function summed(parts: readonly Holding[]): readonly Holding[] {
  const sums = new Map<string, Holding>();
  for (const { session, also, strategy, name, quantity } of parts) {
    const key = keyOf({ session, strategy, name });
    sums.set(key, { session, also, strategy, name, quantity: quantity.plus(sums.get(key)?.quantity ?? ZERO) });
  }
  return [...sums.values()].filter(({ quantity }) => !quantity.isZero());
}
