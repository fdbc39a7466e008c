/**
 * Positions of the spot strategies as the exchange's own books say: the worst case of what is true and what rests stays within
 * the limit (INV-R1), and a reduction never brings more (INV-R4).
 */
import type { VenueFill } from '../../../src/model/trading/fill.ts';
import { dec, type Decimal, ZERO, greater } from '../../../src/model/numbers/money.ts';
import type { Owner } from './futures/laws.ts';
import { POSITION_MAX } from './process.ts';
import type { VenueSide } from './venue-side.ts';

export const SPOT_TAGS: readonly string[] = ['quoter', 'restless'];

export interface OwnTrade {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
}

export function signedOf({ side, quantity, fee, feeCurrency }: OwnTrade): Decimal {
  const moved = side === 'buy' ? dec(quantity) : dec(quantity).neg();
  return feeCurrency === 'BTC' ? moved.minus(fee) : moved;
}

export interface SpotPositionsDeps {
  readonly venue: VenueSide;
  readonly ownerOf: (orderId: string) => Owner;
  /** True time of the decision, ms. */
  readonly decidedAt: (orderId: string) => number;
  readonly violated: (law: string, what: string) => void;
}

export class SpotPositions {
  readonly #deps: SpotPositionsDeps;
  readonly #positions = new Map<string, Decimal>();
  /** Trades of orders that may open. */
  #ordinary: { ts: number; strategy: string; side: 'buy' | 'sell'; quantity: Decimal }[] = [];
  /**
   * What orders that were taken over, or traded after the exchange had called them over, brought beyond the limit; null:
   * whatever the next check finds. It may only shrink.
   */
  readonly #excess = new Map<string, Decimal | null>();

  constructor(deps: SpotPositionsDeps) {
    this.#deps = deps;
  }

  get held(): ReadonlyMap<string, Decimal> {
    return this.#positions;
  }

  trade(trade: VenueFill, { strategy, reduceOnly }: Owner): void {
    const before = this.#positions.get(strategy) ?? ZERO;
    const after = this.#add(trade, strategy, reduceOnly);
    // Whoever was told that the order is over gave its room, or what it was to reduce, to another.
    const wasCalledOver = this.#deps.venue.calledOver.has(trade.orderId);
    if (wasCalledOver) this.#excess.set(strategy, null);
    if (
      reduceOnly &&
      !wasCalledOver &&
      after.abs().gt(before.abs()) &&
      after.abs().gt(this.#metOnTheWay(trade, strategy))
    ) {
      this.#deps.violated(
        'R4',
        `a reduction of ${strategy} takes its position from ${before.toFixed()} to ${after.toFixed()}`,
      );
    }
  }

  /** Whose these are has changed: an older journal does not know some, or has taken some over. */
  recount(trades: readonly VenueFill[]): void {
    this.#positions.clear();
    this.#ordinary = [];
    for (const trade of trades) {
      if (trade.market !== 'spot' || this.#deps.venue.isOthers(trade.orderId)) continue;
      const { strategy, reduceOnly } = this.#deps.ownerOf(trade.orderId);
      this.#add(trade, strategy, reduceOnly);
    }
    for (const strategy of SPOT_TAGS) this.#excess.set(strategy, this.#worstOf(strategy));
  }

  /** Worst case of what is true and what rests of each strategy, at the exchange (INV-R1). */
  check(): void {
    for (const strategy of SPOT_TAGS) {
      const worst = this.#worstOf(strategy);
      const before = this.#excess.get(strategy);
      const excess = before === null ? worst : (before ?? ZERO);
      if (before === null || worst.lt(excess)) this.#excess.set(strategy, worst);
      if (worst.gt(POSITION_MAX) && worst.gt(excess))
        this.#deps.violated('R1', `the position of ${strategy} can become ${worst.toFixed()}`);
      const all = this.#worstOf(strategy, true);
      if (all.gt(greater(dec(POSITION_MAX), excess).plus(POSITION_MAX)))
        this.#deps.violated('R1', `the position of ${strategy} can become ${all.toFixed()}, with what was called over`);
    }
  }

  #add(trade: VenueFill, strategy: string, reduceOnly: boolean): Decimal {
    const after = (this.#positions.get(strategy) ?? ZERO).plus(signedOf(trade));
    this.#positions.set(strategy, after);
    const { ts, side, quantity } = trade;
    if (!reduceOnly) this.#ordinary.push({ ts, strategy, side, quantity: dec(quantity) });
    return after;
  }

  /**
   * What ordinary orders of the strategy traded the same way since the reduction was decided. Each was judged to open so
   * much; which of two orders that race comes first is for the exchange to say, and spot has no reduce-only.
   */
  #metOnTheWay({ orderId, side }: VenueFill, strategy: string): Decimal {
    const decidedAt = this.#deps.decidedAt(orderId);
    return this.#ordinary
      .filter((other) => other.strategy === strategy && other.side === side && other.ts >= decidedAt)
      .reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  }

  #worstOf(strategy: string, withCalledOver = false): Decimal {
    const { venue, ownerOf } = this.#deps;
    let buys = this.#positions.get(strategy) ?? ZERO;
    let sells = buys.neg();
    for (const { orderId, order, leftLots, market } of venue.truth.active.values()) {
      // One that the exchange called over is not known to rest until the lists contradict it.
      if (!withCalledOver && venue.calledOver.has(orderId)) continue;
      if (market.instrument.market !== 'spot' || venue.isOthers(orderId)) continue;
      if (ownerOf(orderId).strategy !== strategy) continue;
      const left = market.instrument.exactQuantity(leftLots);
      if (order.side === 'buy') buys = buys.plus(left);
      else sells = sells.plus(left);
    }
    return greater(buys, sells);
  }
}
