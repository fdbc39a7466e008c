/**
 * Both sides as a whole, for the liveness phase: what the process holds true, what its journal explains and what the
 * exchange knows must be one (reliability §3.2).
 */
import type { Executor } from '../../../src/execution/executor.ts';
import { intentIdOf } from '../../../src/spine/intent-id.ts';
import { tradingFlowOf } from '../../../src/spine/money/kinds.ts';
import { replayRows, stateHash } from '../../../src/spine/replay.ts';
import type { StateView } from '../../../src/spine/trading-state.ts';
import type { JournalRow } from '../../../src/model/entries/journal.ts';
import type { MoneyRequest } from '../../../src/model/funds/money-commands.ts';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import { tagsOf, type Laws } from './laws.ts';
import { othersNotBooked } from './others-law.ts';
import type { Process } from './process.ts';
import { SYMBOL } from './restless.ts';
import { signedOf, type OwnTrade } from './spot-positions.ts';
import type { VenueSide } from './venue-side.ts';
import type { WrongClock } from './wrong-clock.ts';

/** `balanceTolerance`: rounding of the exchange. */
const TOLERANCE = '0.00000001';

interface World {
  readonly venue: VenueSide;
  readonly laws: Laws;
  readonly venueClock: WrongClock;
}

/**
 * What the two sides do not agree about now; empty when they do. The books are read once nothing else is left to say. `isShared`:
 * also of which strategy is what, which docs/fault-model.md promises in class A alone.
 */
export function disagreements(
  world: World,
  process: Process | null,
  rows: readonly JournalRow[],
  isShared: boolean,
): readonly string[] {
  const executor = process?.engine?.executor;
  if (process === null || executor === undefined) return ['the process does not run'];
  const { laws } = world;
  const problems = [...standing(world, process, executor), ...(laws.futures?.disagreements(process, isShared) ?? [])];
  return problems.length > 0 ? problems : ofBooks(world, rows);
}

/** What each side holds true at this moment. */
function standing({ venue, laws }: World, process: Process, executor: Executor): readonly string[] {
  const problems: string[] = [];
  for (const symbol of laws.halted) problems.push(`${symbol} is halted`);
  const { trades, active } = venue.truth;
  const tags = tagsOf(venue);
  const local = tags
    .flatMap((tag) =>
      executor
        .account(tag)
        .openOrders()
        .map(({ orderId, ref }) => orderId ?? ref),
    )
    .toSorted();
  const there = [...active.keys()].filter((orderId) => !venue.isOthers(orderId)).toSorted();
  if (local.join() !== there.join()) problems.push(`open here ${local.join()}; open there ${there.join()}`);
  if (executor.killed && there.length > 0) problems.push(`killed, and ${there.join()} rest`);
  const unresolved = executor.unresolvedCount();
  if (unresolved > 0) problems.push(`${unresolved} unresolved`);
  const transfers = executor.state.money.inDoubt().length;
  if (transfers > 0) problems.push(`${transfers} movements of unknown outcome`);
  const unbooked = executor.unbookedCount();
  if (unbooked > 0) problems.push(`${unbooked} told filled, without their trades`);
  for (const symbol of process.symbols) {
    const closed = process.closedBecause(symbol);
    if (closed !== null) problems.push(`gate: ${closed}`);
  }
  for (const currency of ['USDT', 'BTC']) {
    const told = executor.account(tags[0] ?? '').balance(currency).total;
    if (!dec(told).eq(venue.total(currency))) problems.push(`${currency} ${told}, truly ${venue.total(currency)}`);
  }
  let position = ZERO;
  for (const tag of tags) position = position.plus(executor.account(tag).position(SYMBOL).quantity);
  const spot = positionOf(trades.filter(({ market, orderId }) => market === 'spot' && !venue.isOthers(orderId)));
  if (!position.eq(spot)) problems.push(`position ${position.toFixed()}, truly ${spot.toFixed()}`);
  return problems;
}

