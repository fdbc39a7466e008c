/**
 * Books each external trade once, as an adjustment. A trade waits while it may be an own trade, part of a liquidation,
 * lost in a restore, or of unknown side. Two histories must miss its order, because one may be wrong. Reads the state;
 * writes notes; returns bookings.
 */
import { itemsOf } from '../../model/result.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import { decimalText } from '../../model/numbers/money.ts';
import type { OrderReport, Side } from '../../model/trading/order.ts';
import { countOfIntent } from '../../spine/intent-id.ts';
import { EXTERNAL_TRADE, externalOrderKey, externalTradeKey } from '../../spine/external-keys.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { Account } from './account-notes.ts';
import type { CompareRules, Readings } from '../compare.ts';
import { isUnproved, type LocalOrder, liveOrders } from '../local-order.ts';
import type { AccountEffect } from '../finding.ts';
import { movesOf } from './external-moves.ts';
import { explainedSince } from './residual.ts';
import { positionNameOf } from '../../spine/positions.ts';
import { couldBe, couldHaveTraded, earliestOf, fenceOf, type MatchRules } from '../match.ts';

const NAMED_MAX = 1_000;
/** Overlap of history polls, ms. */
const LOOK_BACK_MS = 120_000;
/** Bound of seen orders. A forgotten order is no evidence. */
const SEEN_MAX = 5_000;

export class TradeNotes {
  /** Order → count of own intents when it was first seen; side of the order itself, not of a trade. */
  readonly seen = new Map<string, { readonly after: number; side: Side | undefined }>();
  readonly named = new Set<string>();
  /** Orders of booked perpetual trades → Unix ms until which lists are searched for them. */
  readonly unseen = new Map<string, number>();
  /** Order that the newest complete history misses → Unix ms from which on all of them did. */
  missed: ReadonlyMap<string, number> = new Map();
}

export interface BookedTrades {
  readonly effects: readonly AccountEffect[];
  /** Unix ms of the oldest waiting trade; `Infinity`: none. */
  readonly waitingFrom: number;
  readonly wantsHistory: boolean;
  /** Poll ended orders in the next pass. */
  readonly asksWho: boolean;
}

export const NO_TRADES: BookedTrades = {
  effects: [],
  waitingFrom: Number.POSITIVE_INFINITY,
  wantsHistory: false,
  asksWho: false,
};

export function sawOrder({ seen }: TradeNotes, { intentCount }: StateView, orderId: string, side?: Side): void {
  const before = seen.get(orderId);
  if (before !== undefined) {
    before.side ??= side;
    return;
  }
  seen.set(orderId, { after: intentCount, side });
  forgetOldest(seen, SEEN_MAX);
}

/** An order seen before an intent was decided does not belong to the intent. */
export function wasThere({ seen }: TradeNotes, bootId: string, orderId: string, intentId: string): boolean {
  const before = seen.get(orderId);
  return before !== undefined && (countOfIntent(intentId, bootId) ?? 0) > before.after;
}

/** Orders with a booked external trade. */
export function bookedOrders(
  state: StateView,
  orders: readonly { readonly symbol: string; readonly orderId: string }[],
): ReadonlySet<string> {
  const booked = orders.filter(({ symbol, orderId }) => state.isBooked(externalOrderKey(symbol, orderId)));
  return new Set(booked.map(({ orderId }) => orderId));
}

