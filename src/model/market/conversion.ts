/** By which instrument a currency is valued in another: the same rule for limits, results and reports. */
import type { Instrument } from './instrument.ts';

export interface Conversion {
  readonly instrument: Instrument;
  /** The rate is one divided by the price. */
  readonly inverse: boolean;
}

/** Spot first, because the price of a perpetual is not that of the asset; of each, the one that quotes `to` first. */
export function conversionOf(instruments: readonly Instrument[], from: string, to: string): Conversion | undefined {
  for (const market of ['spot', 'derivative'] as const)
    for (const inverse of [false, true]) {
      const [base, quote] = inverse ? [to, from] : [from, to];
      const instrument = instruments.find((one) => one.market === market && one.base === base && one.quote === quote);
      if (instrument !== undefined) return { instrument, inverse };
    }
  return undefined;
}

export function rateBy({ inverse }: Pick<Conversion, 'inverse'>, price: number): number {
  return inverse ? 1 / price : price;
}
