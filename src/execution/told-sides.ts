/**
 * Whether the side that the exchange tells of an own trade can be believed where no order of ours says it: in trades of others
 * on the account. Of what the user took, the own side and the taker's are one; of what rested they are not, so it is believed
 * once a fill of an order of ours has told its order's side, and never again once one has told another. In this process.
 * Used by the intake, which hears, and by the reconciler, which asks.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Side } from '../model/order.ts';

export class ToldSides {
  #hasAgreed = false;
  #hasDiffered = false;
  /** Own fills of what rested that told another side than their order, less those that told its side. */
  #ofTakers = 0;

  /** A fill whose order is known. True when it is the first that differs. */
  heard({ liquidity }: VenueFill, differs: boolean): boolean {
    if (liquidity === 'maker') this.#ofTakers += differs ? 1 : -1;
    if (!differs) {
      this.#hasAgreed ||= liquidity === 'maker';
      return false;
    }
    const isFirst = !this.#hasDiffered;
    this.#hasDiffered = true;
    return isFirst;
  }

  /** The likely side of a trade whose order no list shows: as most own fills of what rested have been told. */
  likely({ liquidity, side }: VenueFill): Side {
    if (liquidity === 'taker' || this.#ofTakers <= 0) return side;
    return side === 'buy' ? 'sell' : 'buy';
  }

  believes({ liquidity }: VenueFill): boolean {
    return !this.#hasDiffered && (this.#hasAgreed || liquidity === 'taker');
  }
}
