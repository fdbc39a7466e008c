/** The shape of a check: a limit on a number, or a rule. */
import { denied, type Denied, type DenyReason, type RiskFigure } from '../model/trading/deny-reason.ts';
import type { Candidate, RiskFacts, Scope } from './facts.ts';
import type { LimitName, OrderLimits } from './limits.ts';

export interface Check {
  /** Why it denies: the reason and the scope. A rule may deny with another reason. */
  readonly reason: DenyReason;
  readonly scope: Scope;
  /** Exits are judged too. */
  readonly exits: boolean;
  /** False: it denies nothing under these limits. */
  readonly isSet: (limits: OrderLimits) => boolean;
  readonly denial: (order: Candidate, facts: RiskFacts) => Denied | null;
  /** Null without a limit, or while the value is unknown. */
  readonly figure: (order: Candidate, facts: RiskFacts) => RiskFigure | null;
}

type Denies = Check['denial'];

export interface Limit {
  /** Infinity: none. */
  readonly limit: (facts: RiskFacts, order: Candidate) => number;
  /** Default: it may be set. */
  readonly isSet?: Check['isSet'];
  readonly shownLimit?: Limit['limit'];
  /** The compared worst case. */
  readonly value: (order: Candidate, facts: RiskFacts) => number;
  readonly text: (order: Candidate, value: number, limit: number, facts: RiskFacts) => string;
  /** By default it denies a value that is above or unknown. */
  readonly isBeyond?: (value: number, limit: number, order: Candidate, facts: RiskFacts) => boolean;
  /** The denial for an unknown value, if it is another one. */
  readonly unknown?: Denies;
  readonly exits?: boolean;
  readonly field?: string;
  /** Text shown beside the scope. */
  readonly part?: string;
  readonly inLots?: boolean;
}

export function limit(reason: DenyReason, scope: Scope, of: Limit): Check {
  const { text, field, part, inLots = false, exits = false, isBeyond = isAbove, isSet = always } = of;
  return {
    reason,
    scope,
    exits,
    isSet,
    denial: (order, facts) => {
      const most = of.limit(facts, order);
      if (most === Number.POSITIVE_INFINITY) return null;
      const value = of.value(order, facts);
      if (!isBeyond(value, most, order, facts)) return null;
      return of.unknown?.(order, facts) ?? denied(reason, text(order, value, most, facts), field);
    },
    figure: (order, facts) => {
      const most = (of.shownLimit ?? of.limit)(facts, order);
      if (!Number.isFinite(most)) return null;
      const value = of.value(order, facts);
      if (!Number.isFinite(value)) return null;
      const whose = part === undefined ? whoseOf(scope, order) : `${whoseOf(scope, order)}, ${part}`;
      if (!inLots) return figure(reason, whose, value, most);
      return figure(reason, whose, order.instrument.quantityOf(value), order.instrument.quantityOf(most));
    },
  };
}

export function rule(reason: DenyReason, scope: Scope, denial: Denies, exits = false): Check {
  return { reason, scope, exits, isSet: always, denial, figure: () => null };
}

const always = (): boolean => true;

/** The limit with this name in the options. */
export function configured(scope: Scope, name: LimitName): Pick<Limit, 'limit' | 'isSet'> {
  return {
    limit: ({ limits }) => limits[scope][name],
    isSet: (limits) => limits[scope][name] !== Number.POSITIVE_INFINITY,
  };
}

/** Shows the count of a rule that denies, beside the limits. */
export function shown(reason: DenyReason, part: string, value: Limit['value'], most: Limit['limit']): Check {
  return limit(reason, 'strategy', { limit: most, value, part, text: () => '', isBeyond: () => false });
}

/**
 * Absorbs the rounding of ticks × lots × a double: a value that exceeds the limit only by rounding is at the limit. NaN
 * is never within.
 */
const ROUNDING = 1e-12;

export function isWithin(value: number, most: number): boolean {
  return value <= most + Math.abs(most) * ROUNDING;
}

export function isAbove(value: number, most: number): boolean {
  return !isWithin(value, most);
}

export function whoseOf(scope: Scope, { strategy, instrument }: Candidate): string {
  return scope === 'account' ? 'the account' : scope === 'strategy' ? strategy : instrument.symbol;
}

const DIGITS = 10;
const EXACT_BELOW = 10 ** DIGITS;

export function figure(check: DenyReason, whose: string, value: number, most: number): RiskFigure {
  return [check, whose, rounded(value), rounded(most)];
}

/** Rounding through text takes about 1 µs, so small integers skip it. */
function rounded(value: number): number {
  const isExact = !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < EXACT_BELOW);
  return isExact ? value + 0 : Number(value.toPrecision(DIGITS));
}
