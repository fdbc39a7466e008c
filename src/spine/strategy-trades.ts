/**
 * What the protections count per strategy: orders of new risk that traded within the UTC day, and the last close of
 * each symbol. Derived from fills alone; times are the exchange's.
 */
import type { UsedTrades } from '../model/entries/used-before.ts';
import { partOf } from '../model/part-of.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { Instrument } from '../model/market/instrument.ts';
import { realizedValue, type FillAmounts, type HeldPosition, type Positions } from './positions.ts';

const DAY_MS = 86_400_000;

/** A position is open from one whole lot on, because less cannot be closed. */
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

/** Of a position in the maps. */
interface Names {
  readonly position: string;
  readonly close: string;
}

export class StrategyTrades {
  private readonly entries = new Map<string, Entries>();
  /** Open position → realised value at its opening. */
  private readonly trips = new Map<string, number>();
  private readonly closes = new Map<string, Close>();
  readonly #names = new WeakMap<HeldPosition, Names>();

  /** The first fill of an order of new risk. */
  entered(strategy: string, ts: number): void {
    const day = Math.floor(ts / DAY_MS);
    const known = this.entries.get(strategy);
    if (known !== undefined && known.day > day) return;
    if (known?.day === day) known.count++;
    else this.entries.set(strategy, { day, count: 1 });
  }

  /** On the UTC day of `now` (Unix ms), or on a later one if the exchange has begun it. */
  entriesOf(strategy: string, now: number): number {
    const known = this.entries.get(strategy);
    return known === undefined || known.day < Math.floor(now / DAY_MS) ? 0 : known.count;
  }

  /** Applies a new fill to the position, and records whether it opened or closed it. True: it closed or turned it. */
  book(positions: Positions, strategy: string, instrument: Instrument, fill: VenueFill, amounts: FillAmounts): boolean {
    const held = positions.of(strategy, instrument.symbol, fill.positionSide ?? 'both');
    const was = held?.lots ?? 0;
    const value = held === undefined || isOpenAt(was) ? 0 : realizedValue(held);
    return this.#moved(positions.apply(strategy, instrument, fill, amounts), was, value, fill.ts);
  }

  /** `value`: realised value before the fill, if the position was not open. */
  #moved(held: HeldPosition, was: number, value: number, ts: number): boolean {
    const is = held.lots;
    const wasOpen = isOpenAt(was);
    const isOpen = isOpenAt(is);
    const isTurned = wasOpen && isOpen && was > 0 !== is > 0;
    if (wasOpen === isOpen && !isTurned) return false;
    const { position, close } = this.#namesOf(held);
    if (wasOpen) this.#closed(close, realizedValue(held), this.trips.get(position) ?? 0, ts);
    if (isOpen) this.trips.set(position, wasOpen ? realizedValue(held) : value);
    else this.trips.delete(position);
    return wasOpen;
  }

  /** Made once: a new text is hashed at each look-up. */
  #namesOf(held: HeldPosition): Names {
    let names = this.#names.get(held);
    if (names === undefined) {
      const close = closeKey(held.strategy, held.instrument.symbol);
      names = { close, position: `${close}/${held.positionSide}` };
      this.#names.set(held, names);
    }
    return names;
  }

  /** For the next session. */
  used(strategy: string): UsedTrades {
    const { day = 0, count: entries = 0 } = this.entries.get(strategy) ?? {};
    return { day, entries, closes: Object.fromEntries(partOf(this.closes, closeKey(strategy, ''))) };
  }

  /** Of earlier sessions. */
  takeOver(strategy: string, { day, entries, closes }: UsedTrades): void {
    if (entries > 0) this.entries.set(strategy, { day, count: entries });
    for (const [symbol, close] of Object.entries(closes)) this.closes.set(closeKey(strategy, symbol), close);
  }

  lastClose(strategy: string, symbol: string): Close | undefined {
    return this.closes.get(closeKey(strategy, symbol));
  }

  /** `ended`, `began`: realised value after the close and at the opening. */
  #closed(key: string, ended: number, began: number, ts: number): void {
    const { at = 0, lostAt = 0 } = this.closes.get(key) ?? {};
    const isLoss = ended - began < -ROUNDING * (Math.abs(ended) + Math.abs(began));
    this.closes.set(key, { at: Math.max(at, ts), lostAt: isLoss ? Math.max(lostAt, ts) : lostAt });
  }
}

function isOpenAt(lots: number): boolean {
  return Math.abs(lots) >= WHOLE_LOT;
}

function closeKey(strategy: string, symbol: string): string {
  return `${strategy}/${symbol}`;
}
