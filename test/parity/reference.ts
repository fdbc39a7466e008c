/**
 * The reference simulator: one symbol, one account, an order script, played against recorded frames by the words of
 * simulation.md, slow and plain. It shares no code with `src/simulation`, which it judges.
 */
import type { Decimal } from 'decimal.js';
import type { BookSide, BookStep, MarketSteps, TradeStep } from './market.ts';
import { entryLatencies } from './reference-latency.ts';
import { Exact, ReferenceLevel, type Resting } from './reference-queue.ts';
import type { PlaceStep, Played, PlayedOrder, Rules, ScriptStep } from './rules.ts';

interface Scales {
  readonly isDerivative: boolean;
  readonly priceScale: number;
  readonly quantityScale: number;
}

interface Level {
  /** Displayed, and what own orders took of it since (M1). */
  displayed: number;
  taken: number;
}

interface Working extends Resting {
  readonly step: PlaceStep;
  readonly played: PlayedOrder;
}

interface Command {
  readonly us: number;
  readonly step: ScriptStep;
}

const ZERO = new Exact(0);

export function playReference(
  market: MarketSteps,
  scales: Scales,
  script: readonly ScriptStep[],
  rules: Rules,
): Played {
  return new Reference(market, scales, rules).play(script, entryLatencies(rules));
}

