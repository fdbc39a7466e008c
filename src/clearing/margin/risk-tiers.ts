/**
 * Risk tiers of a perpetual: how much leverage a notional may have and what margin keeps it open (wire profile, "risk
 * tiers"; rule A3). Maintenance margin is marginal: each tier's rate applies to the part of the notional inside the tier,
 * so it never jumps at a bound (assumed; the profile shows rates only). With the maintenance amount of tier k,
 *
 *   amount(1) = 0,  amount(k) = amount(k − 1) + maxNotional(k − 1) · (rate(k) − rate(k − 1))
 *   maintenance(notional) = notional · rate(k) − amount(k)        for notional in tier k
 *
 * Above the last tier its rate goes on, and nothing may be opened. Pure.
 */
import type { Instrument } from '../../model/instrument.ts';
import { ZERO, dec, type Decimal } from '../../model/money.ts';

/** A row of the table as it goes over the wire. */
export interface RiskTier {
  /** From 1. */
  readonly tier: number;
  /** Upper bound of the tier, inclusive, settlement currency. */
  readonly maxNotional: string;
  readonly maxLeverage: number;
  /** A fraction of the notional. */
  readonly maintenanceMarginRate: string;
}

/** A row as numbers. */
export interface TierBracket {
  /** Notional above which the tier begins. */
  readonly floor: Decimal;
  /** Null on the last tier: its rate goes on above its bound. */
  readonly ceiling: Decimal | null;
  readonly rate: Decimal;
  readonly amount: Decimal;
}

export class RiskTiers {
  readonly rows: readonly RiskTier[];
  readonly brackets: readonly TierBracket[];
  /** The last tier's rate as a number, for a first look; no notional has a higher one. */
  readonly rateMax: number;
  readonly #caps: readonly { readonly maxNotional: Decimal; readonly maxLeverage: number }[];

  /** Throws `RangeError` unless bounds and rates rise, rates are inside (0, 1) and leverage falls. */
  constructor(rows: readonly RiskTier[]) {
    this.rows = Object.freeze(rows.map((row) => Object.freeze({ ...row })));
    this.#caps = rows.map((row) => ({ maxNotional: dec(row.maxNotional), maxLeverage: row.maxLeverage }));
    this.brackets = bracketsOf(rows);
    this.rateMax = Number(rows.at(-1)?.maintenanceMarginRate ?? '1');
  }

  /** Margin below which a position of this notional is liquidated. */
  maintenance(notional: Decimal): Decimal {
    const bracket = this.brackets.find(({ ceiling }) => ceiling === null || notional.lte(ceiling))!;
    return notional.times(bracket.rate).minus(bracket.amount);
  }

  /** Greatest leverage at this notional; null above the last tier. */
  maxLeverage(notional: Decimal): number | null {
    return this.#caps.find(({ maxNotional }) => notional.lte(maxNotional))?.maxLeverage ?? null;
  }

  /** Greatest notional that may be held at this leverage; zero when no tier allows it. */
  maxNotional(leverage: number): Decimal {
    return this.#caps.findLast((cap) => cap.maxLeverage >= leverage)?.maxNotional ?? ZERO;
  }
}

/** One tier without a bound that matters, for instruments that tell a single maintenance margin rate. */
export function flatTiers(maintenanceMarginRate: string, maxLeverage: number): RiskTiers {
  return new RiskTiers([{ tier: 1, maxNotional: '1000000000000', maxLeverage, maintenanceMarginRate }]);
}

function bracketsOf(rows: readonly RiskTier[]): readonly TierBracket[] {
  const brackets: TierBracket[] = [];
  let floor = ZERO;
  let rate = ZERO;
  let amount = ZERO;
  let leverage = Number.POSITIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    const next = dec(row.maintenanceMarginRate);
    const ceiling = dec(row.maxNotional);
    if (ceiling.lte(floor) || next.lte(rate) || next.gte(1) || row.maxLeverage > leverage || row.maxLeverage < 1) {
      throw new RangeError(`risk tier ${row.tier}: bounds and rates must rise, leverage must fall`);
    }
    if (index > 0) amount = amount.plus(floor.times(next.minus(rate)));
    brackets.push({ floor, ceiling: index === rows.length - 1 ? null : ceiling, rate: next, amount });
    floor = ceiling;
    rate = next;
    leverage = row.maxLeverage;
  }
  if (brackets.length === 0) throw new RangeError('a table of risk tiers has at least one row');
  return Object.freeze(brackets);
}

/** Where neither a table nor the instrument says one. */
const MAINTENANCE_RATE = '0.005';
const LEVERAGE_MAX = 100;

/** The tiers of a perpetual: those of a table, else one with what the instrument says. */
export function tiersOf({ spec }: Instrument, rows: readonly RiskTier[] | undefined): RiskTiers {
  if (rows !== undefined) return new RiskTiers(rows);
  const told = spec.maintenanceMarginRate;
  const rate = told !== undefined && dec(told).gt(0) ? told : MAINTENANCE_RATE;
  return flatTiers(rate, spec.maxLeverage ?? LEVERAGE_MAX);
}

/** Whether rows are a table: bounds and rates rise, leverage does not. */
export function isTierTable(rows: readonly RiskTier[]): boolean {
  try {
    return new RiskTiers(rows).brackets.length > 0;
  } catch {
    return false;
  }
}