/** Every order, trade and unit of money since the beginning. */
function ofBooks(world: World, rows: readonly JournalRow[]): readonly string[] {
  const { venue, laws } = world;
  const problems: string[] = [];
  const { orders, trades } = venue.truth;
  const owners = ownersOf(rows);
  const perIntent = new Map<string, string>();
  for (const { orderId, order } of orders) {
    if (venue.isOthers(orderId)) continue;
    const intentId = intentIdOf(order.clientOrderId) ?? owners.get(orderId);
    if (intentId === undefined) problems.push(`order ${orderId} at the exchange belongs to no intent`);
    else if (perIntent.has(intentId)) problems.push(`intent ${intentId} is twice at the exchange`);
    else perIntent.set(intentId, orderId);
  }
  const booked = new Set(
    rows.flatMap(({ entry }) => (entry.kind === 'fill' && entry.corrects !== true ? [entry.fill.tradeId] : [])),
  );
  const real = trades.filter(({ orderId }) => !venue.isOthers(orderId));
  for (const { tradeId } of real) if (!booked.has(tradeId)) problems.push(`trade ${tradeId} is not booked`);
  if (booked.size > real.length) problems.push('a fill is booked that the exchange does not know');
  problems.push(...unexplained(rows, venue), ...othersNotBooked(rows, world, laws.openedAt));
  return problems;
}

/** What keeps the process from new risk anywhere; null when nothing does. */
export function shutBecause(laws: Laws, process: Process | null): string | null {
  if (process?.engine?.executor === undefined) return 'it does not run';
  const [halted] = laws.halted;
  if (halted !== undefined) return `${halted} is halted`;
  for (const symbol of process.symbols) {
    const closed = process.closedBecause(symbol);
    if (closed !== null) return closed;
  }
  const unresolved = process.engine.executor.unresolvedCount();
  return unresolved > 0 ? `${unresolved} unresolved` : null;
}

/** The journal alone rebuilds what is live (INV-J2). */
export function replayDiffers(process: Process | null, rows: readonly JournalRow[]): boolean {
  const executor = process?.engine?.executor;
  if (executor === undefined) return false;
  const { state } = replayRows(rows);
  return stateHash(state) !== stateHash(executor.state) || toGo(state) !== toGo(executor.state);
}

/** Orders that are to be cancelled. */
function toGo({ orders }: StateView): string {
  return orders
    .allLive()
    .flatMap(({ intentId, cancelWanted }) => (cancelWanted ? [intentId] : []))
    .toSorted()
    .join();
}

/** Opening, own fills and labelled adjustments are the balance, to the last unit (INV-F3). */
function unexplained(rows: readonly JournalRow[], venue: VenueSide): readonly string[] {
  const sums = new Map<string, Decimal>();
  const opened = new Set<string>();
  const add = (currency: string, amount: Decimal): void =>
    void sums.set(currency, (sums.get(currency) ?? ZERO).plus(amount));
  for (const { currency, amount } of ownTransfers(rows)) add(currency, amount);
  for (const { entry } of rows) {
    if (entry.kind === 'adjustment' && entry.subject === 'balance') {
      if (entry.cause === 'opening') opened.add(entry.name);
      add(entry.name, dec(entry.quantity));
    } else if (entry.kind === 'fill' && entry.fill.market === 'spot') {
      const { side, quantity, price, fee, feeCurrency } = entry.fill;
      const sign = side === 'buy' ? 1 : -1;
      add('BTC', dec(quantity).times(sign));
      add('USDT', dec(quantity).times(price).times(-sign));
      add(feeCurrency, dec(fee).neg());
    }
  }
  // Profit of a perpetual moves what it settles in, and the journal does not name it.
  if (venue.futures !== null) opened.delete('USDT');
  return [...opened].flatMap((currency) => {
    const residual = dec(venue.total(currency)).minus(sums.get(currency) ?? ZERO);
    return residual.abs().lte(TOLERANCE) ? [] : [`${currency}: ${residual.toFixed()} is not explained by the journal`];
  });
}

/** What own transfers moved on the trading account, as the journal knows. */
function ownTransfers(rows: readonly JournalRow[]): readonly { readonly currency: string; readonly amount: Decimal }[] {
  const requests = new Map<string, MoneyRequest>();
  return rows.flatMap(({ entry }) => {
    if (entry.kind === 'money-intent') requests.set(entry.intentId, entry.request);
    const hasHappened =
      (entry.kind === 'money-outcome' && entry.outcome.kind === 'accepted') ||
      (entry.kind === 'money-resolved' && entry.verdict === 'happened');
    return (hasHappened && tradingFlowOf(requests.get(entry.intentId)!)) || [];
  });
}

function ownersOf(rows: readonly JournalRow[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { entry } of rows) {
    if (entry.kind === 'order') owners.set(entry.report.orderId, entry.intentId);
    if (entry.kind === 'fill') owners.set(entry.fill.orderId, entry.intentId);
    if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted' && entry.outcome.order !== undefined) {
      owners.set(entry.outcome.order.orderId, entry.intentId);
    }
  }
  return owners;
}

function positionOf(trades: readonly OwnTrade[]): Decimal {
  return trades.reduce((position, trade) => position.plus(signedOf(trade)), ZERO);
}
