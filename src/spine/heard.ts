/**
 * What the venue reported of the account to this process: applied and published, not journalled. A new process starts
 * without it.
 */
import type { Balance, VenuePosition } from '../model/trading/account.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { Side } from '../model/trading/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { Balances } from './balances.ts';
import { positionName, type FillAmounts } from './positions.ts';

export type HeardEntry =
  /** All lists were polled completely and compared. `from`: request time of the first, Unix ms. */
  | { readonly kind: 'compared'; readonly from: number }
  | Extract<VenueEvent, { readonly kind: 'balances' | 'stream' }>
  | Extract<VenueEvent, { readonly kind: 'positions' }>;

export class Heard {
  readonly balances = new Balances();
  /** By symbol, as last reported. Stays in force after the position is closed. */
  readonly leverages = new Map<string, number>();
  /** Symbols reported with a long and a short position. */
  readonly hedged = new Set<string>();
  /** By `positionName`, as last reported. */
  readonly positions = new Map<string, VenuePosition>();
  /** True once all positions were reported: one without a row is flat. */
  knowsPositions = false;
  streamReady = false;
  /** Unix ms at which the last whole comparison began; 0: none yet. */
  comparedFrom = 0;

  /** Returns the balances that changed. */
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
        return [];
      case 'compared':
        this.comparedFrom = entry.from;
        return [];
      case 'stream':
        this.streamReady = entry.state === 'ready';
        return [];
    }
  }

  #positions(rows: readonly VenuePosition[], whole: boolean): void {
    if (whole) this.positions.clear();
    this.knowsPositions ||= whole;
    for (const row of rows) this.positions.set(positionName(row.symbol, row.positionSide), row);
  }

  /** Holds until the venue reports the new balance. */
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
