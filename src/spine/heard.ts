/** What the venue told this process of the account: applied and published, not journalled. A start begins without it. */
import type { Balance } from '../model/account.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { Balances } from './balances.ts';
import type { FillAmounts } from './positions.ts';

export type HeardEntry =
  /** All lists were read whole and compared. `from`: when the first was asked for, Unix ms. */
  | { readonly kind: 'compared'; readonly from: number }
  | Extract<VenueEvent, { readonly kind: 'balances' | 'stream' }>
  | Pick<Extract<VenueEvent, { readonly kind: 'positions' }>, 'kind' | 'positions'>;

const NONE: readonly Balance[] = Object.freeze([]);

export class Heard {
  readonly balances = new Balances();
  /** By symbol, as last told; stays in force after the position is closed. */
  readonly leverages = new Map<string, number>();
  streamReady = false;
  /** Unix ms at which the last whole comparison began; 0: none yet. */
  comparedFrom = 0;

  /** The balances that changed. */
  apply(entry: HeardEntry): readonly Balance[] {
    switch (entry.kind) {
      case 'balances':
        return this.balances.apply(entry.balances, entry.whole);
      case 'positions':
        for (const { symbol, leverage } of entry.positions)
          if (Number(leverage) > 0) this.leverages.set(symbol, Number(leverage));
        return NONE;
      case 'compared':
        this.comparedFrom = entry.from;
        return NONE;
      case 'stream':
        this.streamReady = entry.state === 'ready';
        return NONE;
    }
  }

  /** Holds until the venue tells the new balance. */
  spend({ market, base, quote }: Instrument, side: Side, { price, quantity }: FillAmounts): void {
    if (market !== 'spot') return;
    if (side === 'buy') this.balances.spend(quote, price.times(quantity));
    else this.balances.spend(base, quantity);
  }
}

export type HeardView = Pick<Heard, 'balances' | 'comparedFrom' | 'streamReady'> & {
  readonly leverages: ReadonlyMap<string, number>;
};
