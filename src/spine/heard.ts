/** What the venue told this process of the account: applied and published, not journalled. A start begins without it. */
import type { Balance } from '../model/account.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { Balances } from './balances.ts';
import type { FillAmounts } from './positions.ts';

export type HeardEntry =
  | Extract<VenueEvent, { readonly kind: 'balances' | 'stream' }>
  | Pick<Extract<VenueEvent, { readonly kind: 'positions' }>, 'kind' | 'positions'>;

const NONE: readonly Balance[] = Object.freeze([]);

export class Heard {
  readonly balances = new Balances();
  /** By symbol, as last told; stays in force after the position is closed. */
  readonly leverages = new Map<string, number>();
  streamReady = false;

  /** The balances that changed. */
  apply(entry: HeardEntry): readonly Balance[] {
    switch (entry.kind) {
      case 'balances':
        return this.balances.apply(entry.balances, entry.whole);
      case 'positions':
        for (const { symbol, leverage } of entry.positions)
          if (Number(leverage) > 0) this.leverages.set(symbol, Number(leverage));
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

export type HeardView = Pick<Heard, 'balances' | 'streamReady'> & { readonly leverages: ReadonlyMap<string, number> };
