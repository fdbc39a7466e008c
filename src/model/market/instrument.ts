/** An instrument and its grid of `tickSize` and `lotSize`. */
import { modelErrors } from '../errors.ts';
import { parseUnits } from '../numbers/fixed-text.ts';
import { Decimal, dec, type DecimalLike } from '../numbers/money.ts';
import { mul } from '../numbers/fixed.ts';

export type Market = 'spot' | 'derivative';
export type InstrumentStatus = 'trading' | 'halted';
export type RoundMode = 'down' | 'up' | 'nearest';

/** Decimals are canonical text. */
export interface InstrumentSpec {
  readonly symbol: string;
  readonly market: Market;
  readonly base: string;
  readonly quote: string;
  /** Quote per base, e.g. `"0.01"`. */
  readonly tickSize: string;
  /** Base units, e.g. `"0.00001"`. */
  readonly lotSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  /** Price × quantity, quote units. */
  readonly minNotional: string;
  readonly status: InstrumentStatus;
  /** Perpetuals only. */
  readonly settle?: string;
  readonly contractSize?: string;
  readonly maxLeverage?: number;
  readonly fundingIntervalHours?: number;
  readonly maintenanceMarginRate?: string;
  /** Tick and lot were derived from data by `data import`. */
  readonly inferred?: boolean;
}

/** Of a JS number, in grid steps. */
const NUMBER_TOLERANCE = 1e-6;

/** Below, a double quotient errs by less than the tolerance. */
const CERTAIN_MAX = 2 ** 28;

/** Least and most of an order, in ticks and lots. */
export interface GridLimits {
  readonly minLots: number;
  readonly maxLots: number;
  /** Least ticks × lots. */
  readonly minTickLots: number;
}

interface Grid {
  readonly step: Decimal;
  readonly scale: number;
  /** At that scale: 0.5 is 5 at scale 1. */
  readonly units: number;
  readonly size: number;
  /** 1 / size if that is a power of ten, else 0. */
  readonly inverse: number;
  /** The last text and its index: quantities repeat. */
  lastText: string;
  lastIndex: number;
}

function gridOf(text: string): Grid {
  const step = dec(text).stripped();
  const { units, scale } = step;
  if (typeof units !== 'number' || units <= 0) throw new RangeError(`a step must be above zero, got ${text}`);
  return {
    step,
    scale,
    units,
    size: step.toNumber(),
    inverse: units === 1 ? Number(`1e${scale}`) : 0,
    lastText: '',
    lastIndex: Number.NaN,
  };
}

/** Fractional off the grid. */
function stepsOf({ step, scale, units }: Grid, value: Decimal): Decimal {
  return units === 1 && value.scale >= scale ? new Decimal(value.units, value.scale - scale) : value.div(step);
}

/** May be fractional. Throws `RangeError` unless finite. */
function exactOf({ step, units, scale }: Grid, index: number): Decimal {
  return Number.isSafeInteger(index) ? new Decimal(mul(index, units), scale) : dec(index).times(step);
}

function valueOf(grid: Grid, index: number): number {
  if (grid.inverse !== 0) return index / grid.inverse;
  return (index * grid.units) / Number(`1e${grid.scale}`);
}

function textOf(grid: Grid, index: number): string {
  return exactOf(grid, index).toFixed();
}

function textIndex(grid: Grid, text: string): number {
  if (text === grid.lastText) return grid.lastIndex;
  const scaled = parseUnits(text, grid.scale);
  const index = typeof scaled === 'number' ? scaled / grid.units : Number.NaN;
  grid.lastText = text;
  grid.lastIndex = Number.isSafeInteger(index) ? index : Number.NaN;
  return grid.lastIndex;
}

function exactIndex(grid: Grid, value: DecimalLike): number {
  if (typeof value === 'string') {
    return textIndex(grid, value);
  }
  if (typeof value === 'number') {
    const index = value / grid.size;
    const nearest = Math.round(index);
    if (!Number.isSafeInteger(nearest)) return Number.NaN;
    // The division of large values errs by more than the tolerance, so compare doubles.
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
    // Certain when far enough from grid points and halves.
    const half = mode === 'nearest' && Math.abs(quotient - Math.floor(quotient) - 0.5) <= NUMBER_TOLERANCE;
    if (Math.abs(quotient) < CERTAIN_MAX && !half) {
      return mode === 'down' ? Math.floor(quotient) : mode === 'up' ? Math.ceil(quotient) : Math.round(quotient);
    }
  }
  const index = stepsOf(grid, dec(value));
  const rounded = mode === 'down' ? index.floor() : mode === 'up' ? index.ceil() : index.round();
  return rounded.toNumber();
}

