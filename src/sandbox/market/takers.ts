/**
 * Takers: noise traders in bursts (Hawkes process), trend followers, informed traders, and impatient ones that rest
 * inside the spread. Pareto sizes.
 */
import { exponential } from '../../model/random.ts';
import type { Random } from '../../model/ports.ts';
import type { Side } from '../../model/trading/order.ts';
import type { OrderRecord } from '../core/orders/order-record.ts';
import type { AgentOrders } from './agent-orders.ts';
import type { MarketMoment } from './venue-view.ts';

/** Mean trades caused by a trade. */
const BRANCHING = 0.55;
/** Seconds. */
const MEMORY_S = 1.5;
const TAIL = 1.6;
const SIZE_MAX = 25;
const RESTING_SHARE = 0.25;
const RESTING_LIFE_S = 4;
const RESTING_MAX = 50;
/** Mispricing that informed traders take, half spreads. */
const MISPRICED = 0.9;

export class Takers {
  readonly #noise: AgentOrders;
  readonly #informed: AgentOrders;
  readonly #random: Random;
  readonly #resting: { readonly order: OrderRecord; readonly until: number }[] = [];
  #excitement = 0;
  /** Bias of the next side by the last. */
  #lean = 0;

  constructor(noise: AgentOrders, informed: AgentOrders, random: Random) {
    this.#noise = noise;
    this.#informed = informed;
    this.#random = random;
  }

  /** Net lots of informed traders, who follow the price and must not move it. */
  act(moment: MarketMoment): number {
    this.#cancelOld(moment);
    const before = moment.market.netTakenLots;
    this.#correct(moment);
    const corrected = moment.market.netTakenLots - before;
    this.#makeNoise(moment);
    return corrected;
  }

  #makeNoise(moment: MarketMoment): void {
    const { stepSeconds, style, volatility } = moment;
    this.#excitement *= Math.exp(-stepSeconds / MEMORY_S);
    this.#lean *= Math.exp(-stepSeconds / 4);
    const rate = style.rate * Math.sqrt(volatility) + this.#excitement;
    let left = stepSeconds;
    for (;;) {
      left -= exponential(this.#random, 1 / rate);
      if (left <= 0) return;
      this.#trade(moment);
      this.#excitement += BRANCHING / MEMORY_S;
    }
  }

  #trade(moment: MarketMoment): void {
    const { market, halfSpreadTicks, now, seconds, trend } = moment;
    const { book } = market;
    if (book.bidTicks === 0 || book.askTicks === 0) return;
    const side = this.#side(trend);
    const lots = this.#lots(moment);
    const reach = Math.ceil(halfSpreadTicks * 12);
    if (this.#random.next() >= RESTING_SHARE) {
      const limit = side === 'buy' ? book.askTicks + reach : book.bidTicks - reach;
      this.#noise.take(side, limit, lots, now);
      this.#lean += side === 'buy' ? 0.12 : -0.12;
      return;
    }
    if (this.#resting.length >= RESTING_MAX) return;
    const room = book.askTicks - book.bidTicks;
    const inside = Math.floor(this.#random.next() * room * 0.6);
    const ticks = side === 'buy' ? book.bidTicks + inside : book.askTicks - inside;
    const order = this.#noise.rest(side, ticks, lots, now);
    if (order !== undefined) this.#resting.push({ order, until: seconds + exponential(this.#random, RESTING_LIFE_S) });
  }

  #side(trend: number): Side {
    const chance = 0.5 + Math.max(-0.35, Math.min(0.35, this.#lean + trend * 4000));
    return this.#random.next() < chance ? 'buy' : 'sell';
  }

  #lots({ market, style }: MarketMoment): number {
    const pareto = 0.25 * (1 - this.#random.next()) ** (-1 / TAIL);
    return Math.max(1, Math.round((style.size * Math.min(SIZE_MAX, pareto)) / market.instrument.lot));
  }

  #correct(moment: MarketMoment): void {
    const { market, fairTicks, halfSpreadTicks, now, style } = moment;
    const margin = MISPRICED * halfSpreadTicks;
    const lots = Math.max(1, Math.round((3 * style.size) / market.instrument.lot));
    if (market.book.askTicks !== 0 && market.book.askTicks < fairTicks - margin) {
      this.#informed.take('buy', Math.floor(fairTicks), lots, now);
    } else if (market.book.bidTicks > fairTicks + margin) {
      this.#informed.take('sell', Math.ceil(fairTicks), lots, now);
    }
  }

  #cancelOld({ seconds, now }: MarketMoment): void {
    for (let index = this.#resting.length - 1; index >= 0; index--) {
      const resting = this.#resting[index]!;
      if (resting.order.isActive && resting.until > seconds) continue;
      this.#noise.cancel(resting.order, now);
      this.#resting.splice(index, 1);
    }
  }
}
