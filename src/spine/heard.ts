/** What the venue told this process of the account: applied and published, not journalled. A start begins without it. */
import type { Balance, VenuePosition } from '../model/trading/account.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { Side } from '../model/trading/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { Balances } from './balances.ts';
import { positionName, type FillAmounts } from './positions.ts';

export type HeardEntry =
  /** All lists were read whole and compared. `from`: when the first was asked for, Unix ms. */
  | { readonly kind: 'compared'; readonly from: number }
  | Extract<VenueEvent, { readonly kind: 'balances' | 'stream' }>
  | Extract<VenueEvent, { readonly kind: 'positions' }>;

const NONE: readonly Balance[] = Object.freeze([]);

export class Heard {
  readonly balances = new Balances();
  /** By symbol, as last told; stays in force after the position is closed. */
  readonly leverages = new Map<string, number>();
  /** Symbols whose positions were told as a long and a short one. */
  readonly hedged = new Set<string>();
  /** By `positionName`, as last told. */
  readonly positions = new Map<string, VenuePosition>();
  /** True once all positions have been told: one without a row is flat. */
  knowsPositions = false;
  streamReady = false;
  /** Unix ms at which the last whole comparison began; 0: none yet. */
  comparedFrom = 0;

  /** The balances that changed. */
  apply(entry: HeardEntry): readonly Balance[] {
    switch (entry.kind) {
      case 'balances':
        return this.balances.apply(entry.balances, entry.whole);
      case 'positions':
        for (const { symbol, leverage, positionSide } of entry.positions) {
          if (Number(leverage) > 0) this.leverages.set(symbol, Number(leverage));
          if (positionSide === 'both') this.hedged.delete(symbol);
          else this.hedged.add(symbol);
        }
        this.#positions(entry.positions, entry.whole);
        return NONE;
      case 'compared':
        this.comparedFrom = entry.from;
        return NONE;
      case 'stream':
        this.streamReady = entry.state === 'ready';
        return NONE;
    }
  }

  #positions(rows: readonly VenuePosition[], whole: boolean): void {
    if (whole) this.positions.clear();
    this.knowsPositions ||= whole;
    for (const row of rows) this.positions.set(positionName(row.symbol, row.positionSide), row);
  }

  /** Holds until the venue tells the new balance. */
  spend({ market, base, quote }: Instrument, side: Side, { price, quantity }: FillAmounts): void {
    if (market !== 'spot') return;
    if (side === 'buy') this.balances.spend(quote, price.times(quantity));
    else this.balances.spend(base, quantity);
  }
}

export type HeardView = Pick<Heard, 'balances' | 'comparedFrom' | 'knowsPositions' | 'streamReady'> & {
  readonly leverages: ReadonlyMap<string, number>;
  readonly hedged: ReadonlySet<string>;
  readonly positions: ReadonlyMap<string, VenuePosition>;
};
