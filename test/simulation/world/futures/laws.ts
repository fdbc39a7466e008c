/**
 * What must hold of a perpetual, judged like `laws.ts` from the books of the exchange and from the journal:
 *
 *   F1   a liquidation and a payment of funding are booked once, whole, and none is invented
 *   F3   Σ own fills and liquidations is the position of a strategy; with what others did it is the account's, per side
 *   F4   what leaves is what was decided: side, position side, quantity, price, reduce-only
 *   R1   worst position of each strategy and side
 *   R3   nothing new where what the journal holds is not confirmed since the start (`confirmed-law.ts`)
 *   R4   an order that may only reduce is decided within the position as the journal has it, and says so to the exchange
 *   M10  a position mode that was changed is told, and shuts new risk (`settings-law.ts`)
 *   O39  no new risk where a position was liquidated, until the next start
 *   M1   after the faults no more margin is believed to be free than there is
 */
import { isRecord } from '../../../../src/exchange/wire/decoded.ts';
import type { VenueFill } from '../../../../src/model/trading/fill.ts';
import type { CreateIntentEntry, JournalEntry } from '../../../../src/model/entries/journal.ts';
import { dec, type Decimal, ZERO, smaller, greater } from '../../../../src/model/numbers/money.ts';
import type { PositionSide } from '../../../../src/model/trading/order.ts';
import { LIQUIDATION } from '../../../../src/clearing/perpetual/liquidation.ts';
import type { OrderRecord } from '../../../../src/sandbox/core/orders/order-record.ts';
import type { Process } from '../process.ts';
import type { RareStates } from '../rare-states.ts';
import { ConfirmedLaw } from './confirmed-law.ts';
import type { PerpetualSide } from './perpetual-side.ts';
import { SettingsLaw } from './settings-law.ts';
import { nameOf, PERPETUAL } from './terms.ts';

export const PERPETUAL_TAGS = ['perp-quoter', 'perp-restless'] as const;

/** After a liquidation orders that were decided before it was known may still arrive. */
const DISTURBED_MS = 120_000;

export interface FuturesLawsDeps {
  readonly side: PerpetualSide;
  readonly rare: Pick<RareStates, 'mark'>;
  readonly positionMax: number;
  /** The exchange closed a position by this order. */
  readonly isForced: (orderId: string) => boolean;
  /** By the journal it takes something off the account, whatever works beside it. */
  readonly exits: (intentId: string) => boolean;
  /** Orders that the exchange falsely called over: their room may be given away. */
  readonly calledOver: ReadonlySet<string>;
  readonly violated: (law: string, what: string) => void;
}

/** Whose an order is. */
export interface Owner {
  readonly strategy: string;
  readonly reduceOnly: boolean;
}

export class FuturesLaws {
  readonly #given: FuturesLawsDeps;
  readonly #deps: FuturesLawsDeps;
  /** What is read now was judged when it happened. */
  #isPast = false;
  /** `strategy/side` → Σ own fills at the exchange less liquidations as they are booked. */
  readonly #positions = new Map<string, Decimal>();
  /** The same by the journal alone. */
  readonly #booked = new Map<string, Decimal>();
  /** Name → what the journal says that the account holds. */
  readonly #known = new Map<string, Decimal>();
  readonly #fundings = new Map<string, Decimal>();
  readonly #parts = new Set<string>();
  readonly #liquidated = new Map<string, Decimal>();
  /** What was liquidated had several holders. */
  wasShared = false;
  /** Orders of liquidations of which a human is to say whose they were. */
  readonly #open = new Set<string>();
  /** Orders of those of which one has. */
  readonly #said = new Set<string>();
  readonly #forced = new Map<string, VenueFill>();
  /** By trade id of a liquidation: what each strategy had by then, less what older liquidations took that were booked since. */
  readonly #heldThen = new Map<string, Map<string, Decimal>>();
  readonly #intents = new Map<string, CreateIntentEntry>();
  readonly #settings: SettingsLaw;
  readonly #confirmed = new ConfirmedLaw(this.#known);
  /** What orders that were taken over brought beyond the limit, by `strategy/side`; it may only shrink. Null: not looked at yet. */
  readonly #excess = new Map<string, Decimal | null>();
  readonly #entries: JournalEntry[] = [];
  #newFundings: string[] = [];
  /** Payments from before anything of ours had ever run: whoever starts takes them over with the balance. */
  #earlierFundings: ReadonlySet<string> | undefined;
  #disturbedUntil = 0;
  #isHalted = false;

