/**
 * An instrument and its grid: prices are multiples of `tickSize`, quantities of `lotSize`. The hot path holds integer
 * ticks and lots; this file is the only place where they turn into decimals and numbers.
 * Wire profile, "Instrument"; strategy API, "Numbers".
 */
import { parseUnits } from './fixed-text.ts';
import { Decimal, dec, type DecimalLike } from './money.ts';
import { mul } from './fixed.ts';

export type Market = 'spot' | 'derivative';
export type InstrumentStatus = 'trading' | 'halted';
export type RoundMode = 'down' | 'up' | 'nearest';

/** The stored form: plain data, decimals as canonical text. */
export interface InstrumentSpec {
  readonly symbol: string;
  readonly market: Market;
  readonly base: string;
  readonly quote: string;
  /** Price step, quote per base, e.g. `"0.01"`. */
  readonly tickSize: string;
  /** Quantity step, base units, e.g. `"0.00001"`. */
  readonly lotSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  /** Smallest price × quantity, quote units. */
  readonly minNotional: string;
  readonly status: InstrumentStatus;
  /** Currency of margin and fees; perpetuals only. */
  readonly settle?: string;
  readonly contractSize?: string;
  readonly maxLeverage?: number;
  readonly fundingIntervalHours?: number;
  readonly maintenanceMarginRate?: string;
  /** True when tick and lot were derived from data instead of told by the exchange (cli.md, `data import`). */
  readonly inferred?: boolean;
}

/** How far a JS number may lie from a grid point, in grid steps, and still be meant (strategy API, Numbers). */
const NUMBER_TOLERANCE = 1e-6;

/** Below so many grid steps the quotient of two doubles errs by less than the tolerance. */
const CERTAIN_MAX = 2 ** 28;

interface Grid {
  readonly step: Decimal;
  /** Decimal places of the step. */
  readonly scale: number;
  /** The step as an integer at that scale: 0.5 is 5 at scale 1. */
  readonly units: number;
  /** The step as a JS number. */
  readonly size: number;
  /** Powers of ten only: 1 / size as an exact integer, else 0. */
  readonly inverse: number;
}

function gridOf(text: string): Grid {
  const step = dec(text).stripped();
  const { units, scale } = step;
  if (typeof units !== 'number' || units <= 0) throw new RangeError(`a step must be above zero, got ${text}`);
  return { step, scale, units, size: step.toNumber(), inverse: units === 1 ? Number(`1e${scale}`) : 0 };
}

/** Where a value lies on the grid, in steps; no integer when it lies between two. */
function stepsOf({ step, scale, units }: Grid, value: Decimal): Decimal {
  return units === 1 && value.scale >= scale ? new Decimal(value.units, value.scale - scale) : value.div(step);
}

/** Grid index as an exact decimal; between two points of the grid too. Throws `RangeError` unless it is finite. */
function exactOf({ step, units, scale }: Grid, index: number): Decimal {
  return Number.isSafeInteger(index) ? new Decimal(mul(index, units), scale) : dec(index).times(step);
}

/** Grid index as a JS number: the double nearest to the exact product. */
function valueOf(grid: Grid, index: number): number {
  if (grid.inverse !== 0) return index / grid.inverse;
  return (index * grid.units) / Number(`1e${grid.scale}`);
}

/** Canonical text of a grid point, without a Decimal while the scaled integer is safe. */
function textOf(grid: Grid, index: number): string {
  return exactOf(grid, index).toFixed();
}

function textIndex(grid: Grid, text: string): number {
  const scaled = parseUnits(text, grid.scale);
  const index = typeof scaled === 'number' ? scaled / grid.units : Number.NaN;
  return Number.isSafeInteger(index) ? index : Number.NaN;
}

function exactIndex(grid: Grid, value: DecimalLike): number {
  if (typeof value === 'string') {
    return textIndex(grid, value);
  }
  if (typeof value === 'number') {
    const index = value / grid.size;
    const nearest = Math.round(index);
    if (!Number.isSafeInteger(nearest)) return Number.NaN;
    // Far from zero the division itself is off by more than the tolerance: the double of a grid point is that point.
    return Math.abs(index - nearest) <= NUMBER_TOLERANCE || valueOf(grid, nearest) === value ? nearest : Number.NaN;
  }
  const index = stepsOf(grid, dec(value));
  return index.isInteger() && index.abs().lte(Number.MAX_SAFE_INTEGER) ? index.toNumber() : Number.NaN;
}

function roundIndex(grid: Grid, value: DecimalLike, mode: RoundMode): number {
  const near = exactIndex(grid, value);
  if (!Number.isNaN(near)) return near;
  if (typeof value === 'number') {
    const quotient = value / grid.size;
    // Farther from every grid point, and from every half, than a quotient of doubles errs: its side is certain.
    const half = mode === 'nearest' && Math.abs(quotient - Math.floor(quotient) - 0.5) <= NUMBER_TOLERANCE;
    if (Math.abs(quotient) < CERTAIN_MAX && !half) {
      return mode === 'down' ? Math.floor(quotient) : mode === 'up' ? Math.ceil(quotient) : Math.round(quotient);
    }
  }
  const index = stepsOf(grid, dec(value));
  const rounded = mode === 'down' ? index.floor() : mode === 'up' ? index.ceil() : index.round();
  return rounded.toNumber();
}

