/**
 * The limits of a session: a frozen copy of the configuration, a human's temporary overrides from the journal, and the
 * shares of trials. Recomputed only when an override or a trial changes.
 */
import { dec, decimalText, isDecimalText } from '../model/numbers/money.ts';
import { riskErrors } from './errors.ts';
import type { LimitChange, LimitOverrideEntry } from '../model/entries/human-entries.ts';
import { limitsSchema, riskSchema, type CanaryOptions, type RiskOptions, type StrategyLimits } from './options.ts';
import { amountsOfPortfolio, amountsOfStrategy, amountsOfSymbol, numberOf, type HeldLimits } from './limits.ts';

export const OVERRIDE_LONGEST_MS = 3_600_000;

const numbersOfAccount = ['maxOrderEquityFraction', 'priceCollar', 'dailyLossFraction', 'drawdownFraction'] as const;
const numbers: readonly string[] = ['maxOpenOrders', ...numbersOfAccount];
/** 0 sets no limit in these. */
const noneAtZero: readonly string[] = ['dailyLossFraction', 'drawdownFraction'];

export const overridable = {
  account: [...amountsOfSymbol, 'maxOpenOrders', ...amountsOfPortfolio, ...numbersOfAccount],
  symbol: [...amountsOfSymbol, 'maxOpenOrders'],
  strategy: [...amountsOfSymbol, 'maxOpenOrders', ...amountsOfPortfolio, ...amountsOfStrategy],
} as const;

/** `risk.maxOrderValue`, `risk.symbols.BTCUSDT.maxPosition`, `strategies.maker.maxOrderValue`. */
export type LimitPath =
  | { readonly scope: 'account'; readonly name: string }
  | { readonly scope: 'symbol' | 'strategy'; readonly of: string; readonly name: string };

const PATH = /^(?:risk|risk\.symbols\.(?<symbol>.+)|strategies\.(?<strategy>.+))\.(?<name>[^.]+)$/;

/** Throws `limit_unknown` with the known names. */
export function parseLimitPath(text: string): LimitPath {
  const { symbol, strategy, name = '' } = PATH.exec(text)?.groups ?? {};
  const path: LimitPath =
    symbol !== undefined
      ? { scope: 'symbol', of: symbol, name }
      : strategy !== undefined
        ? { scope: 'strategy', of: strategy, name }
        : { scope: 'account', name };
  const names: readonly string[] = overridable[path.scope];
  if (names.includes(name)) return path;
  const shape = 'write risk.NAME, risk.symbols.SYMBOL.NAME or strategies.TAG.NAME';
  const hint = name === '' ? shape : `of these: ${names.join(', ')}`;
  throw riskErrors.make('limit_unknown', `"${text}" is not a limit that can be overridden; ${hint}`, { limit: text });
}

export interface Limited {
  readonly risk: RiskOptions;
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
}

/** Including trials. */
export interface Enforced extends Limited {
  /** Without trials. An override replaces these. */
  readonly configured: Limited;
  readonly strategies: ReadonlyMap<string, HeldLimits>;
  readonly losses: readonly LossLimit[];
}

/** In the reporting currency; `Infinity`: none. */
export interface LossLimit {
  readonly tag: string;
  readonly maxDailyLoss: number;
  readonly maxDrawdown: number;
}

function lossLimits(strategies: ReadonlyMap<string, HeldLimits>): readonly LossLimit[] {
  return [...strategies].flatMap(([tag, { maxDailyLoss, maxDrawdown }]) =>
    maxDailyLoss === undefined && maxDrawdown === undefined
      ? []
      : [{ tag, maxDailyLoss: numberOf(maxDailyLoss), maxDrawdown: numberOf(maxDrawdown) }],
  );
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
  const given = numbers.includes(path.name) ? Number(value) : value;
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
  return typeof value === 'string' || typeof value === 'number' ? mostOf(path, String(value)) : null;
}

/** Null: no limit. */
function mostOf({ name }: LimitPath, value: string): string | null {
  return noneAtZero.includes(name) && dec(value).isZero() ? null : value;
}

/** Every limit that can be overridden is a maximum; null: none. */
function isMore(from: string | null, to: string | null): boolean {
  if (from === null) return false;
  return to === null || dec(to).gt(from);
}

