/**
 * The limits of a session: a frozen copy of the configuration, a human's temporary overrides from the journal, and the
 * trials' shares. Recomputed only when an override or a trial changes.
 */
import { isDecimalText } from '../model/money.ts';
import { riskErrors } from './errors.ts';
import type { LimitOverrideEntry } from '../model/human-entries.ts';
import { limitsSchema, riskSchema, type RiskOptions, type StrategyLimits } from './options.ts';
import { canaryLimits, type HeldLimits } from './canary.ts';

/** Longest time of an override. */
export const OVERRIDE_LONGEST_MS = 3_600_000;

const ofSymbol = [
  'maxOrderQuantity',
  'maxOrderValue',
  'maxPosition',
  'maxPositionValue',
  'maxOpenOrders',
  'maxOpenNotional',
] as const;
const ofPortfolio = ['maxGrossValue', 'maxNetValue', 'maxOrderValuePerMinute', 'maxOrderValuePerHour'] as const;
const ofAccount = ['maxOrderEquityFraction', 'priceCollar', 'dailyLossFraction', 'drawdownFraction'] as const;
const ofStrategy = ['budget', 'maxDailyLoss', 'maxDrawdown'] as const;

export const overridable = {
  account: [...ofSymbol, ...ofPortfolio, ...ofAccount],
  symbol: ofSymbol,
  strategy: [...ofSymbol, ...ofPortfolio, ...ofStrategy],
} as const;

/** `risk.maxOrderValue`, `risk.symbols.BTCUSDT.maxPosition`, `strategies.maker.maxOrderValue`. */
export type LimitPath =
  | { readonly scope: 'account'; readonly name: string }
  | { readonly scope: 'symbol' | 'strategy'; readonly of: string; readonly name: string };

/** Throws `limit_unknown` with the known names. */
export function parseLimitPath(text: string): LimitPath {
  const parts = text.split('.');
  const name = parts.at(-1) ?? '';
  const of = parts.slice(1, -1).join('.');
  const path: LimitPath | null =
    parts[0] === 'risk' && parts[1] === 'symbols' && parts.length > 3
      ? { scope: 'symbol', of: parts.slice(2, -1).join('.'), name }
      : parts[0] === 'risk' && parts.length === 2
        ? { scope: 'account', name }
        : parts[0] === 'strategies' && parts.length > 2
          ? { scope: 'strategy', of, name }
          : null;
  const names: readonly string[] = path === null ? [] : overridable[path.scope];
  if (path !== null && names.includes(name)) return path;
  const hint =
    path === null
      ? 'write risk.NAME, risk.symbols.SYMBOL.NAME or strategies.TAG.NAME'
      : `of these: ${names.join(', ')}`;
  throw riskErrors.make('limit_unknown', `"${text}" is no limit that can be overridden; ${hint}`, { limit: text });
}

export interface Limited {
  readonly risk: RiskOptions;
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
}

/** Including trials. */
export interface Enforced extends Limited {
  readonly strategies: ReadonlyMap<string, HeldLimits>;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}

/** Throws `limit_value` when the configuration schema rejects the value. */
export function withOverride({ risk, strategies }: Limited, limit: string, value: string): Limited {
  const path = parseLimitPath(limit);
  const fail = (why: string): never => {
    throw riskErrors.make('limit_value', `${limit}: ${why}`, { limit, value });
  };
  // `Number('')` would be a limit of 0.
  if (!isDecimalText(value)) return fail('expected a decimal that is not negative, such as "0.5"');
  const given = ['maxOpenOrders', ...ofAccount].some((name) => name === path.name) ? Number(value) : value;
  if (path.scope === 'strategy') {
    const known = strategies.get(path.of);
    if (known === undefined) return fail(`no strategy has the tag "${path.of}"`);
    const parsed = limitsSchema.safeParse({ ...known, [path.name]: given });
    if (!parsed.success) return fail(parsed.error.issues[0]?.message ?? 'not a value of this limit');
    return { risk, strategies: new Map([...strategies, [path.of, frozen(parsed.data)]]) };
  }
  const changed =
    path.scope === 'account'
      ? { ...risk, [path.name]: given }
      : { ...risk, symbols: { ...risk.symbols, [path.of]: { ...risk.symbols[path.of], [path.name]: given } } };
  const parsed = riskSchema.safeParse(changed);
  if (!parsed.success) return fail(parsed.error.issues[0]?.message ?? 'not a value of this limit');
  return { risk: frozen(parsed.data), strategies };
}

/** The current value as text; null when there is none. */
export function limitText({ risk, strategies }: Limited, limit: string): string | null {
  const path = parseLimitPath(limit);
  const from: Readonly<Record<string, unknown>> =
    path.scope === 'account'
      ? risk
      : ((path.scope === 'symbol' ? risk.symbols[path.of] : strategies.get(path.of)) ?? {});
  const value = from[path.name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export class LimitBook {
  readonly #base: Limited;
  readonly #overrides: ReadonlyMap<string, LimitOverrideEntry>;
  readonly #isOnTrial: (strategy: string) => boolean;
  #configured: Limited;
  #now: Enforced;
  #nextChange = Number.POSITIVE_INFINITY;
  #seen = -1;

  /** `overrides`: the journal's limit → newest override; it may grow during the session. */
  constructor(
    base: Limited,
    overrides: ReadonlyMap<string, LimitOverrideEntry>,
    isOnTrial: (strategy: string) => boolean = () => false,
  ) {
    this.#base = frozen({
      risk: structuredClone(base.risk),
      strategies: new Map([...base.strategies].map(([tag, limits]) => [tag, frozen(structuredClone(limits))])),
    });
    this.#overrides = overrides;
    this.#isOnTrial = isOnTrial;
    this.#configured = this.#base;
    this.#now = this.#tried(this.#base);
  }

  get limits(): Enforced {
    return this.#now;
  }

  /** Without trials: an override replaces these. */
  get configured(): Limited {
    return this.#configured;
  }

  /** An override or a trial has changed. */
  touch(): void {
    this.#seen = -1;
  }

  /** Brings the limits to `now` (Unix ms); true when they may have changed. */
  at(now: number): boolean {
    if (this.#seen >= 0 && now < this.#nextChange) return false;
    this.#seen = now;
    this.#nextChange = Number.POSITIVE_INFINITY;
    let limits = this.#base;
    for (const { limit, value, until } of this.#overrides.values()) {
      if (value === null || now >= until) continue;
      this.#nextChange = Math.min(this.#nextChange, until);
      try {
        limits = withOverride(limits, limit, value);
      } catch {
        // An override that no longer fits the configuration is ignored.
      }
    }
    this.#configured = limits;
    this.#now = this.#tried(limits);
    return true;
  }

  #tried({ risk, strategies }: Limited): Enforced {
    const { canary } = risk;
    if (canary === undefined) return { risk, strategies };
    const held = [...strategies].map(([tag, own]): readonly [string, HeldLimits] => [
      tag,
      this.#isOnTrial(tag) ? frozen(canaryLimits(own, risk, canary)) : own,
    ]);
    return { risk, strategies: new Map(held) };
  }
}
