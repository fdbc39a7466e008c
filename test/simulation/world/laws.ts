/**
 * What must hold at every step, judged from the exchange's own books and the journal at the border (reliability §3.1).
 * `agreement.ts` compares both sides as a whole, for the liveness phase. Each violation names its law.
 */
import { intentIdOf, sessionOfIntent } from '../../../src/spine/intent-id.ts';
import type { CreateIntentEntry, JournalEntry, JournalRow } from '../../../src/model/entries/journal.ts';
import { LIQUIDATION } from '../../../src/clearing/perpetual/liquidation.ts';
import type { OrderRecord } from '../../../src/sandbox/core/orders/order-record.ts';
import { AccountLaw } from './account-law.ts';
import { FirstFillsLaw } from './first-fills-law.ts';
import { FuturesLaws, PERPETUAL_TAGS, type Owner } from './futures/laws.ts';
import { PERPETUAL } from './futures/terms.ts';
import { JournalLaws } from './journal-laws.ts';
import { openNotional } from './notional-law.ts';
import { OPEN_NOTIONAL_MAX, OPEN_ORDERS_MAX, POSITION_MAX, type Process } from './process.ts';
import type { RareStates } from './rare-states.ts';
import { SYMBOL } from './restless.ts';
import { SelfTradeLaw } from './self-trade-law.ts';
import { SPOT_TAGS, SpotPositions } from './spot-positions.ts';
import { TopsSeen, type Top } from './tops-seen.ts';
import type { VenueFill } from '../../../src/model/trading/fill.ts';
import type { Decimal } from '../../../src/model/numbers/money.ts';
import type { VenueSide } from './venue-side.ts';
import { checkWire, crossesBook } from './wire-law.ts';

/** A create may be this old when it leaves: `intentTtlMs`, and what a sleep that nobody notices and a clock that drifts hide. */
const TTL_MS = 10_000 + 1500;
const ASKED_MAX = 16;
/** A request may wait for so long, in general, after the time as of which its answer will be. */
const QUEUED_MS = 5000;

/** The strategies that run. */
export function tagsOf({ futures }: VenueSide): readonly string[] {
  if (futures === null) return SPOT_TAGS;
  return futures.terms.isAlone ? PERPETUAL_TAGS : [...SPOT_TAGS, ...PERPETUAL_TAGS];
}

function isOpeningOf(entry: JournalEntry, currency: string): boolean {
  return entry.kind === 'adjustment' && entry.cause === 'opening' && entry.name === currency;
}

/** What is journalled together as it leaves. */
const LEAVING: ReadonlySet<JournalEntry['kind']> = new Set(['sending', 'money-sending', 'gate']);

const NOBODY: Owner = { strategy: 'nobody', reduceOnly: false };

interface Intent {
  /** True time. */
  readonly ts: number;
  readonly strategy: string;
  readonly reduceOnly: boolean;
  /** It passes the limits, and may leave in many orders. */
  readonly exits: boolean;
  readonly postOnly: boolean;
  /** Of its strategy and all that the exchange is told but an id. */
  readonly terms: string;
}

function termsOf({ strategy, order }: CreateIntentEntry): string {
  return JSON.stringify({ ...order, strategy, clientOrderId: undefined });
}