/** An `InstrumentSpec` with its arithmetic. Immutable; one object per symbol per process. */
export class Instrument {
  readonly symbol: string;
  readonly market: Market;
  readonly base: string;
  readonly quote: string;
  readonly spec: InstrumentSpec;
  /** Price step as a JS number; for display and estimates, never for money. */
  readonly tick: number;
  /** Quantity step as a JS number. */
  readonly lot: number;
  /** Value of price 1 × quantity 1: the contract size of a perpetual, 1 on spot. For estimates, never for money. */
  readonly contractValue: number;
  /** The same, exact. */
  readonly contractSize: Decimal;
  /** Those of the spec, exact. */
  readonly minQuantity: Decimal;
  readonly maxQuantity: Decimal;
  readonly minNotional: Decimal;
  readonly pricePrecision: number;
  readonly quantityPrecision: number;
  readonly #price: Grid;
  readonly #quantity: Grid;

  constructor(spec: InstrumentSpec) {
    this.spec = Object.freeze({ ...spec });
    this.symbol = spec.symbol;
    this.market = spec.market;
    this.base = spec.base;
    this.quote = spec.quote;
    this.#price = gridOf(spec.tickSize);
    this.#quantity = gridOf(spec.lotSize);
    this.tick = this.#price.size;
    this.lot = this.#quantity.size;
    this.contractValue = Number(spec.contractSize ?? '1');
    this.contractSize = dec(spec.contractSize ?? '1');
    this.minQuantity = dec(spec.minQuantity);
    this.maxQuantity = dec(spec.maxQuantity);
    this.minNotional = dec(spec.minNotional);
    this.pricePrecision = this.#price.scale;
    this.quantityPrecision = this.#quantity.scale;
    Object.freeze(this);
  }

  /** Currency in which fees, margin and profit of a derivative settle; the quote on spot. */
  get settle(): string {
    return this.spec.settle ?? this.quote;
  }

  /** Ticks of a price, or `NaN` when it is not on the grid. Numbers may be off by 1e-6 tick, text must be exact. */
  ticksOf(price: DecimalLike): number {
    return exactIndex(this.#price, price);
  }

  /** The greatest price whose ticks a number holds: 2^53 − 1 of them. */
  get countablePrice(): Decimal {
    return exactOf(this.#price, Number.MAX_SAFE_INTEGER);
  }

  /** The greatest quantity whose lots a number holds. */
  get countableQuantity(): Decimal {
    return exactOf(this.#quantity, Number.MAX_SAFE_INTEGER);
  }

  /** Lots of a quantity, or `NaN` when it is not on the grid. */
  lotsOf(quantity: DecimalLike): number {
    return exactIndex(this.#quantity, quantity);
  }

  /** Lots of a quantity as a number, with a fraction when it is not on the grid. */
  lotsAsNumber(quantity: Decimal): number {
    return stepsOf(this.#quantity, quantity).toNumber();
  }

  priceOf(ticks: number): number {
    return valueOf(this.#price, ticks);
  }

  quantityOf(lots: number): number {
    return valueOf(this.#quantity, lots);
  }

  exactPrice(ticks: number): Decimal {
    return exactOf(this.#price, ticks);
  }

  exactQuantity(lots: number): Decimal {
    return exactOf(this.#quantity, lots);
  }

  /** Price × quantity, exact, without the contract size. */
  exactNotional(ticks: number, lots: number): Decimal {
    return this.exactPrice(ticks).times(this.exactQuantity(lots));
  }

  /** Canonical wire text of a price. */
  priceText(ticks: number): string {
    return textOf(this.#price, ticks);
  }

  /** Canonical wire text of a quantity. */
  quantityText(lots: number): string {
    return textOf(this.#quantity, lots);
  }

  /** The nearest price on the tick grid in the given direction, as a JS number that an action accepts. */
  roundPrice(price: DecimalLike, mode: RoundMode): number {
    return this.priceOf(roundIndex(this.#price, price, mode));
  }

  /** The nearest quantity on the lot grid in the given direction. */
  roundQuantity(quantity: DecimalLike, mode: RoundMode): number {
    return this.quantityOf(roundIndex(this.#quantity, quantity, mode));
  }
}

/** The instruments of one venue by symbol; the look-up that every room shares. */
export class Instruments {
  readonly #bySymbol = new Map<string, Instrument>();

  constructor(specs: Iterable<InstrumentSpec> = []) {
    for (const spec of specs) this.add(spec);
  }

  add(spec: InstrumentSpec): Instrument {
    const instrument = new Instrument(spec);
    this.#bySymbol.set(spec.symbol, instrument);
    return instrument;
  }

  find(symbol: string): Instrument | undefined {
    return this.#bySymbol.get(symbol);
  }

  symbols(): readonly string[] {
    return [...this.#bySymbol.keys()];
  }

  all(): readonly Instrument[] {
    return [...this.#bySymbol.values()];
  }
}
