/**
 * Whether the reported side of an external trade can be believed, because it may be the taker's. A maker's side is
 * believed once an own maker fill reported its order's side. No side is believed after an own fill reported another
 * one. Kept per process.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { dec } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';

export class ToldSides {
  #hasAgreed = false;
  #hasDiffered = false;
  /** Own maker fills that differed, less those that agreed. */
  #ofTakers = 0;
  /** A spot fill paid its fee in a currency other than the received one. */
  #paysOtherwise = false;

  /** True for the first own fill that differs. */
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

  /** By the fee, else by the majority of own maker fills. */
  likely(fill: VenueFill, instrument: Instrument | undefined): Side {
    const { liquidity, side } = fill;
    if (liquidity === 'taker') return side;
    const paidAs = this.#paidAs(fill, instrument);
    if (paidAs !== undefined) return paidAs;
    if (this.#ofTakers <= 0) return side;
    return side === 'buy' ? 'sell' : 'buy';
  }

  /** The fee currency must not contradict it. */
  believes(fill: VenueFill, instrument: Instrument | undefined): boolean {
    const paidAs = this.#paidAs(fill, instrument);
    if (paidAs !== undefined && paidAs !== fill.side) return false;
    return !this.#hasDiffered && (this.#hasAgreed || fill.liquidity === 'taker');
  }

  /** A spot fee is in the received currency, unless own fills paid otherwise. */
  #paidAs(fill: VenueFill, instrument: Instrument | undefined): Side | undefined {
    return instrument === undefined || this.#paysOtherwise ? undefined : sideOfFee(fill, instrument);
  }
}

/** Spot: buys receive base, sells receive quote. Undefined without a fee, or for a third currency. */
function sideOfFee({ fee, feeCurrency }: VenueFill, { market, base, quote }: Instrument): Side | undefined {
  if (market !== 'spot' || base === quote || dec(fee).isZero()) return undefined;
  if (feeCurrency === base) return 'buy';
  return feeCurrency === quote ? 'sell' : undefined;
}