export class Laws {
  readonly violations: string[] = [];
  readonly #venue: VenueSide;
  readonly #rare: RareStates;
  #ledger: JournalLaws;
  #account = new AccountLaw((law, what) => this.violated(law, what));
  readonly #tops: TopsSeen;
  readonly #perpetualTops: TopsSeen;
  /** Null in a seed that trades spot alone. */
  futures: FuturesLaws | null;
  /** True Unix ms at which the process asked for its balances; the last ones. */
  readonly #balancesAsked: number[] = [];
  /** Adjustment → true Unix ms as of which it is an opening: it may be written later, where the machine slept meanwhile. */
  readonly openedAt = new Map<string, number>();
  readonly #intents = new Map<string, Intent>();
  readonly #sent = new Set<string>();
  readonly #neverArrived = new Set<string>();
  /** Creates that left and that the journal does not know any more, since it is an older one. */
  readonly #forgotten = new Set<string>();
  /** The session that runs, as its starts are named: nothing of an earlier one is its own. */
  session = '';
  /** Their orders are booked to others that never left, of the same terms and strategy. */
  readonly #underAnotherName = new Set<string>();
  readonly #tradeIds = new Set<string>();
  readonly #selfTrades: SelfTradeLaw;
  /** The intent of each order of ours at the exchange. */
  readonly #intentOf = new Map<string, string>();
  readonly #arrived = new Set<string>();
  readonly #positions: SpotPositions;
  #isKilled = false;
  /** Symbols that a human is to resume. */
  readonly halted = new Set<string>();
  readonly #paused = new Set<string>();
  readonly #firstFills: FirstFillsLaw;
  readonly #realTrades = new Set<string>();
  #tradesKnown = 0;
  #ordersSeen = 0;
  #tradesSeen = 0;
  #arriving: string | null = null;

