/**
 * Whether the side that the exchange tells of an own trade can be believed where no order of ours says it: in trades of others
 * on the account. Of what the user took, the own side and the taker's are one; of what rested they are not, so it is believed
 * once a fill of an order of ours has told its order's side, and never again once one has told another. In this process.
 * Used by the intake, which hears, and by the reconciler, which asks.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import { dec } from '../model/money.ts';
import type { Side } from '../model/order.ts';

export class ToldSides {
  #hasAgreed = false;
  #hasDiffered = false;
  /** Own fills of what rested that told another side than their order, less those that told its side. */
  #ofTakers = 0;
  /** Some own fill of spot paid its fee in another currency than the one received. */
  #paysOtherwise = false;

  /** A fill of an order of that side. True when it is the first that differs. */
  heard(told: VenueFill, side: Side, instrument: Instrument): boolean {
    const { liquidity } = told;
    const differs = told.side !== side;
    const paidAs = sideOfFee(told, instrument);
    this.#paysOtherwise ||= paidAs !== undefined && paidAs !== side;
    if (liquidity === 'maker') this.#ofTakers += differs ? 1 : -1;
    if (!differs) {
      this.#hasAgreed ||= liquidity === 'maker';
      return false;
    }
    const isFirst = !this.#hasDiffered;
    this.#hasDiffered = true;
    return isFirst;
  }

  /** The likely side of a trade whose order no list shows: by its fee, else as most own fills of what rested have been told. */
  likely(fill: VenueFill, instrument: Instrument | undefined): Side {
    const { liquidity, side } = fill;
    if (liquidity === 'taker') return side;
    const paidAs = this.#paidAs(fill, instrument);
    if (paidAs !== undefined) return paidAs;
    if (this.#ofTakers <= 0) return side;
    return side === 'buy' ? 'sell' : 'buy';
  }

  /** Nothing is believed that the currency of its fee contradicts. */
  believes(fill: VenueFill, instrument: Instrument | undefined): boolean {
    const paidAs = this.#paidAs(fill, instrument);
    if (paidAs !== undefined && paidAs !== fill.side) return false;
    return !this.#hasDiffered && (this.#hasAgreed || fill.liquidity === 'taker');
  }

  /** A fee of spot is taken from what was received, which tells the side, unless own fills have paid otherwise. */
  #paidAs(fill: VenueFill, instrument: Instrument | undefined): Side | undefined {
    return instrument === undefined || this.#paysOtherwise ? undefined : sideOfFee(fill, instrument);
  }
}

/** Of spot: buys receive base, sales quote. Undefined where there is no fee, or it is of neither. */
function sideOfFee({ fee, feeCurrency }: VenueFill, { market, base, quote }: Instrument): Side | undefined {
  if (market !== 'spot' || base === quote || dec(fee).isZero()) return undefined;
  if (feeCurrency === base) return 'buy';
  return feeCurrency === quote ? 'sell' : undefined;
}