export function bookTrades(
  account: Account,
  notes: TradeNotes,
  { fills, liquidated }: { readonly fills: readonly VenueFill[]; readonly liquidated: readonly VenueFill[] },
  rules: Omit<CompareRules, 'others'>,
  likelySide: (fill: VenueFill) => Side,
  { active, history, trades: { asOf } }: Readings,
): BookedTrades {
  const { state } = account;
  let { waitingFrom, wantsHistory, asksWho } = NO_TRADES;
  const reports = [...itemsOf(active), ...itemsOf(history)];
  const shown = new Map(reports.map((report) => [report.orderId, report]));
  // After a restore an order without client id may be a lost own one.
  const mayShowIds = rules.adopts !== false && rules.ids === 'kept';
  const nameless = new Set(
    reports.flatMap((one) => (mayShowIds && one.clientOrderId === undefined ? [one.orderId] : [])),
  );
  const isWhole = history?.kind === 'complete';
  const wholeTo = isWhole ? history.asOf - rules.historyLagMs - rules.skewMs : 0;
  const settled: VenueFill[] = [];
  const missed = new Map<string, number>();
  const unproved = liveOrders(state).filter(isUnproved);
  // Its real time is unknown, so no opening waits for it.
  const isAheadOf = ({ ts }: VenueFill): boolean => ts > asOf + rules.skewMs;
  for (const fill of liquidated) if (!isAheadOf(fill)) noteMove(account, fill);
  for (const fill of fills) {
    if (fill.ts <= state.orders.forgottenTo) continue;
    const isAhead = isAheadOf(fill);
    if (!isAhead) noteMove(account, fill);
    const report = shown.get(fill.orderId);
    const sought = unproved.filter((order) => couldHaveTraded(order, fill, rules));
    const isPlain = fill.market !== 'derivative' && rules.adopts === false && sought.length === 0;
    const isAnybodys = isPlain && rules.believesSide(fill);
    const isNameless = !isAnybodys && report === undefined && isOpen(account, fill);
    const isMissed = isNameless && isWhole && (fill.ts <= wholeTo || isAhead);
    const missedFrom = notes.missed.get(fill.orderId);
    if (isMissed) missed.set(fill.orderId, missedFrom ?? asOf);
    // The time of one that is ahead is unknown: lists may lag from when they first missed its order.
    const isMissedTwice = isMissed && missedFrom !== undefined && (!isAhead || asOf - missedFrom > rules.historyLagMs);
    const needsHistory = isNameless && !isMissedTwice;
    wantsHistory ||= needsHistory;
    // History is polled in every other pass. Only it shows the sender of an order that never rested.
    if (rules.ids === 'kept' && fill.ts > asOf - 2 * rules.historyLagMs && !notes.named.has(fill.orderId)) {
      asksWho ||= report === undefined;
      if (report !== undefined) notes.named.add(fill.orderId);
      forgetOldest(notes.named, NAMED_MAX);
    }
    if (needsHistory || nameless.has(fill.orderId) || couldBeOurs(sought, fill, report, rules)) {
      waitingFrom = Math.min(waitingFrom, fill.ts);
      continue;
    }
    if (fill.market === 'derivative' && report === undefined && isOpen(account, fill))
      notes.unseen.set(fill.orderId, asOf + LOOK_BACK_MS);
    const side = report?.side ?? notes.seen.get(fill.orderId)?.side ?? likelySide(fill);
    settled.push(fill.side === side ? fill : { ...fill, side });
  }
  if (isWhole) notes.missed = missed;
  // History may show late that it was a liquidation.
  for (const [orderId, until] of notes.unseen) if (shown.has(orderId) || asOf >= until) notes.unseen.delete(orderId);
  asksWho ||= notes.unseen.size > 0;
  const done = new Set<string>();
  // The real time of a future-dated trade is unknown.
  const effects = settled.flatMap((fill) => booked(account, fill, fill.ts > asOf ? 0 : fill.ts - rules.skewMs, done));
  return { effects, waitingFrom, wantsHistory, asksWho };
}

/** A future-dated trade counts as of now. */
function noteMove(account: Account, fill: VenueFill): void {
  const { movedAt } = account.notes;
  for (const name of movedBy(account, fill))
    movedAt.set(name, Math.max(Math.min(fill.ts, account.now), movedAt.get(name) ?? 0));
}

/** Undefined when booked, or contained in the opening. */
function idOf(account: Account, fill: VenueFill, name: string): string | undefined {
  const { state } = account;
  const openedAt = state.openedAt(fill.market === 'derivative' ? 'position' : 'balance', name);
  if (openedAt === undefined || fill.ts < openedAt) return undefined;
  const id = externalTradeKey(fill, name);
  return state.isBooked(id) ? undefined : id;
}

function isOpen(account: Account, fill: VenueFill): boolean {
  return movedBy(account, fill).some((name) => idOf(account, fill, name) !== undefined);
}

function movedBy({ instruments }: Account, fill: VenueFill): readonly string[] {
  const instrument = instruments.find(fill.symbol);
  if (instrument === undefined) return [];
  return instrument.market === 'derivative' ? [positionNameOf(fill)] : [instrument.base, instrument.quote];
}

/** `done`: ids of this pass, since a list may repeat a trade. */
function booked(account: Account, fill: VenueFill, ts: number, done: Set<string>): readonly AccountEffect[] {
  const subject = fill.market === 'derivative' ? 'position' : 'balance';
  return [...movesOf(fill, account.instruments)].flatMap(([name, amount]) => {
    const id = amount.isZero() ? undefined : idOf(account, fill, name);
    if (id === undefined || done.has(id)) return [];
    done.add(id);
    explainedSince(account.notes.seen, `${subject}/${name}`, ts);
    const quantity = decimalText(amount);
    return [{ kind: 'adjust', adjustment: { id, subject, name, quantity, cause: EXTERNAL_TRADE } } as const];
  });
}

/** Uses the widest clock doubt. `report`: the trade's order, if listed; it decides after a clock step back. */
function couldBeOurs(
  sought: readonly LocalOrder[],
  fill: VenueFill,
  report: OrderReport | undefined,
  rules: MatchRules,
): boolean {
  return sought.some(
    (order) =>
      fill.ts >= earliestOf(order) - fenceOf(order, rules) || (report !== undefined && couldBe(order, report, rules)),
  );
}

function forgetOldest(of: Set<string> | Map<string, unknown>, most: number): void {
  const [oldest] = of.keys();
  if (of.size > most && oldest !== undefined) of.delete(oldest);
}
