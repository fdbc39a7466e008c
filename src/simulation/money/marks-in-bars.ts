/**
 * What the prices inside a bar do to a leveraged position: they are marks. A stop that closes all of the position is
 * reached first, wherever it lies before the price, and the mark goes no further.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type { Side } from '../../model/trading/order.ts';
import type { Closing } from '../../model/trading/program.ts';
import type { MarksInBars } from '../matching/working-order.ts';

/** Lots of a position may have a rest in the last bits. */
const EPSILON = 1e-9;

export interface MarkedSymbol {
  readonly instrument: Instrument;
  readonly marksByMid: boolean;
  /** NaN before the first. */
  readonly markNumber: number;
  /** Exits of stops that have fired and wait for an open. */
  readonly leaving: readonly Closing[];
  readonly perpetual: { held(): readonly { readonly quantity: string }[] } | null;
}

export interface MarkPorts {
  /** Nothing is due at this mark of the symbol. Quick. */
  readonly isSafeAt: (mark: number) => boolean;
  readonly stops: (symbol: string) => readonly Closing[];
  /** At the present mark; exchange time, µs. */
  readonly liquidate: (us: number) => void;
}

export function marksInBars(venue: MarkedSymbol, { isSafeAt, stops, liquidate }: MarkPorts): MarksInBars {
  const { instrument } = venue;
  const lotsAgainst = (isFalling: boolean): number => {
    const quantities = (venue.perpetual?.held() ?? []).map(({ quantity }) => Number(quantity));
    return (
      quantities.reduce((sum, quantity) => sum + Math.max(0, isFalling ? quantity : -quantity), 0) / instrument.lot
    );
  };
  return {
    mayBeDue: () => venue.marksByMid && !isSafeAt(venue.markNumber),
    stoppedAt: (open, price) => {
      const [from, to] = [open / instrument.tick, price / instrument.tick];
      const ticks = closedAt([...venue.leaving, ...stops(instrument.symbol)], lotsAgainst(to < from), from, to);
      return ticks === null ? price : instrument.priceOf(ticks);
    },
    liquidate,
  };
}

/**
 * Ticks at which stops have closed these lots on the way, at the earliest where the way begins; null: they have not. Of
 * a stop that closes either side, the trigger shows from where it is reached.
 */
export function closedAt(stops: readonly Closing[], lots: number, from: number, to: number): number | null {
  const isFalling = to < from;
  const side: Side = isFalling ? 'sell' : 'buy';
  const closesOf = ({ closes, ticks }: Closing): Side => closes ?? (ticks <= from ? 'sell' : 'buy');
  const reached = stops
    .filter((stop) => closesOf(stop) === side && (isFalling ? stop.ticks >= to : stop.ticks <= to))
    .toSorted((one, other) => (isFalling ? other.ticks - one.ticks : one.ticks - other.ticks));
  let left = lots;
  for (const { lots: closed, ticks } of reached) {
    left -= closed;
    if (left <= EPSILON) return isFalling ? Math.min(from, ticks) : Math.max(from, ticks);
  }
  return null;
}