export class LimitBook {
  readonly #base: Limited;
  readonly #overrides: ReadonlyMap<string, LimitOverrideEntry>;
  readonly #isOnTrial: (strategy: string) => boolean;
  /** Null until the first read after a change. */
  #enforced: Enforced | null = null;
  #nextChange = Number.POSITIVE_INFINITY;

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
  }

  changeBy({ limit, value, until }: Pick<LimitOverrideEntry, 'limit' | 'value' | 'until'>, now: number): LimitChange {
    const configured = limitText(this.#base, limit);
    const from = limitText(this.at(now).configured, limit);
    const to = value === null ? configured : mostOf(parseLimitPath(limit), value);
    const before = this.#overrides.get(limit);
    const fromUntil = before === undefined || before.value === null || now >= before.until ? null : before.until;
    // Both are constant between these moments.
    const allowsMore = [now, until, fromUntil ?? now].some((moment) =>
      isMore(moment < (fromUntil ?? now) ? from : configured, moment < until ? to : configured),
    );
    return { from, fromUntil, to, configured, allowsMore };
  }

  /** An override or a trial has changed. */
  touch(): void {
    this.#enforced = null;
  }

  /** The limits at `now` (Unix ms): for every reader the same object until they may have changed. */
  at(now: number): Enforced {
    if (this.#enforced !== null && now < this.#nextChange) return this.#enforced;
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
    this.#enforced = this.#tried(limits);
    return this.#enforced;
  }

  #tried(configured: Limited): Enforced {
    const { risk, strategies } = configured;
    const { canary } = risk;
    const heldBy = (tag: string, own: StrategyLimits): HeldLimits =>
      canary !== undefined && this.#isOnTrial(tag) ? frozen(canaryLimits(own, risk, canary)) : own;
    const held = new Map([...strategies].map(([tag, own]) => [tag, heldBy(tag, own)]));
    return { configured, risk, strategies: held, losses: lossLimits(held) };
  }
}

type Amounts<Name extends string> = { readonly [K in Name]?: string | undefined };

/** Limits of a version on trial: a share of the limits of account, symbol and strategy, and the trial's own limits. */
export function canaryLimits(own: StrategyLimits, risk: RiskOptions, canary: CanaryOptions): HeldLimits {
  const { share, limits } = canary;
  const openOrders = Math.min(own.maxOpenOrders ?? risk.maxOpenOrders, risk.maxOpenOrders);
  // At least one order.
  const openShare = Math.min(openOrders, Math.max(1, Math.floor(openOrders * share)));
  return {
    ...own,
    ...amounts([...amountsOfSymbol, ...amountsOfPortfolio], share, [own, risk], limits),
    ...amounts(amountsOfStrategy, share, [own], limits),
    maxOpenOrders: Math.min(openShare, limits.maxOpenOrders ?? Number.POSITIVE_INFINITY),
    maxOrderEquityFraction: risk.maxOrderEquityFraction * share,
    ...allowed(own.allowedSymbols, limits.allowedSymbols),
    symbols: Object.fromEntries(
      Object.entries(risk.symbols).map(([symbol, set]) => [symbol, amounts(amountsOfSymbol, share, [set], {})]),
    ),
  };
}

/** By name: the share of the tightest configured limit, or the trial's own limit if that is less. */
function amounts<Name extends string>(
  names: readonly Name[],
  share: number,
  sources: readonly Amounts<Name>[],
  whole: Amounts<Name>,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const set = sources.flatMap((source) => (source[name] === undefined ? [] : [dec(source[name]).times(share)]));
    const own = whole[name] === undefined ? [] : [dec(whole[name])];
    const [first, ...rest] = [...set, ...own];
    if (first !== undefined)
      found[name] = decimalText(rest.reduce((least, next) => (next.lt(least) ? next : least), first));
  }
  return found;
}

function allowed(
  own: readonly string[] | undefined,
  onTrial: readonly string[] | undefined,
): Pick<StrategyLimits, 'allowedSymbols'> {
  if (onTrial === undefined) return {};
  return { allowedSymbols: onTrial.filter((symbol) => own?.includes(symbol) ?? true) };
}
