/** Positions of the strategies: Σ fills less fees paid in base (rule A1), by strategy × symbol × position side. */
import type { StrategyPosition } from '../model/trading/account.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { Instrument } from '../model/market/instrument.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/numbers/money.ts';
import type { PositionSide } from '../model/trading/order.ts';
import { Position } from '../model/trading/position.ts';
import type { PositionEvent } from './events.ts';

const PAST_MAX = 512;

/** Decimal places beyond those of the tick. */
const ENTRY_EXTRA_PLACES = 8;

export interface FillAmounts {
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly fee: Decimal;
}

export function amountsOf({ price, quantity, fee }: VenueFill): FillAmounts {
  return { price: dec(price), quantity: dec(quantity), fee: dec(fee) };
}

export interface HeldPosition {
  readonly strategy: string;
  instrument: Instrument;
  readonly positionSide: PositionSide;
  readonly position: Position;
  /** Signed lots. A fraction when a fee in base took part of a lot. */
  lots: number;
  /** Last fills of a perpetual, newest last, quantities signed. */
  readonly past: { readonly ts: number; readonly quantity: Decimal }[];
  /** Signed cost for estimates: quote units, contract size included. */
  costValue: number;
  /** Σ funding, settlement currency. */
  funding: Decimal;
  /** Σ fees for estimates: quote units. */
  feeValue: number;
  /** Σ fees in a third currency, by currency. */
  otherFees?: Map<string, Decimal>;
  told: StrategyPosition | undefined;
}

export interface SavedPositions {
  readonly held: readonly HeldPosition[];
  readonly netted: Map<string, Position>;
}

export class Positions {
  readonly #held: HeldPosition[] = [];
  /** Rows by symbol, so that a look-up builds no key. */
  readonly #bySymbol = new Map<string, HeldPosition[]>();

  /** Perpetuals by `positionName`: net position of all strategies, at the average of all their fills. */
  readonly #netted: Map<string, Position>;

  constructor(netted = new Map<string, Position>()) {
    this.#netted = netted;
  }

  static of({ held, netted }: SavedPositions): Positions {
    const positions = new Positions(netted);
    for (const one of held) positions.#file({ ...one, told: undefined });
    return positions;
  }

  saved(): SavedPositions {
    return { held: this.#held.map(({ told: _told, ...held }) => held as HeldPosition), netted: this.#netted };
  }

  of(strategy: string, symbol: string, positionSide: PositionSide): HeldPosition | undefined {
    const rows = this.#bySymbol.get(symbol);
    if (rows === undefined) return undefined;
    for (let index = 0; index < rows.length; index++) {
      const held = rows[index]!;
      if (held.strategy === strategy && held.positionSide === positionSide) return held;
    }
    return undefined;
  }

  lots(strategy: string, symbol: string, positionSide: PositionSide): number {
    return this.of(strategy, symbol, positionSide)?.lots ?? 0;
  }

  /** `name`: as `positionName`. */
  netted(name: string): Readonly<Position> | undefined {
    return this.#netted.get(name);
  }

  /** In the order of their opening. Do not keep the array. */
  all(): readonly HeldPosition[] {
    return this.#held;
  }

  /** The fill must be new. */
  apply(
    strategy: string,
    instrument: Instrument,
    fill: VenueFill,
    { price, quantity, fee }: FillAmounts,
  ): HeldPosition {
    const held = this.#open(strategy, instrument, fill.positionSide ?? 'both');
    held.position.apply(fill.side, price, quantity);
    if (instrument.market === 'derivative') {
      remember(held.past, { ts: fill.ts, quantity: fill.side === 'buy' ? quantity : quantity.neg() });
      this.#net(positionName(instrument.symbol, held.positionSide)).apply(fill.side, price, quantity);
    }
    if (!fee.isZero() && paysBase(instrument, fill)) held.position.remove(fee, price);
    if (!fee.isZero()) addFee(held, fill, price, fee);
    restate(held);
    return held;
  }

  /** The settlement must be new. */
  fund(strategy: string, instrument: Instrument, positionSide: PositionSide, amount: Decimal): HeldPosition {
    const held = this.#open(strategy, instrument, positionSide);
    held.funding = held.funding.plus(amount);
    restate(held);
    return held;
  }

  /** Recounts the positions of its symbol on this grid. */
  regrid(instrument: Instrument): void {
    for (const held of this.#bySymbol.get(instrument.symbol) ?? []) {
      held.instrument = instrument;
      restate(held);
    }
  }

  #net(name: string): Position {
    let netted = this.#netted.get(name);
    if (netted === undefined) this.#netted.set(name, (netted = new Position()));
    return netted;
  }

  #open(strategy: string, instrument: Instrument, positionSide: PositionSide): HeldPosition {
    const { symbol } = instrument;
    let held = this.of(strategy, symbol, positionSide);
    if (held === undefined) {
      const values = { lots: 0, costValue: 0, funding: ZERO, feeValue: 0, told: undefined };
      held = { strategy, instrument, positionSide, position: new Position(), past: [], ...values };
      this.#file(held);
    }
    return held;
  }

  #file(held: HeldPosition): void {
    const { symbol } = held.instrument;
    this.#held.push(held);
    const rows = this.#bySymbol.get(symbol);
    if (rows === undefined) this.#bySymbol.set(symbol, [held]);
    else rows.push(held);
  }
}

