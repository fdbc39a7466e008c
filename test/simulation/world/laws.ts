/**
 * What must hold, judged from the exchange's own books and the journal (reliability §3.1, §3.2). `Laws` watches the border
 * at every step; `disagreements` compares both sides as a whole, for the liveness phase. Each violation names its law.
 */
import { intentIdOf } from '../../../src/execution/order-spec.ts';
import { replayRows, stateHash } from '../../../src/execution/replay.ts';
import type { JournalEntry, JournalRow } from '../../../src/model/journal.ts';
import { dec, Decimal, ZERO } from '../../../src/model/money.ts';
import type { OrderRecord } from '../../../src/sandbox/core/order-record.ts';
import { JournalLaws } from './journal-laws.ts';
import { othersNotBooked } from './others-law.ts';
import { OPEN_ORDERS_MAX, POSITION_MAX, type Process } from './process.ts';
import type { RareStates } from './rare-states.ts';
import { SYMBOL } from './restless.ts';
import { SelfTradeLaw } from './self-trade-law.ts';
import { TopsSeen } from './tops-seen.ts';
import type { VenueFill } from '../../../src/model/fill.ts';
import type { VenueSide } from './venue-side.ts';
import { checkWire } from './wire-law.ts';

/** A create may be this old when it leaves: `intentTtlMs`. */
const TTL_MS = 10_000;
/** `balanceTolerance`: rounding of the exchange. */
const TOLERANCE = '0.00000001';
const TRADING_TAGS = ['quoter', 'restless'] as const;

/** One moment, by the exchange and by the clock of the process, which stands still while its machine is suspended. */
interface Instant {
  readonly trueMs: number;
  readonly ownMs: number;
}

interface Intent {
  /** By the clock of the process: what a suspend took it cannot know. */
  readonly ts: number;
  readonly strategy: string;
  readonly reduceOnly: boolean;
}

export class Laws {
  readonly violations: string[] = [];
  readonly #venue: VenueSide;
  readonly #rare: RareStates;
  readonly #ledger = new JournalLaws((law, what) => this.violated(law, what));
  readonly #tops: TopsSeen;
  readonly #intents = new Map<string, Intent>();
  readonly #sent = new Set<string>();
  readonly #neverArrived = new Set<string>();
  readonly #tradeIds = new Set<string>();
  readonly #selfTrades: SelfTradeLaw;
  /** The intent of each order of ours at the exchange. */
  readonly #intentOf = new Map<string, string>();
  readonly #arrived = new Set<string>();
  readonly #positions = new Map<string, Decimal>();
  #isKilled = false;
  #ordersSeen = 0;
  #tradesSeen = 0;
  #arriving: string | null = null;