  constructor(venue: VenueSide, rare: RareStates, paceMs: number) {
    this.#venue = venue;
    this.#ledger = new JournalLaws((law, what) => this.violated(law, what), venue.calledOver);
    this.#firstFills = new FirstFillsLaw(venue, rare, (law, what) => this.violated(law, what));
    this.#tops = new TopsSeen(paceMs);
    this.#perpetualTops = new TopsSeen(paceMs);
    this.#rare = rare;
    this.#watchMarket();
    venue.sandbox.onOperated = () => this.#watchMarket();
    this.#selfTrades = new SelfTradeLaw(
      (orderId) => venue.truth.orders.find((record) => record.orderId === orderId)?.order.type === 'limit',
    );
    this.#positions = new SpotPositions({
      venue,
      ownerOf: (orderId) => this.#ownerOf(orderId),
      decidedAt: (orderId) => this.#intents.get(this.#intentOf.get(orderId) ?? '')?.ts ?? 0,
      violated: (law, what) => this.violated(law, what),
    });
    this.futures =
      venue.futures === null
        ? null
        : new FuturesLaws({
            side: venue.futures,
            rare,
            positionMax: POSITION_MAX,
            isForced: (orderId) => venue.forced.has(orderId),
            exits: (intentId) => this.#account.exits(intentId),
            calledOver: venue.calledOver,
            violated: (law, what) => this.violated(law, what),
          });
  }

  /** By its journal, all that the strategy holds of the symbol could be taken off the account. */
  couldClose(strategy: string, symbol: string): boolean {
    return this.#account.couldClose(strategy, symbol);
  }

  violated(law: string, what: string): void {
    if (this.violations.length < 50) this.violations.push(`${law}: ${what}`);
  }

  /** The process asks for its balances. */
  asksBalances(nowMs: number): void {
    this.#balancesAsked.push(nowMs);
    if (this.#balancesAsked.length > ASKED_MAX) this.#balancesAsked.shift();
    this.#firstFills.asked('balances', nowMs);
  }

  asksPositions(nowMs: number): void {
    this.#firstFills.asked('positions', nowMs);
  }

  /**
   * The true time of a reading that the process believes to be so old. A machine that slept believes it younger than it is,
   * and one that was paused may have asked anew before it takes what it has read (seed 81697).
   */
  #askedAt(nowMs: number, oldMs: number): number {
    const asked = this.#balancesAsked;
    return asked.findLast((at) => at <= nowMs - oldMs + QUEUED_MS) ?? asked.at(-1) ?? 0;
  }

  /** Rows are durable: what they say is the process's word. `rowTs`: of its own clock. */
  onAppend(entries: readonly JournalEntry[], nowMs: number, rowTs: number): void {
    for (const entry of entries) {
      this.#ledger.entry(entry);
      this.#account.entry(entry);
      this.futures?.entry(entry);
      this.#firstFills.entry(entry, nowMs);
      if (entry.kind === 'adjustment' && entry.cause === 'opening')
        this.openedAt.set(entry.id, this.#askedAt(nowMs, rowTs - (entry.asOf ?? rowTs)));
      if (entry.kind === 'intent' && entry.command === 'create') {
        const { intentId, strategy, reduceOnly, postOnly, newRisk } = entry;
        const exits = reduceOnly && newRisk !== true;
        this.#intents.set(intentId, { ts: nowMs, strategy, reduceOnly, exits, postOnly, terms: termsOf(entry) });
      } else if (entry.kind === 'kill') this.#isKilled = entry.on;
      else if (entry.kind === 'halt') this.#halt(entry.symbol, entry.on);
      else if (entry.kind === 'pause') this.#pause(entry.strategy, entry.on);
      else if (entry.kind === 'closed' && entry.state === 'never_arrived') this.#onNeverArrived(entry.intentId);
      else if (entry.kind === 'fill' && entry.corrects !== true) this.#onFill(entry.fill.tradeId);
      else if (entry.kind === 'order') this.#claimed(entry.intentId, entry.report.orderId);
      if ('intentId' in entry && this.#forgotten.has(entry.intentId)) this.#remembered(entry.intentId);
    }
    const isContradicted = entries.some((entry) => entry.kind === 'alarm' && entry.code === 'fill_contradiction');
    if (isContradicted && this.halted.size === 0)
      this.violated('R3', 'a fill contradicts its order, and no symbol is halted');
  }

  #pause(strategy: string, isOn: boolean): void {
    if (isOn) this.#paused.add(strategy);
    else this.#paused.delete(strategy);
  }

  #halt(symbol: string, isOn: boolean): void {
    if (isOn) this.halted.add(symbol);
    else this.halted.delete(symbol);
  }

  /**
   * The journal is an older one from here on, of these rows: what it does not know is of others until it is taken over.
   * `marked`: it says so itself.
   */
  rewound(rows: readonly JournalRow[], mark: 'marked' | 'unmarked'): void {
    const entries = rows.map(({ entry }) => entry);
    // What was not sent by these rows may have been found since, under its name.
    const known = new Set(
      entries.flatMap((entry) => (entry.kind !== 'intent' && 'intentId' in entry ? [entry.intentId] : [])),
    );
    for (const intentId of this.#sent) if (!known.has(intentId)) this.#forgotten.add(intentId);
    for (const [orderId, intentId] of this.#intentOf)
      if (this.#forgotten.has(intentId)) this.#venue.forgotten.add(orderId);
    this.#ledger = this.#ledger.rewound(entries, mark === 'marked' ? new Set() : this.#forgotten);
    this.#account = this.#account.rewound(entries);
    this.#tradeIds.clear();
    this.#isKilled = false;
    this.halted.clear();
    this.#paused.clear();
    for (const entry of entries) {
      if (entry.kind === 'fill') this.#tradeIds.add(entry.fill.tradeId);
      else if (entry.kind === 'kill') this.#isKilled = entry.on;
      else if (entry.kind === 'halt') this.#halt(entry.symbol, entry.on);
      else if (entry.kind === 'pause') this.#pause(entry.strategy, entry.on);
      else if (entry.kind === 'order') this.#claimed(entry.intentId, entry.report.orderId);
    }
    this.#recount(entries);
  }

  /** Whose trades these are has changed. `entries`: of another journal, from here on. */
  #recount(entries?: readonly JournalEntry[]): void {
    const trades = this.#venue.truth.trades.slice(0, this.#tradesSeen);
    this.#positions.recount(trades);
    const ofPerpetual = trades.filter(({ market }) => market === 'derivative');
    this.futures = this.futures?.recounted(ofPerpetual, (orderId) => this.#traderOf(orderId), entries) ?? null;
  }

  /** Of this session, and the journal does not know it any more. */
  isLost(orderId: string): boolean {
    const intentId = this.#intentOf.get(orderId);
    return this.#venue.forgotten.has(orderId) && intentId !== undefined && sessionOfIntent(intentId) === this.session;
  }

  /** Of the intent that made the order, whatever the exchange shows; undefined for an order of others. */
  intentOf(orderId: string): string | undefined {
    return this.#intentOf.get(orderId);
  }

  /** An order that was forgotten is in the journal again: by the row that took it over, or by what was read of it. */
  #remembered(intentId: string): void {
    this.#forgotten.delete(intentId);
    for (const [orderId, intent] of this.#intentOf) if (intent === intentId) this.#venue.forgotten.delete(orderId);
    this.#rare.mark('forgotten order taken over');
    this.#recount();
  }

  /**
   * An order of rows that are gone is booked to an intent of the older journal, of the same strategy: where they have the same
   * terms and no ids are kept nothing tells which of the two it was (seed 50128). Where both are decisions of that journal, and
   * what said which of them left is gone, the other one is then called absent, and is in all but its name (seed 112468).
   */
  #claimed(intentId: string, orderId: string): void {
    const truly = this.#intentOf.get(orderId);
    if (truly === undefined || truly === intentId) return;
    if (!this.#venue.forgotten.has(orderId)) {
      this.#claimedForTwin(truly, intentId);
      return;
    }
    const record = this.#venue.truth.orders.find((order) => order.orderId === orderId);
    if (intentIdOf(record?.order.clientOrderId) !== undefined) return;
    if (this.#intents.get(truly)?.strategy !== this.#intents.get(intentId)?.strategy) return;
    if (!this.#arrived.has(intentId)) this.#underAnotherName.add(truly);
    this.#venue.forgotten.delete(orderId);
    this.#rare.mark('forgotten order taken over');
    this.#recount();
  }

  /** Where no client ids are kept nothing tells orders of one strategy with the same terms apart, and nothing depends on it. */
  #claimedForTwin(truly: string, intentId: string): void {
    if (this.#arrived.has(intentId)) return;
    if (this.#intents.get(truly)?.terms === this.#intents.get(intentId)?.terms) this.#underAnotherName.add(truly);
  }

  /** The bytes of a create are about to leave; answers its intent. */
  onCreate(rows: readonly JournalRow[], process: Process, nowMs: number, body: string): string | null {
    const intentId = this.#leaving(rows, body);
    if (intentId === null) {
      this.violated('J1', `a create leaves and the last row is ${rows.at(-1)?.entry.kind}`);
      return null;
    }
    const intent = this.#intents.get(intentId);
    if (intent === undefined) this.violated('J1', `${intentId} leaves without an intent`);
    if (this.#sent.has(intentId)) this.violated('S1', `${intentId} is sent a second time`);
    this.#sent.add(intentId);
    if (intent === undefined) return intentId;
    const ageMs = nowMs - intent.ts;
    if (ageMs > TTL_MS) this.violated('S3', `${intentId} leaves ${ageMs} ms after its decision`);
    checkWire(body, (what) => this.violated('F4', `${intentId}: ${what}`));
    const symbol = body.includes(`"${PERPETUAL}"`) ? PERPETUAL : SYMBOL;
    if (intent.postOnly && crossesBook(body, process.top(symbol)))
      this.violated('Q2', `${intentId} is post-only and leaves at a price at which it trades at once`);
    const closed = process.closedBecause(symbol);
    const isKilled = this.#isKilled || process.engine?.executor.killed === true;
    this.futures?.leaving(intentId, body, isKilled);
    if (this.#account.exits(intentId)) {
      if (closed !== null) this.#rare.mark('reduction while a gate is closed');
      if (process.hasOtherSteps) this.#rare.mark('reduction of another instrument');
      if (isKilled) this.#rare.mark('reduction while killed');
      return intentId;
    }
    if (intent.reduceOnly) this.#rare.mark('reduction that is new risk');
    if (isKilled) this.violated('K1', `${intentId} leaves after the kill`);
    if (this.#paused.has(intent.strategy)) this.violated('K4', `${intentId} leaves while ${intent.strategy} is paused`);
    if (symbol === SYMBOL && !rows.some(({ entry }) => isOpeningOf(entry, 'BTC')))
      this.violated('F3', `${intentId} leaves before an opening balance of BTC is journalled`);
    if (closed !== null) this.violated('R3', `${intentId} leaves while ${closed}`);
    if (this.halted.has(symbol)) this.violated('R3', `${intentId} leaves while ${symbol} is halted`);
    this.#firstFills.leaving(intentId, symbol);
    const doubt = this.bookDoubt(symbol, process.top(symbol), nowMs);
    if (doubt !== null) this.violated('D1', `${intentId} leaves by a book that ${doubt}`);
    return intentId;
  }

  /** Another process of the human closes what a strategy holds, of this session or of one before, whose orders are of others. */
  panicSends(intentId: string, strategy: string, nowMs: number, isOfThisSession: boolean): void {
    if (this.#sent.has(intentId)) this.violated('S1', `${intentId} is sent a second time`);
    this.#sent.add(intentId);
    if (!isOfThisSession) this.#forgotten.add(intentId);
    const closes = { reduceOnly: true, exits: true, postOnly: false } as const;
    this.#intents.set(intentId, { ts: nowMs, strategy, terms: intentId, ...closes });
  }

  /** What each spot strategy truly holds, base units. */
  get spotHeld(): ReadonlyMap<string, Decimal> {
    return this.#positions.held;
  }

  /**
   * Of the last commit, in which all that leaves together has its row: by its id, or where it bears none in the order of the rows.
   * A gate that holds back one of several is journalled beside them.
   */
  #leaving(rows: readonly JournalRow[], body: string): string | null {
    const from = rows.findLastIndex(({ entry }) => !LEAVING.has(entry.kind)) + 1;
    const together = rows.slice(from).flatMap(({ entry }) => (entry.kind === 'sending' ? [entry.intentId] : []));
    const named = intentIdOf(/"clientOrderId":"([^"]+)"/.exec(body)?.[1]);
    if (named !== undefined) return together.includes(named) ? named : null;
    const creates = together.filter((intentId) => this.#intents.has(intentId));
    return creates.find((intentId) => !this.#sent.has(intentId)) ?? creates.at(-1) ?? null;
  }

  /** Why a decision must not rest on a book with these best prices, in ticks (INV-D1); null when it may. */
  bookDoubt(symbol: string, top: Top | undefined, nowMs: number): string | null {
    return (symbol === SYMBOL ? this.#tops : this.#perpetualTops).doubt(top, nowMs);
  }

  /** After every operation of the exchange: what the market is now. Of two in one instant a process sees both books. */
  #watchMarket(): void {
    const nowMs = this.#venue.sandbox.now();
    this.#tops.see(this.#venue.top, nowMs);
    if (this.#venue.futures !== null) this.#perpetualTops.see(this.#venue.futures.top, nowMs);
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
      if (trade !== undefined) this.#onTrade(trade);
    }
    this.#positions.check();
    this.#checkNotional();
    const { active } = this.#venue.truth;
    this.futures?.look(active.values(), (orderId) => this.#ownerOf(orderId), this.#venue.sandbox.now());
    const isExit = (orderId: string): boolean => this.#intents.get(this.#intentOf.get(orderId) ?? '')?.exits === true;
    const ours = [...active.keys()].filter((orderId) => !this.#venue.isOthers(orderId) && !isExit(orderId));
    this.#atMost(
      OPEN_ORDERS_MAX * tagsOf(this.#venue).length,
      ours.length,
      ours.filter(this.#isKnown).length,
      'orders',
    );
  }

  #checkNotional(): void {
    const { active } = this.#venue.truth;
    const counts = (orderId: string): boolean => !this.#venue.isOthers(orderId) && !this.#ownerOf(orderId).reduceOnly;
    const all = openNotional(active.values(), counts).toNumber();
    const known = openNotional(active.values(), (orderId) => counts(orderId) && this.#isKnown(orderId)).toNumber();
    this.#atMost(OPEN_NOTIONAL_MAX, all, known, 'of notional');
  }

  /** Not one that the exchange called over: what those gave free may be used once. */
  readonly #isKnown = (orderId: string): boolean => !this.#venue.calledOver.has(orderId);

  #atMost(most: number, all: number, known: number, what: string): void {
    if (known > most || all > 2 * most) this.violated('R2', `${all} ${what} rest, ${known} that are not called over`);
  }

  #onArrival({ orderId, order, market, status, reason }: OrderRecord): void {
    if (market.instrument.market === 'derivative' && status === 'filled' && reason === LIQUIDATION) {
      this.#venue.forced.add(orderId);
      return;
    }
    const intentId = this.#arriving;
    if (intentId === null) {
      this.violated('J1', `${orderId} arrived and nobody sent it`);
      return;
    }
    const told = intentIdOf(order.clientOrderId);
    if (told === undefined && this.#venue.hasIds)
      this.violated('F4', `${orderId} of ${intentId} bears no id, and the exchange keeps them`);
    if (told !== undefined && told !== intentId)
      this.violated('S2', `${orderId} of ${intentId} bears the id of ${told}`);
    if (this.#arrived.has(intentId)) this.violated('S1', `${intentId} is twice at the exchange`);
    if (this.#neverArrived.has(intentId)) this.violated('S4', `${intentId} arrived after it was proved absent`);
    this.#arrived.add(intentId);
    this.#intentOf.set(orderId, intentId);
    if (this.#forgotten.has(intentId)) this.#venue.forgotten.add(orderId);
  }

  #onTrade(trade: VenueFill): void {
    const owner = this.#traderOf(trade.orderId);
    if (trade.market === 'derivative') this.futures?.trade(trade, owner, trade.ts);
    if (owner === null) return;
    const met = this.#selfTrades.next(trade);
    // One that the exchange falsely called over rests unseen until the lists contradict it.
    if (met !== null && !this.#venue.calledOver.has(trade.orderId)) this.violated('R6', met);
    if (trade.market === 'derivative') return;
    this.#positions.trade(trade, owner);
  }

  /** Null when it is not of ours, by the journal. */
  #traderOf(orderId: string): Owner | null {
    return this.#venue.isOthers(orderId) ? null : this.#ownerOf(orderId);
  }

  #ownerOf(orderId: string): Owner {
    const intentId = this.#intentOf.get(orderId);
    return (intentId === undefined ? undefined : this.#intents.get(intentId)) ?? NOBODY;
  }

  #onNeverArrived(intentId: string): void {
    this.#neverArrived.add(intentId);
    if (this.#arrived.has(intentId) && !this.#underAnotherName.has(intentId) && !this.#isTwin(intentId))
      this.violated('S4', `${intentId} is concluded to be absent and is at the exchange`);
  }

  /** Parts of an exit without client ids: any of those that were sent with its terms may be the one that never arrived. */
  #isTwin(intentId: string): boolean {
    const { terms, exits } = this.#intents.get(intentId) ?? {};
    if (this.#venue.hasIds || exits !== true) return false;
    const twins = [...this.#intents].flatMap(([id, intent]) =>
      intent.terms === terms && this.#sent.has(id) ? [id] : [],
    );
    const arrived = twins.filter((id) => this.#arrived.has(id)).length;
    return arrived <= twins.filter((id) => !this.#neverArrived.has(id)).length;
  }

  #onFill(tradeId: string): void {
    if (this.#tradeIds.has(tradeId)) this.violated('F1', `trade ${tradeId} is booked twice`);
    this.#tradeIds.add(tradeId);
    if (!this.#isReal(tradeId)) this.violated('F1', `trade ${tradeId} is booked and the exchange does not know it`);
  }

  /** Whether the exchange knows a trade on the account, ours or another's. */
  #isReal(tradeId: string): boolean {
    const { trades } = this.#venue.truth;
    for (; this.#tradesKnown < trades.length; this.#tradesKnown++)
      this.#realTrades.add(trades[this.#tradesKnown]?.tradeId ?? '');
    return this.#realTrades.has(tradeId);
  }
}
