/**
 * The market of the verdict study: a mid that moves one tick up or down a minute. Without an edge it is a martingale: its expected
 * change is nothing, whatever is known of the minutes before. So what follows from these minutes alone earns nothing at the
 * mid on average, whatever it holds and however long (optional stopping), and less with a spread and with fees. With falls,
 * a rare fall of many ticks is paid for by a slightly greater chance of a rise: still a martingale, and whoever is long has
 * returns of negative skew. A rising market pays whoever is long, whenever that is. An edge leans the chance towards what one trader holds.
 */
import { normal } from '../../../src/model/random.ts';
import type { Random } from '../../../src/model/ports.ts';
import type { Trader } from './traders.ts';

export const MINUTE_MS = 60_000;
const DAYS = 30;
export const MINUTES = DAYS * 24 * 60;
/** The lockbox is the last fifth. */
export const RESEARCH_MINUTES = (MINUTES * 4) / 5;
export const START_MS = Date.UTC(2026, 0, 1);
/** Quote currency a tick; of a price of 50,000 two basis points. */
export const TICK = 10;
const FIRST_TICKS = 5_000;
const FALL_TICKS = 120;
/** About fifteen falls in the part that is looked at. */
const FALL_CHANCE = 15 / RESEARCH_MINUTES;

export interface MarketOptions {
  readonly hasFalls: boolean;
  /** How far chance leans towards a rise, whatever anybody holds. */
  readonly rise: number;
  /** What an edge is planted for, and how far chance leans towards its position. */
  readonly edge: { readonly trader: Trader; readonly lean: number } | null;
}

/** The mid in ticks at the end of each minute; the first is before anything happened. */
export function marketOf(random: Random, { hasFalls, rise, edge }: MarketOptions): Float64Array {
  const mids = new Float64Array(MINUTES + 1);
  mids[0] = FIRST_TICKS + Math.round(20 * normal(random));
  const fall = hasFalls ? FALL_CHANCE : 0;
  const fair = rise + (1 + (fall * FALL_TICKS) / (1 - fall)) / 2;
  for (let minute = 0; minute < MINUTES; minute++) {
    const mid = mids[minute]!;
    edge?.trader.next(minute, mid);
    const up = fair + (edge === null ? 0 : edge.lean * Math.sign(edge.trader.position));
    mids[minute + 1] = mid + (random.next() < fall ? -FALL_TICKS : random.next() < up ? 1 : -1);
  }
  return mids;
}