class Reference {
  readonly #market: MarketSteps;
  readonly #rules: Rules;
  readonly #account: Account;
  readonly #levels: Readonly<Record<BookSide, Map<number, Level>>> = { bid: new Map(), ask: new Map() };
  readonly #own: Readonly<Record<'buy' | 'sell', Map<number, ReferenceLevel<Working>>>> = {
    buy: new Map(),
    sell: new Map(),
  };
  readonly #orders = new Map<string, Working>();
  readonly #played: PlayedOrder[] = [];
  #best: Readonly<Record<BookSide, number | null>> = { bid: null, ask: null };

  constructor(market: MarketSteps, scales: Scales, rules: Rules) {
    this.#market = market;
    this.#rules = rules;
    this.#account = new Account(scales, rules);
  }

  play(script: readonly ScriptStep[], entryUs: () => number): Played {
    let last = -Infinity;
    // T3: orders of one connection never overtake.
    const commands = script.map((step): Command => {
      last = Math.max(last, step.us + entryUs());
      return { us: last, step };
    });
    let next = 0;
    for (const step of this.#market.steps) {
      // T4: at one timestamp the venue's events come first.
      for (; (commands[next]?.us ?? Infinity) < step.us; next += 1) this.#command(commands[next]);
      if (step.kind === 'book') this.#book(step);
      else this.#trade(step);
    }
    for (; next < commands.length && (commands[next]?.us ?? 0) <= this.#market.endUs; next += 1) {
      this.#command(commands[next]);
    }
    return this.#account.close(this.#played, this.#best);
  }

  #book({ us, changes, bid, ask }: BookStep): void {
    for (const { side, price, before, after, isRow } of changes) {
      // A depth row refreshes its level whatever its quantity (M1); a quote that repeats a quantity is no news of it.
      if (after === 0) this.#levels[side].delete(price);
      else if (isRow || after !== before) this.#levels[side].set(price, { displayed: after, taken: 0 });
      this.#own[side === 'bid' ? 'buy' : 'sell'].get(price)?.change(us, before, after, isRow);
    }
    this.#best = { bid, ask };
    this.#reached(us);
  }

  /** M5: the opposite best reaches resting orders. */
  #reached(us: number): void {
    if (this.#own.buy.size > 0) {
      const ask = this.#bestLeft('ask');
      if (ask !== null) this.#fillWhere('buy', us, (price) => ask <= price);
    }
    if (this.#own.sell.size > 0) {
      const bid = this.#bestLeft('bid');
      if (bid !== null) this.#fillWhere('sell', us, (price) => bid >= price);
    }
  }

  #trade({ us, price, quantity, side }: TradeStep): void {
    // Mode `hft`: only the opposite aggressor, as hftbacktest does. Otherwise a print through a price proves it.
    const isAnySide = this.#rules.mode === 'default';
    if (isAnySide || side === 'sell') this.#fillWhere('buy', us, (own) => price < own);
    if (isAnySide || side === 'buy') this.#fillWhere('sell', us, (own) => price > own);
    const resting = side === 'sell' ? 'buy' : 'sell';
    const level = this.#own[resting].get(price);
    if (level === undefined) return;
    for (const fill of level.print(us, quantity)) this.#fill(fill.order, us, price, fill.quantity, 'maker');
    this.#sweep(resting, price);
  }

  #fillWhere(side: 'buy' | 'sell', us: number, isMet: (price: number) => boolean): void {
    const levels = [...this.#own[side]].toSorted(([a], [b]) => (side === 'buy' ? b - a : a - b));
    for (const [price, level] of levels) {
      if (!isMet(price)) continue;
      for (const order of level.orders) this.#fill(order, us, price, order.remaining, 'maker');
      this.#sweep(side, price);
    }
  }

  /** Takes closed orders off a price. */
  #sweep(side: 'buy' | 'sell', price: number): void {
    const level = this.#own[side].get(price);
    if (level === undefined) return;
    level.orders = level.orders.filter(({ played }) => played.state === 'open');
    if (level.orders.length === 0) this.#own[side].delete(price);
  }

  /** The best price of which own orders left something. */
  #bestLeft(side: BookSide): number | null {
    const best = this.#best[side];
    if (best === null) return null;
    const level = this.#levels[side].get(best);
    if (level !== undefined && level.displayed > level.taken) return best;
    return this.#pricesLeft(side)[0] ?? null;
  }

  #pricesLeft(side: BookSide): readonly number[] {
    const left = [...this.#levels[side]].filter(([, { displayed, taken }]) => displayed > taken);
    return left.map(([price]) => price).toSorted((a, b) => (side === 'bid' ? b - a : a - b));
  }

  #command(command: Command | undefined): void {
    if (command === undefined) return;
    const { us, step } = command;
    if (step.kind === 'place') this.#place(us, step);
    else {
      const order = this.#orders.get(step.ref);
      if (order === undefined || order.played.state !== 'open') return;
      order.played.state = 'canceled';
      this.#account.release(order.step, order.remaining);
      this.#sweep(order.step.side, order.step.price ?? 0);
    }
  }

  #place(us: number, step: PlaceStep): void {
    const played: PlayedOrder = { ref: step.ref, state: 'open', filled: 0, fills: [] };
    const order: Working = { step, played, remaining: step.quantity, ahead: ZERO, traded: 0, past: [] };
    this.#played.push(played);
    if (!this.#account.admits(step)) {
      played.state = 'rejected';
      return;
    }
    this.#orders.set(step.ref, order);
    this.#account.lock(step);
    this.#take(us, order);
    if (order.remaining === 0) return;
    if (step.price === null || step.timeInForce === 'ioc') {
      // M2: the rest expires.
      played.state = 'expired';
      this.#account.release(step, order.remaining);
    } else this.#rest(order, step.price);
  }

  /** M1: walks the displayed levels up to the limit. M7 `no-partial-fill`: whole, at the best price. */
  #take(us: number, order: Working): void {
    const { side, price } = order.step;
    const against: BookSide = side === 'buy' ? 'ask' : 'bid';
    const isMet = (level: number): boolean => price === null || (side === 'buy' ? level <= price : level >= price);
    if (this.#rules.exchange === 'no-partial-fill') {
      const best = this.#best[against];
      if (best !== null && isMet(best)) this.#fill(order, us, best, order.remaining, 'taker');
      return;
    }
    const best = this.#bestLeft(against);
    if (best === null || !isMet(best)) return;
    for (const at of this.#pricesLeft(against)) {
      const level = this.#levels[against].get(at);
      if (order.remaining === 0 || !isMet(at) || level === undefined) return;
      const quantity = Math.min(order.remaining, level.displayed - level.taken);
      level.taken += quantity;
      this.#fill(order, us, at, quantity, 'taker');
    }
  }

  /** M3: behind what is displayed at its price and behind own earlier orders. */
  #rest(order: Working, price: number): void {
    const { side } = order.step;
    const own = this.#own[side].get(price) ?? this.#newLevel(side, price);
    const level = this.#levels[side === 'buy' ? 'bid' : 'ask'].get(price);
    // What own takers took is still displayed: the order waits behind it all the same.
    own.join(order, level?.displayed ?? 0);
  }

  #newLevel(side: 'buy' | 'sell', price: number): ReferenceLevel<Working> {
    const { mode, queue, exchange, nettingWindowUs } = this.#rules;
    const prints = mode === 'hft' ? 'alone' : exchange === 'partial-fill' ? 'partial' : 'whole';
    const level = new ReferenceLevel<Working>({ queue, prints, nettingWindowUs });
    this.#own[side].set(price, level);
    return level;
  }

  #fill(order: Working, us: number, price: number, quantity: number, liquidity: 'maker' | 'taker'): void {
    if (quantity <= 0) return;
    const fee = this.#account.fill(order.step, price, quantity, liquidity);
    order.remaining -= quantity;
    order.played.filled += quantity;
    if (order.remaining === 0) order.played.state = 'filled';
    order.played.fills.push({ us, price, quantity, liquidity, ...fee });
  }
}