  constructor(venue: VenueSide, rare: RareStates, paceMs: number) {
    this.#venue = venue;
    this.#tops = new TopsSeen(paceMs);
    this.#rare = rare;
    this.#selfTrades = new SelfTradeLaw(
      (orderId) => venue.truth.orders.find((record) => record.orderId === orderId)?.order.type === 'limit',
    );
  }

  violated(law: string, what: string): void {
    if (this.violations.length < 50) this.violations.push(`${law}: ${what}`);
  }

  /** Rows are durable: what they say is the process's word. */
  onAppend(entries: readonly JournalEntry[], nowMs: number): void {
    for (const entry of entries) {
      this.#ledger.entry(entry);
      if (entry.kind === 'intent' && entry.command === 'create') {
        const { intentId, strategy, reduceOnly } = entry;
        this.#intents.set(intentId, { ts: nowMs, strategy, reduceOnly });
      } else if (entry.kind === 'kill') this.#isKilled = entry.on;
      else if (entry.kind === 'closed' && entry.state === 'never_arrived') this.#onNeverArrived(entry.intentId);
      else if (entry.kind === 'fill') this.#onFill(entry.fill.tradeId);
    }
  }

  /** The bytes of a create are about to leave; answers its intent. */
  onCreate(rows: readonly JournalRow[], process: Process, at: Instant, body: string): string | null {
    const last = rows.at(-1)?.entry;
    if (last?.kind !== 'sending') {
      this.violated('J1', `a create leaves and the last row is ${last?.kind}`);
      return null;
    }
    const { intentId } = last;
    const intent = this.#intents.get(intentId);
    if (intent === undefined) this.violated('J1', `${intentId} leaves without an intent`);
    if (this.#sent.has(intentId)) this.violated('S1', `${intentId} is sent a second time`);
    this.#sent.add(intentId);
    if (intent === undefined) return intentId;
    const ageMs = at.ownMs - intent.ts;
    if (ageMs > TTL_MS) this.violated('S3', `${intentId} leaves ${ageMs} ms after its decision`);
    checkWire(body, (what) => this.violated('F4', `${intentId}: ${what}`));
    const closed = process.closedBecause();
    const isKilled = this.#isKilled || process.engine?.executor.killed === true;
    if (intent.reduceOnly) {
      if (closed !== null) this.#rare.mark('reduction while a gate is closed');
      if (isKilled) this.#rare.mark('reduction while killed');
      return intentId;
    }
    if (isKilled) this.violated('K1', `${intentId} leaves after the kill`);
    if (closed !== null) this.violated('R3', `${intentId} leaves while ${closed}`);
    const doubt = this.#tops.doubt(process.top, at.trueMs);
    if (doubt !== null) this.violated('D1', `${intentId} leaves by a book that ${doubt}`);
    return intentId;
  }

  /** After every instant: what the market is now. */
  watchMarket(nowMs: number): void {
    this.#tops.see(this.#venue.top, nowMs);
  }

  /** What the exchange does from now on is of this intent, or of nobody's. */
  arriving(intentId: string | null): void {
    if (intentId === null) this.look();
    this.#arriving = intentId;
  }

  /** After every instant, and after each request: what is new at the exchange. */
  look(): void {
    const { orders, trades } = this.#venue.truth;
    if (this.#ordersSeen === orders.length && this.#tradesSeen === trades.length) return;
    for (; this.#ordersSeen < orders.length; this.#ordersSeen++) {
      const record = orders[this.#ordersSeen];
      if (record !== undefined && !this.#venue.human.has(record.orderId)) this.#onArrival(record);
    }
    for (; this.#tradesSeen < trades.length; this.#tradesSeen++) {
      const trade = trades[this.#tradesSeen];
      if (trade !== undefined && !this.#venue.human.has(trade.orderId)) this.#onTrade(trade);
    }
    this.#checkPositions();
    if (this.#venue.truth.active.size - this.#venue.human.size > OPEN_ORDERS_MAX * TRADING_TAGS.length)
      this.violated('R2', `${this.#venue.truth.active.size} orders rest`);
  }

  #onArrival({ orderId, order }: OrderRecord): void {
    const intentId = this.#arriving;
    if (intentId === null) {
      this.violated('J1', `${orderId} arrived and nobody sent it`);
      return;
    }
    const told = intentIdOf(order.clientOrderId);
    if (told !== undefined && told !== intentId)
      this.violated('S2', `${orderId} of ${intentId} bears the id of ${told}`);
    if (this.#arrived.has(intentId)) this.violated('S1', `${intentId} is twice at the exchange`);
    if (this.#neverArrived.has(intentId)) this.violated('S4', `${intentId} arrived after it was proved absent`);
    this.#arrived.add(intentId);
    this.#intentOf.set(orderId, intentId);
  }

  #onTrade(trade: VenueFill): void {
    const met = this.#selfTrades.next(trade);
    if (met !== null) this.violated('R6', met);
    const strategy = this.#strategyOf(trade.orderId);
    this.#positions.set(strategy, (this.#positions.get(strategy) ?? ZERO).plus(signedOf(trade)));
  }

  #strategyOf(orderId: string): string {
    const intentId = this.#intentOf.get(orderId);
    return (intentId === undefined ? undefined : this.#intents.get(intentId)?.strategy) ?? 'nobody';
  }

  /** Worst case of what is true and what rests of each strategy, at the exchange (INV-R1). */
  #checkPositions(): void {
    for (const strategy of TRADING_TAGS) {
      let buys = this.#positions.get(strategy) ?? ZERO;
      let sells = buys.neg();
      for (const { orderId, order, leftLots, market } of this.#venue.truth.active.values()) {
        if (this.#strategyOf(orderId) !== strategy) continue;
        const left = market.instrument.exactQuantity(leftLots);
        if (order.side === 'buy') buys = buys.plus(left);
        else sells = sells.plus(left);
      }
      const worst = Decimal.max(buys, sells);
      if (worst.gt(POSITION_MAX)) this.violated('R1', `the position of ${strategy} can become ${worst.toFixed()}`);
    }
  }

  #onNeverArrived(intentId: string): void {
    this.#neverArrived.add(intentId);
    if (this.#arrived.has(intentId))
      this.violated('S4', `${intentId} is concluded to be absent and is at the exchange`);
  }

  #onFill(tradeId: string): void {
    if (this.#tradeIds.has(tradeId)) this.violated('F1', `trade ${tradeId} is booked twice`);
    this.#tradeIds.add(tradeId);
    if (!this.#venue.truth.trades.some((trade) => trade.tradeId === tradeId)) {
      this.violated('F1', `trade ${tradeId} is booked and the exchange does not know it`);
    }
  }
}

/** What the two sides do not agree about now; empty when they do. */
export function disagreements(
  venue: VenueSide,
  process: Process | null,
  rows: readonly JournalRow[],
): readonly string[] {
  const executor = process?.engine?.executor;
  if (executor === undefined) return ['the process does not run'];
  const problems: string[] = [];
  const { orders, trades, active } = venue.truth;
  const owners = ownersOf(rows);
  const perIntent = new Map<string, string>();
  for (const { orderId, order } of orders) {
    if (venue.human.has(orderId)) continue;
    const intentId = intentIdOf(order.clientOrderId) ?? owners.get(orderId);
    if (intentId === undefined) problems.push(`order ${orderId} at the exchange belongs to no intent`);
    else if (perIntent.has(intentId)) problems.push(`intent ${intentId} is twice at the exchange`);
    else perIntent.set(intentId, orderId);
  }
  const booked = new Set(rows.flatMap(({ entry }) => (entry.kind === 'fill' ? [entry.fill.tradeId] : [])));
  const real = trades.filter(({ orderId }) => !venue.human.has(orderId));
  for (const { tradeId } of real) if (!booked.has(tradeId)) problems.push(`trade ${tradeId} is not booked`);
  if (booked.size > real.length) problems.push('a fill is booked that the exchange does not know');
  const local = TRADING_TAGS.flatMap((tag) =>
    executor
      .account(tag)
      .openOrders(SYMBOL)
      .map(({ orderId, ref }) => orderId ?? ref),
  ).toSorted();
  const there = [...active.keys()].filter((orderId) => !venue.human.has(orderId)).toSorted();
  if (local.join() !== there.join()) problems.push(`open here ${local.join()}; open there ${there.join()}`);
  let position = ZERO;
  for (const tag of TRADING_TAGS) position = position.plus(executor.account(tag).position(SYMBOL).quantity);
  if (!position.eq(positionOf(real)))
    problems.push(`position ${position.toFixed()}, truly ${positionOf(real).toFixed()}`);
  for (const currency of ['USDT', 'BTC']) {
    const told = executor.account('quoter').balance(currency).total;
    if (!dec(told).eq(venue.total(currency))) problems.push(`${currency} ${told}, truly ${venue.total(currency)}`);
  }
  problems.push(...unexplained(rows, venue), ...othersNotBooked(rows, venue));
  if (executor.killed && there.length > 0) problems.push(`killed, and ${there.join()} rest`);
  const unresolved = executor.unresolvedCount();
  if (unresolved > 0) problems.push(`${unresolved} unresolved`);
  const closed = process?.closedBecause() ?? null;
  if (closed !== null) problems.push(`gate: ${closed}`);
  return problems;
}

/** The journal alone rebuilds what is live (INV-J2). */
export function replayDiffers(process: Process | null, rows: readonly JournalRow[]): boolean {
  const executor = process?.engine?.executor;
  return executor !== undefined && stateHash(replayRows(rows).state) !== executor.stateHash();
}

/** Opening, own fills and labelled adjustments are the balance, to the last unit (INV-F3). */
function unexplained(rows: readonly JournalRow[], venue: VenueSide): readonly string[] {
  const sums = new Map<string, Decimal>();
  const opened = new Set<string>();
  const add = (currency: string, amount: Decimal): void =>
    void sums.set(currency, (sums.get(currency) ?? ZERO).plus(amount));
  for (const { entry } of rows) {
    if (entry.kind === 'adjustment' && entry.subject === 'balance') {
      if (entry.cause === 'opening') opened.add(entry.name);
      add(entry.name, dec(entry.quantity));
    } else if (entry.kind === 'fill') {
      const { side, quantity, price, fee, feeCurrency } = entry.fill;
      const sign = side === 'buy' ? 1 : -1;
      add('BTC', dec(quantity).times(sign));
      add('USDT', dec(quantity).times(price).times(-sign));
      add(feeCurrency, dec(fee).neg());
    }
  }
  return [...opened].flatMap((currency) => {
    const residual = dec(venue.total(currency)).minus(sums.get(currency) ?? ZERO);
    return residual.abs().lte(TOLERANCE) ? [] : [`${currency}: ${residual.toFixed()} is not explained by the journal`];
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

interface OwnTrade {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
}

function signedOf({ side, quantity, fee, feeCurrency }: OwnTrade): Decimal {
  const moved = side === 'buy' ? dec(quantity) : dec(quantity).neg();
  return feeCurrency === 'BTC' ? moved.minus(fee) : moved;
}

function positionOf(trades: readonly OwnTrade[]): Decimal {
  return trades.reduce((position, trade) => position.plus(signedOf(trade)), ZERO);
}
