/**
 * Risk tiers of a perpetual. Maintenance margin is marginal, so it never jumps at a bound
 * (assumed). With the amount of tier k,
 *   amount(1) = 0,  amount(k) = amount(k − 1) + maxNotional(k − 1) · (rate(k) − rate(k − 1))
 *   maintenance(notional) = notional · rate(k) − amount(k)        for notional in tier k
 * Above the last tier its rate applies and nothing may be opened.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { ZERO, dec, type Decimal } from '../../model/numbers/money.ts';

export interface RiskTier {
  readonly tier: number;
  /** Inclusive bound, settlement currency. */
  readonly maxNotional: string;
  readonly maxLeverage: number;
  /** Fraction of the notional. */
  readonly maintenanceMarginRate: string;
}

export interface TierBracket {
  /** Exclusive notional. */
  readonly floor: Decimal;
  /** Null on the last tier, whose rate has no bound. */
  readonly ceiling: Decimal | null;
  readonly rate: Decimal;
  readonly amount: Decimal;
}

export class RiskTiers {
  readonly rows: readonly RiskTier[];
  readonly brackets: readonly TierBracket[];
  /** The highest rate, for a quick upper bound. */
  readonly rateMax: number;
  readonly #caps: readonly { readonly maxNotional: Decimal; readonly maxLeverage: number }[];

  /** Throws `RangeError` unless bounds and rates rise, rates are inside (0, 1) and leverage falls. */
  constructor(rows: readonly RiskTier[]) {
    this.rows = Object.freeze(rows.map((row) => Object.freeze({ ...row })));
    this.#caps = rows.map((row) => ({ maxNotional: dec(row.maxNotional), maxLeverage: row.maxLeverage }));
    this.brackets = bracketsOf(rows);
    this.rateMax = Number(rows.at(-1)?.maintenanceMarginRate ?? '1');
  }

  maintenance(notional: Decimal): Decimal {
    const bracket = this.brackets.find(({ ceiling }) => ceiling === null || notional.lte(ceiling))!;
    return notional.times(bracket.rate).minus(bracket.amount);
  }

  /** Null above the last tier. */
  maxLeverage(notional: Decimal): number | null {
    return this.#caps.find(({ maxNotional }) => notional.lte(maxNotional))?.maxLeverage ?? null;
  }

  /** Of the first tier. */
  get leverageMax(): number {
    return this.#caps[0]?.maxLeverage ?? 0;
  }

  /** Zero when no tier allows the leverage. */
  maxNotional(leverage: number): Decimal {
    return this.#caps.findLast((cap) => cap.maxLeverage >= leverage)?.maxNotional ?? ZERO;
  }
}

/** One tier with a practically unlimited bound. */
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

/** Defaults without a table or instrument value. */
const MAINTENANCE_RATE = '0.005';
const LEVERAGE_MAX = 100;

export function tiersOf({ spec }: Instrument, rows: readonly RiskTier[] | undefined): RiskTiers {
  if (rows !== undefined) return new RiskTiers(rows);
  const told = spec.maintenanceMarginRate;
  const rate = told !== undefined && dec(told).gt(0) ? told : MAINTENANCE_RATE;
  return flatTiers(rate, spec.maxLeverage ?? LEVERAGE_MAX);
}

export function isTierTable(rows: readonly RiskTier[]): boolean {
  try {
    return new RiskTiers(rows).brackets.length > 0;
  } catch {
    return false;
  }
}