/** The money: A1 to A5 as far as an order script meets them. Derivatives: linear, cross, one-way, leverage 1. */
class Account {
  readonly #scales: Scales;
  readonly #rules: Rules;
  #quote: Decimal;
  #base: Decimal;
  #lockedQuote = ZERO;
  #lockedBase = ZERO;
  /** Derivatives: signed quantity and what it cost, signed. */
  #held = ZERO;
  #cost = ZERO;

  constructor(scales: Scales, rules: Rules) {
    this.#scales = scales;
    this.#rules = rules;
    this.#quote = new Exact(rules.quote);
    this.#base = new Exact(scales.isDerivative ? 0 : rules.base);
  }

  /** A5: a spot limit order needs what it locks. Scripts leave the rest of the account ample. */
  admits({ side, price, quantity }: PlaceStep): boolean {
    if (this.#scales.isDerivative || price === null) return true;
    if (side === 'sell') return this.#base.minus(this.#lockedBase).gte(this.#quantity(quantity));
    return this.#quote.minus(this.#lockedQuote).gte(this.#value(price, quantity));
  }

  /** A1: a buy locks price × quantity of quote, a sell its quantity of base. */
  lock({ side, price, quantity }: PlaceStep): void {
    if (this.#scales.isDerivative || price === null) return;
    if (side === 'sell') this.#lockedBase = this.#lockedBase.plus(this.#quantity(quantity));
    else this.#lockedQuote = this.#lockedQuote.plus(this.#value(price, quantity));
  }

  release({ side, price }: PlaceStep, quantity: number): void {
    if (this.#scales.isDerivative || price === null) return;
    if (side === 'sell') this.#lockedBase = this.#lockedBase.minus(this.#quantity(quantity));
    else this.#lockedQuote = this.#lockedQuote.minus(this.#value(price, quantity));
  }

  fill(
    step: PlaceStep,
    price: number,
    quantity: number,
    liquidity: 'maker' | 'taker',
  ): { readonly fee: string; readonly feeCurrency: 'base' | 'quote' } {
    this.release(step, quantity);
    const rate = this.#rules[liquidity];
    const size = this.#quantity(quantity);
    const value = this.#value(price, quantity);
    const isBuy = step.side === 'buy';
    if (this.#scales.isDerivative) {
      const fee = value.times(rate);
      this.#quote = this.#quote.minus(fee);
      this.#turn(isBuy ? size : size.neg(), value);
      return { fee: fee.toFixed(), feeCurrency: 'quote' };
    }
    // A1: from what is received.
    const fee = (isBuy ? size : value).times(rate);
    this.#quote = isBuy ? this.#quote.minus(value) : this.#quote.plus(value).minus(fee);
    this.#base = isBuy ? this.#base.plus(size).minus(fee) : this.#base.minus(size);
    return { fee: fee.toFixed(), feeCurrency: isBuy ? 'base' : 'quote' };
  }

  close(orders: readonly PlayedOrder[], best: Readonly<Record<BookSide, number | null>>): Played {
    const { isDerivative, priceScale } = this.#scales;
    const mid = new Exact((best.bid ?? 0) + (best.ask ?? 0)).div(2).div(10 ** priceScale);
    const worth = isDerivative ? this.#held.times(mid).minus(this.#cost) : this.#base.times(mid);
    return {
      orders,
      quote: this.#quote.toFixed(),
      base: isDerivative ? null : this.#base.toFixed(),
      position: (isDerivative ? this.#held : this.#base.minus(this.#rules.base)).toFixed(),
      equity: this.#quote.plus(worth).toFixed(),
    };
  }

  /** A4: a partial close releases cost · closed/size, rounded to 1e-18 (halves to even); the remainder stays. */
  #turn(signed: Decimal, value: Decimal): void {
    const sign = signed.isNeg() ? -1 : 1;
    if (this.#held.isZero() || this.#held.isNeg() === signed.isNeg()) {
      this.#cost = this.#cost.plus(value.times(sign));
      this.#held = this.#held.plus(signed);
      return;
    }
    const closed = Exact.min(this.#held.abs(), signed.abs());
    const released = closed.eq(this.#held.abs())
      ? this.#cost
      : this.#cost.times(closed).div(this.#held.abs()).toDecimalPlaces(18);
    const proceeds = value.times(closed).div(signed.abs()).times(-sign);
    this.#quote = this.#quote.plus(proceeds.minus(released));
    this.#cost = this.#cost.minus(released);
    this.#held = this.#held.plus(closed.times(sign));
    const opened = signed.abs().minus(closed);
    if (opened.isZero()) return;
    this.#held = opened.times(sign);
    this.#cost = value.times(opened).div(signed.abs()).times(sign);
  }

  #quantity(units: number): Decimal {
    return new Exact(units).div(10 ** this.#scales.quantityScale);
  }

  #value(price: number, quantity: number): Decimal {
    return new Exact(price).times(quantity).div(10 ** (this.#scales.priceScale + this.#scales.quantityScale));
  }
}