function checkMode(call: string, value: DecimalLike, mode: unknown): void {
  if (mode === 'down' || mode === 'up' || mode === 'nearest') return;
  const given = typeof mode === 'string' ? `'${mode}'` : typeof mode;
  throw modelErrors.make(
    'bad_rounding',
    `${call}: the way must be one of down, up, nearest, got ${given}; write ${call}(${String(value)}, 'down')`,
  );
}

export class Instrument {
  readonly symbol: string;
  readonly market: Market;
  readonly base: string;
  readonly quote: string;
  readonly spec: InstrumentSpec;
  /** For estimates, never for money. */
  readonly tick: number;
  /** For estimates, never for money. */
  readonly lot: number;
  /** 1 on spot. For estimates. */
  readonly contractValue: number;
  readonly contractSize: Decimal;
  readonly minQuantity: Decimal;
  readonly maxQuantity: Decimal;
  readonly minNotional: Decimal;
  readonly limits: GridLimits;
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
    this.limits = this.#limits();
    this.pricePrecision = this.#price.scale;
    this.quantityPrecision = this.#quantity.scale;
    Object.freeze(this);
  }

  #limits(): GridLimits {
    const lot = this.exactQuantity(1);
    return Object.freeze({
      minLots: Math.max(1, this.minQuantity.div(lot).ceil().toNumber()),
      maxLots: this.maxQuantity.div(lot).floor().toNumber(),
      minTickLots: this.minNotional
        .div(lot.times(this.exactPrice(1)))
        .ceil()
        .toNumber(),
    });
  }

  /** Perpetuals: currency of fees, margin and profit; spot: the quote. */
  get settle(): string {
    return this.spec.settle ?? this.quote;
  }

  /** `NaN` when off the grid. Numbers may be off by 1e-6 tick, text must be exact. */
  ticksOf(price: DecimalLike): number {
    return exactIndex(this.#price, price);
  }

  /** 2^53 − 1 ticks. */
  get countablePrice(): Decimal {
    return exactOf(this.#price, Number.MAX_SAFE_INTEGER);
  }

  /** 2^53 − 1 lots. */
  get countableQuantity(): Decimal {
    return exactOf(this.#quantity, Number.MAX_SAFE_INTEGER);
  }

  /** `NaN` when off the grid. */
  lotsOf(quantity: DecimalLike): number {
    return exactIndex(this.#quantity, quantity);
  }

  /** Fractional when off the grid. */
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

  /** Without contract size. */
  exactNotional(ticks: number, lots: number): Decimal {
    return this.exactPrice(ticks).times(this.exactQuantity(lots));
  }

  priceText(ticks: number): string {
    return textOf(this.#price, ticks);
  }

  quantityText(lots: number): string {
    return textOf(this.#quantity, lots);
  }

  /** On the grid, so actions accept it. Throws `bad_rounding`. */
  roundPrice(price: DecimalLike, mode: RoundMode): number {
    checkMode('roundPrice', price, mode);
    return this.priceOf(roundIndex(this.#price, price, mode));
  }

  /** On the grid, so actions accept it. Throws `bad_rounding`. */
  roundQuantity(quantity: DecimalLike, mode: RoundMode): number {
    checkMode('roundQuantity', quantity, mode);
    return this.quantityOf(roundIndex(this.#quantity, quantity, mode));
  }
}

export class Instruments {
  readonly #bySymbol = new Map<string, Instrument>();

  constructor(specs: Iterable<InstrumentSpec> = []) {
    for (const spec of specs) this.add(spec);
  }

  add(spec: InstrumentSpec): Instrument {
    const instrument = new Instrument(spec);
    this.put(instrument);
    return instrument;
  }

  put(instrument: Instrument): void {
    this.#bySymbol.set(instrument.symbol, instrument);
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