function remember(past: HeldPosition['past'], fill: HeldPosition['past'][number]): void {
  past.push(fill);
  if (past.length > PAST_MAX) past.shift();
}

/** Signed quantity at `at`, exchange time in Unix ms. Undefined when later fills are forgotten. */
export function heldBefore({ position, past }: HeldPosition, at: number): Decimal | undefined {
  const later = past.filter(({ ts }) => ts > at);
  if (past.length === PAST_MAX && later.length === PAST_MAX) return undefined;
  return later.reduce((left, { quantity }) => left.minus(quantity), position.quantity);
}

function restate(held: HeldPosition): void {
  const { instrument, position } = held;
  held.lots = instrument.lotsAsNumber(position.quantity);
  held.costValue = position.cost.toEstimate() * instrument.contractValue;
  held.told = undefined;
}

/** Realised profit less fees, plus funding, for estimates. Quote units, contract size included, without `otherFees`. */
export function realizedValue({ instrument, position, funding, feeValue }: HeldPosition): number {
  return position.realized.toEstimate() * instrument.contractValue + funding.toEstimate() - feeValue;
}

function addFee(held: HeldPosition, fill: VenueFill, price: Decimal, fee: Decimal): void {
  const { instrument } = held;
  const { feeCurrency } = fill;
  if (paysBase(instrument, fill)) held.feeValue += fee.toNumber() * price.toNumber();
  else if (feeCurrency === instrument.quote || feeCurrency === instrument.settle) held.feeValue += fee.toNumber();
  else {
    held.otherFees ??= new Map();
    held.otherFees.set(feeCurrency, (held.otherFees.get(feeCurrency) ?? ZERO).plus(fee));
  }
}

/** The symbol, plus the side in hedge mode. */
export function positionName(symbol: string, positionSide: PositionSide): string {
  return positionSide === 'both' ? symbol : `${symbol}/${positionSide}`;
}

export function positionNameOf({ symbol, positionSide = 'both' }: VenueFill): string {
  return positionName(symbol, positionSide);
}

/** On spot the fee of a buy is taken from the bought base (A1). */
export function paysBase(instrument: Instrument, fill: VenueFill): boolean {
  return instrument.market === 'spot' && fill.feeCurrency === instrument.base;
}

export function strategyPosition(held: HeldPosition, isFlat: boolean): StrategyPosition {
  if (held.told?.isFlat !== isFlat) held.told = publishedPosition(held, heldAmounts(held), isFlat);
  return held.told;
}

/** Copies the amounts; builds the position only when a reader asks. */
export class PublishedPosition implements PositionEvent {
  readonly kind = 'position';
  readonly strategy: string;
  readonly #held: HeldPosition;
  readonly #amounts: Amounts;
  readonly #isFlat: boolean;
  #position: StrategyPosition | undefined;

  constructor(held: HeldPosition, isFlat: boolean) {
    this.strategy = held.strategy;
    this.#held = held;
    this.#amounts = heldAmounts(held);
    this.#isFlat = isFlat;
    Object.freeze(this);
  }

  get position(): StrategyPosition {
    return (this.#position ??= publishedPosition(this.#held, this.#amounts, this.#isFlat));
  }
}

type ShownInstrument = Pick<Instrument, 'symbol' | 'market' | 'pricePrecision' | 'contractSize'>;

type Amounts = Readonly<Pick<Position, 'cost' | 'quantity' | 'realized'>> & { readonly funding: Decimal };

function heldAmounts({ position, funding }: HeldPosition): Amounts {
  const { quantity, cost, realized } = position;
  return { quantity, cost, realized, funding };
}

function publishedPosition(
  { instrument, positionSide }: { readonly instrument: ShownInstrument; readonly positionSide: PositionSide },
  { quantity, cost, realized, funding }: Amounts,
  isFlat: boolean,
): StrategyPosition {
  const entry = quantity.isZero()
    ? null
    : cost.over(quantity, instrument.pricePrecision + ENTRY_EXTRA_PLACES, 'half-even');
  return Object.freeze({
    symbol: instrument.symbol,
    market: instrument.market,
    positionSide,
    quantity: decimalText(quantity),
    size: quantity.toNumber(),
    isFlat,
    entryPrice: entry === null ? null : decimalText(entry),
    realizedPnl: decimalText(realized.times(instrument.contractSize)),
    ...(funding.isZero() ? {} : { funding: decimalText(funding) }),
  });
}

const NOTHING: Amounts = { quantity: ZERO, cost: ZERO, realized: ZERO, funding: ZERO };

export function flatPosition(instrument: ShownInstrument, positionSide: PositionSide = 'both'): StrategyPosition {
  return publishedPosition({ instrument, positionSide }, NOTHING, true);
}