  constructor(deps: FuturesLawsDeps) {
    this.#given = deps;
    this.#deps = {
      ...deps,
      rare: {
        mark: (name) => {
          if (!this.#isPast) deps.rare.mark(name);
        },
      },
      violated: (law, what) => {
        if (!this.#isPast) deps.violated(law, what);
      },
    };
    this.#settings = new SettingsLaw({ ...this.#deps, now: () => deps.side.now });
  }

  /**
   * Whose the trades of the perpetual are has changed: an older journal does not know some, or has taken some over.
   * `entries`: the rows that hold from here on; left out where they are the same.
   */
  recounted(
    trades: readonly VenueFill[],
    ownerOf: (orderId: string) => Owner | null,
    entries: readonly JournalEntry[] = this.#entries,
  ): FuturesLaws {
    const laws = new FuturesLaws(this.#given);
    laws.#isPast = true;
    for (const trade of trades) laws.trade(trade, ownerOf(trade.orderId), trade.ts);
    if (entries.some(isStart)) laws.#earlierFundings = this.#earlierFundings;
    for (const entry of entries) laws.entry(entry);
    laws.#newFundings = [];
    laws.#isPast = false;
    for (const strategy of PERPETUAL_TAGS)
      for (const side of this.#deps.side.sides) laws.#excess.set(keyOf(strategy, side), null);
    return laws;
  }

  entry(entry: JournalEntry): void {
    this.#entries.push(entry);
    this.#settings.entry(entry);
    this.#entered(entry);
    this.#confirmed.entry(entry);
  }

  /** A line of the trace: what a process reads. */
  read(line: string): void {
    this.#confirmed.read(line);
  }

  #entered(entry: JournalEntry): void {
    if (isStart(entry)) {
      this.#isHalted = false;
      this.#earlierFundings ??= new Set(this.#deps.side.payments.keys());
    } else if (entry.kind === 'intent' && entry.command === 'create') this.#intent(entry);
    else if (entry.kind === 'fill' && entry.fill.market === 'derivative')
      this.#move(this.#intents.get(entry.intentId)?.strategy ?? '', entry.fill);
    else if (entry.kind === 'liquidation') this.#liquidation(entry.strategy, entry.fill);
    else if (entry.kind === 'undivided') this.#undivided(entry);
    else if (entry.kind === 'divided') {
      this.#open.delete(entry.orderId);
      this.#said.add(entry.orderId);
      this.#deps.rare.mark('liquidation divided by a human');
    } else if (entry.kind === 'funding') this.#funding(entry);
    else if (entry.kind === 'adjustment' && entry.subject === 'position') {
      this.#add(this.#known, entry.name, dec(entry.quantity));
      this.#ofOthers(entry);
      if (entry.cause === 'trade of others') this.#deps.rare.mark('trade by hand in a perpetual booked');
    } else if (entry.kind === 'order' && entry.report.status === 'canceled' && entry.report.reason === LIQUIDATION)
      this.#deps.rare.mark('orders cancelled by a liquidation');
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'refused' && this.#intents.has(entry.intentId)) {
      if (entry.outcome.code === 'reduce_only_violation') this.#deps.rare.mark('reduce-only refused by the exchange');
    }
  }

  /** The bytes of a create are about to leave. */
  leaving(intentId: string, body: string, isKilled: boolean): void {
    const { violated, rare } = this.#deps;
    const intent = this.#intents.get(intentId);
    if (intent === undefined) return;
    this.#settings.leaving(intent);
    const json: unknown = JSON.parse(body);
    for (const field of ['symbol', 'side', 'type', 'quantity', 'price', 'positionSide', 'reduceOnly'] as const) {
      const decided = intent.order[field] ?? undefined;
      const told = isRecord(json) ? (json[field] ?? undefined) : undefined;
      if (told !== decided)
        violated('F4', `${intentId} leaves with ${field} ${JSON.stringify(told)}, not ${JSON.stringify(decided)}`);
    }
    if (intent.origin === 'flatten' && isKilled) rare.mark('flattened while killed');
    for (const name of intent.reduceOnly ? [] : this.#confirmed.doubted)
      violated('R3', `${intentId} takes new risk, and nothing has confirmed ${name} since the start`);
    if (this.#open.size > 0 && !intent.reduceOnly)
      violated('O39', `${intentId} takes new risk, and nobody has said whose a liquidation was`);
    if (this.#isHalted && !intent.reduceOnly)
      violated('O39', `${intentId} takes new risk where a position was liquidated`);
    const held = this.#positions.get(keyOf(intent.strategy, sideOf(intent.order))) ?? ZERO;
    const isAgainst = intent.order.side === 'sell' ? held.gt(0) : held.lt(0);
    if (isAgainst && held.abs().lt(intent.order.quantity)) rare.mark('flip in flight');
  }

  /** A trade of the account in the perpetual; `owner`: null when it is not of an order of ours. */
  trade(trade: VenueFill, owner: Owner | null, now: number): void {
    const { isForced, rare, side } = this.#deps;
    if (isForced(trade.orderId)) {
      this.#forced.set(trade.tradeId, trade);
      this.#heldThen.set(trade.tradeId, new Map(this.#positions));
      const holders = PERPETUAL_TAGS.filter(
        (tag) => this.#positions.get(keyOf(tag, sideOf(trade)))?.isZero() === false,
      );
      this.wasShared ||= holders.length > 1;
      this.#disturbedUntil = now + DISTURBED_MS;
      rare.mark(`liquidation of ${side.terms.marginType === 'isolated' ? 'an isolated' : 'a cross'} position`);
      if (dec(side.available).lt('0.01')) rare.mark('margin lost to the last');
    } else if (owner === null) {
      if (side.held(sideOf(trade)).isZero()) rare.mark('position closed by hand');
    } else this.#ownTrade(trade, owner);
    if (!side.held('long').isZero() && !side.held('short').isZero()) rare.mark('both sides of a hedge open');
  }

  /** Whatever was written since is whole now; worst cases of what is true and what rests. */
  look(active: Iterable<OrderRecord>, ownerOf: (orderId: string) => Owner | null, now: number): void {
    this.#checkFundings();
    if (now < this.#disturbedUntil) return;
    const { calledOver } = this.#deps;
    const resting = [...active].filter(
      ({ orderId, market }) => market.instrument.symbol === PERPETUAL && !calledOver.has(orderId),
    );
    for (const strategy of PERPETUAL_TAGS) {
      for (const side of this.#deps.side.sides) {
        let buys = this.#positions.get(keyOf(strategy, side)) ?? ZERO;
        let sells = buys.neg();
        for (const { orderId, order, leftLots, market } of resting) {
          if (sideOf(order) !== side || ownerOf(orderId)?.strategy !== strategy) continue;
          const left = market.instrument.exactQuantity(leftLots);
          if (order.side === 'buy') buys = buys.plus(left);
          else sells = sells.plus(left);
        }
        const worst = greater(buys, sells);
        if (worst.gt(this.#excessOf(keyOf(strategy, side), worst)) && worst.gt(this.#deps.positionMax))
          this.#deps.violated('R1', `the position of ${strategy} in ${side} can become ${worst.toFixed()}`);
      }
    }
  }

  #excessOf(key: string, worst: Decimal): Decimal {
    const before = this.#excess.get(key);
    if (before === undefined) return ZERO;
    const excess = before === null ? worst : smaller(before, worst);
    this.#excess.set(key, excess);
    return before === null ? worst : before;
  }

  /** What each strategy truly holds of a side. */
  holdings(side: PositionSide): readonly Decimal[] {
    return PERPETUAL_TAGS.map((strategy) => this.#positions.get(keyOf(strategy, side)) ?? ZERO);
  }

  /** What the two sides do not agree about now; `isShared`: also of which strategy is what. */
  disagreements(process: Process, isShared: boolean): readonly string[] {
    const executor = process.engine?.executor;
    if (executor === undefined) return [];
    this.#settings.end();
    const { side } = this.#deps;
    const problems: string[] = [];
    for (const one of side.sides) {
      let sum = ZERO;
      for (const strategy of PERPETUAL_TAGS) {
        const told = dec(executor.account(strategy).position(PERPETUAL, one).quantity);
        const truly = this.#positions.get(keyOf(strategy, one)) ?? ZERO;
        if (isShared && !told.eq(truly))
          problems.push(`${strategy} holds ${told.toFixed()} in ${one}, truly ${truly.toFixed()}`);
        sum = sum.plus(told);
      }
      const known = this.#known.get(nameOf(one)) ?? ZERO;
      const held = side.held(one);
      if (!known.eq(held))
        problems.push(
          `the journal explains ${known.toFixed()} in ${one}, strategies ${sum.toFixed()}, held are ${held.toFixed()}`,
        );
    }
    for (const [id, amount] of side.payments) {
      const booked = this.#fundings.get(id);
      if (booked === undefined && this.#earlierFundings?.has(id) === true) continue;
      if (booked === undefined || !booked.eq(amount))
        problems.push(`funding ${id} of ${amount.toFixed()} is booked as ${booked?.toFixed() ?? 'nothing'}`);
    }
    const free = executor.account('perp-quoter').balance('USDT').available;
    if (!dec(free).eq(side.available)) problems.push(`${free} USDT are believed to be free, truly ${side.available}`);
    return problems;
  }

  #intent(entry: CreateIntentEntry): void {
    const { order } = entry;
    if (order.symbol !== PERPETUAL) return;
    this.#intents.set(entry.intentId, entry);
    // One that was taken over was decided by rows that are gone.
    if (!entry.reduceOnly || entry.adoptedFrom !== undefined) return;
    const own = this.#booked.get(keyOf(entry.strategy, sideOf(order))) ?? ZERO;
    if ((order.side === 'sell' ? own : own.neg()).lt(order.quantity))
      this.#deps.violated(
        'R4',
        `${entry.intentId} may only reduce ${own.toFixed()} and would ${order.side} ${order.quantity}`,
      );
    if (order.reduceOnly === true) return;
    this.#deps.rare.mark('reduction that the account does not see');
    if (this.#deps.exits(entry.intentId))
      this.#deps.violated('R4', `${entry.intentId} reduces the account and does not say so`);
  }

  #ownTrade(trade: VenueFill, { strategy }: Owner): void {
    const key = keyOf(strategy, sideOf(trade));
    const before = this.#positions.get(key) ?? ZERO;
    this.#positions.set(key, before.plus(signedOf(trade)));
    if (this.#deps.calledOver.has(trade.orderId)) this.#excess.set(key, null);
  }

  #liquidation(strategy: string, fill: VenueFill): void {
    const { rare, violated } = this.#deps;
    const part = `${fill.tradeId} ${strategy} ${sideOf(fill)}`;
    if (this.#parts.has(part)) violated('F1', `liquidation ${part} is booked twice`);
    this.#parts.add(part);
    const key = keyOf(strategy, sideOf(fill));
    const own = this.#booked.get(key) ?? ZERO;
    const then = this.#heldThen.get(fill.tradeId)?.get(key) ?? ZERO;
    // One that was known late is of those who held it then, whatever they have traded since.
    const isSaid = this.#said.has(fill.orderId);
    if (!isSaid && [own, then].every((held) => (fill.side === 'sell' ? held : held.neg()).lt(fill.quantity)))
      violated('F1', `liquidation ${part} over ${fill.quantity} is booked to who holds ${own.toFixed()}`);
    const forced = this.#forced.get(fill.tradeId);
    if (forced === undefined) violated('F1', `liquidation ${part} is booked and the exchange does not know it`);
    this.#add(this.#liquidated, fill.tradeId, dec(fill.quantity));
    const taken = this.#liquidated.get(fill.tradeId) ?? ZERO;
    if (forced !== undefined && taken.gt(forced.quantity))
      violated('F1', `${taken.toFixed()} of liquidation ${fill.tradeId} over ${forced.quantity} are booked`);
    if (forced !== undefined && (forced.side !== fill.side || sideOf(forced) !== sideOf(fill)))
      violated('F1', `liquidation ${part} is booked ${fill.side}, it was ${forced.side} ${sideOf(forced)}`);
    rare.mark('liquidation booked');
    this.#isHalted = true;
    this.#move(strategy, fill);
    this.#add(this.#positions, key, signedOf(fill));
    for (const [tradeId, held] of this.#heldThen)
      if (BigInt(tradeId) >= BigInt(fill.tradeId)) this.#add(held, key, signedOf(fill));
  }

  /** It waits for the word of a human; the account bears it whole. */
  #undivided({ fill }: Extract<JournalEntry, { kind: 'undivided' }>): void {
    const { rare, violated } = this.#deps;
    const forced = this.#forced.get(fill.tradeId);
    if (forced === undefined)
      violated('F1', `liquidation ${fill.tradeId} is left open and the exchange does not know it`);
    if (this.#liquidated.has(fill.tradeId)) violated('F1', `liquidation ${fill.tradeId} is left open, and is booked`);
    if (forced !== undefined && (forced.side !== fill.side || forced.quantity !== fill.quantity))
      violated(
        'F1',
        `liquidation ${fill.tradeId} is left open ${fill.side} ${fill.quantity}, it was ${forced.side} ${forced.quantity}`,
      );
    this.#open.add(fill.orderId);
    rare.mark('liquidation of what was not ours alone');
  }

  /** What the exchange closed is of those who held it. */
  #ofOthers({ id, name, cause, quantity }: Extract<JournalEntry, { kind: 'adjustment' }>): void {
    const { violated, side } = this.#deps;
    const [, , tradeId = ''] = id.split('/');
    if (cause === 'trade of others' && this.#forced.has(tradeId))
      violated('F1', `liquidation ${tradeId} is booked as a trade of others`);
    if (cause !== 'liquidation of others') return;
    for (const one of side.sides) {
      if (nameOf(one) !== name) continue;
      for (const strategy of PERPETUAL_TAGS) {
        const left = this.#booked.get(keyOf(strategy, one)) ?? ZERO;
        const then = this.#heldThen.get(tradeId)?.get(keyOf(strategy, one)) ?? ZERO;
        if ([left, then].every((held) => (quantity.startsWith('-') ? held.gt(0) : held.lt(0))))
          violated('F1', `${strategy} holds ${left.toFixed()}, and liquidation ${tradeId} is booked as of others`);
      }
    }
  }

  #funding({ id, amount, strategy }: Extract<JournalEntry, { kind: 'funding' }>): void {
    const { rare } = this.#deps;
    rare.mark('funding booked');
    if (!amount.startsWith('-')) rare.mark('funding received');
    if (strategy !== null && this.#newFundings.includes(id)) rare.mark('funding shared by strategies');
    this.#add(this.#fundings, id, dec(amount));
    this.#newFundings.push(id);
  }

  #checkFundings(): void {
    if (this.#newFundings.length === 0) return;
    const { payments } = this.#deps.side;
    for (const id of this.#newFundings) {
      const booked = this.#fundings.get(id) ?? ZERO;
      if (payments.get(id)?.eq(booked) !== true)
        this.#deps.violated(
          'F1',
          `funding ${id} is booked as ${booked.toFixed()}, paid was ${payments.get(id)?.toFixed() ?? 'nothing'}`,
        );
    }
    this.#newFundings = [];
  }

  #move(strategy: string, fill: VenueFill): void {
    this.#add(this.#booked, keyOf(strategy, sideOf(fill)), signedOf(fill));
    this.#add(this.#known, nameOf(sideOf(fill)), signedOf(fill));
  }

  #add(sums: Map<string, Decimal>, key: string, amount: Decimal): void {
    sums.set(key, (sums.get(key) ?? ZERO).plus(amount));
  }
}

function isStart(entry: JournalEntry): boolean {
  return entry.kind === 'session' && entry.event === 'start';
}

function sideOf({ positionSide }: { readonly positionSide?: PositionSide | undefined }): PositionSide {
  return positionSide ?? 'both';
}

function keyOf(strategy: string, side: PositionSide): string {
  return `${strategy}/${side}`;
}

function signedOf({ side, quantity }: Pick<VenueFill, 'side' | 'quantity'>): Decimal {
  return side === 'buy' ? dec(quantity) : dec(quantity).neg();
}
