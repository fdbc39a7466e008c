/**
 * What the protections count of each strategy: orders of new risk that traded within the UTC day, and the last close of
 * each symbol. Follows from the fills alone; times are the exchange's.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import { realizedValue, type FillAmounts, type HeldPosition, type Positions } from './positions.ts';

const DAY_MS = 86_400_000;

/** A position is open from one whole lot on: less cannot be closed. */
const WHOLE_LOT = 1 - 1e-9;
/** Absorbs the rounding of sums of doubles. */
const ROUNDING = 1e-12;

export interface Close {
  /** Unix ms of the fill that closed the position. */
  readonly at: number;
  /** Unix ms of the last close with a loss, fees and funding included; 0: none. */
  readonly lostAt: number;
}

interface Entries {
  /** Days since 1970, UTC. */
  readonly day: number;
  count: number;
}

export interface SavedTrades {
  readonly entries: readonly (readonly [strategy: string, day: number, count: number])[];
  readonly trips: readonly (readonly [position: string, value: number])[];
  readonly closes: readonly (readonly [position: string, at: number, lostAt: number])[];
}

/** Before a fill. */
interface Before {
  readonly lots: number;
  /** As `realizedValue`. */
  readonly value: number;
}

export class StrategyTrades {
  readonly #entries = new Map<string, Entries>();
  /** Open position → realised value at its opening. */
  readonly #trips = new Map<string, number>();
  readonly #closes = new Map<string, Close>();

  /** The first fill of an order of new risk. */
  entered(strategy: string, ts: number): void {
    const day = Math.floor(ts / DAY_MS);
    const known = this.#entries.get(strategy);
    if (known !== undefined && known.day > day) return;
    if (known?.day === day) known.count++;
    else this.#entries.set(strategy, { day, count: 1 });
  }

  /** On the UTC day of `now`, Unix ms, or on a later one that the exchange has already begun. */
  entriesOf(strategy: string, now: number): number {
    const known = this.#entries.get(strategy);
    return known === undefined || known.day < Math.floor(now / DAY_MS) ? 0 : known.count;
  }

  /** Applies a new fill to the position, and sees whether it opened or closed it. */
  book(positions: Positions, strategy: string, instrument: Instrument, fill: VenueFill, amounts: FillAmounts): void {
    const held = positions.of(strategy, instrument.symbol, fill.positionSide ?? 'both');
    const before = held === undefined ? { lots: 0, value: 0 } : { lots: held.lots, value: realizedValue(held) };
    this.#moved(positions.apply(strategy, instrument, fill, amounts), before, fill.ts);
  }

  #moved(held: HeldPosition, before: Before, ts: number): void {
    const [was, is] = [before.lots, held.lots];
    const wasOpen = Math.abs(was) >= WHOLE_LOT;
    const isOpen = Math.abs(is) >= WHOLE_LOT;
    const isTurned = wasOpen && isOpen && was > 0 !== is > 0;
    if (wasOpen === isOpen && !isTurned) return;
    const position = `${closeKey(held.strategy, held.instrument.symbol)}/${held.positionSide}`;
    if (wasOpen) this.#closed(held, this.#trips.get(position) ?? 0, ts);
    if (isOpen) this.#trips.set(position, wasOpen ? realizedValue(held) : before.value);
    else this.#trips.delete(position);
  }

  lastClose(strategy: string, symbol: string): Close | undefined {
    return this.#closes.get(closeKey(strategy, symbol));
  }

  saved(): SavedTrades {
    return {
      entries: [...this.#entries].map(([strategy, { day, count }]) => [strategy, day, count]),
      trips: [...this.#trips],
      closes: [...this.#closes].map(([position, { at, lostAt }]) => [position, at, lostAt]),
    };
  }

  load({ entries, trips, closes }: SavedTrades): void {
    for (const [strategy, day, count] of entries) this.#entries.set(strategy, { day, count });
    for (const [position, value] of trips) this.#trips.set(position, value);
    for (const [position, at, lostAt] of closes) this.#closes.set(position, { at, lostAt });
  }

  #closed(held: HeldPosition, began: number, ts: number): void {
    const key = closeKey(held.strategy, held.instrument.symbol);
    const { at = 0, lostAt = 0 } = this.#closes.get(key) ?? {};
    const ended = realizedValue(held);
    const isLoss = ended - began < -ROUNDING * (Math.abs(ended) + Math.abs(began));
    this.#closes.set(key, { at: Math.max(at, ts), lostAt: isLoss ? Math.max(lostAt, ts) : lostAt });
  }
}

function closeKey(strategy: string, symbol: string): string {
  return `${strategy}/${symbol}`;
}
