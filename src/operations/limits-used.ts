/**
 * The limits in force of a session and what is used of each, from its journal: the limits of its newest `controls` row with
 * the overrides, and what trials hold back, on top. What a limit asks of one order, of a rate or of a price has no use that
 * stands; neither has what needs prices of now, which a journal does not hold. Called by `limits show`. Pure.
 */
import { z } from 'zod';
import { limitsSchema, riskSchema, type RiskOptions, type StrategyLimits } from '../execution/options.ts';
import { isClosed, reservedLots } from '../execution/order-machine.ts';
import { LimitBook, limitText, overridable } from '../execution/risk/limit-book.ts';
import type { OwnOrder } from '../execution/own-order.ts';
import type { TradingState } from '../execution/trading-state.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/money.ts';
import { worstOf } from './plan/standing-limits.ts';

export interface LimitUse {
  /** `account`, a symbol, or `strategy TAG`. */
  readonly scope: string;
  readonly name: string;
  readonly value: string;
  /** As configured (`none`: not at all), where an override or a trial stands in its place; else null. */
  readonly configured: string | null;
  /** Null: nothing stands against it, or the journal does not tell. */
  readonly used: string | null;
  /** `used` as a part of `value`; null without either, or of a limit of 0. */
  readonly share: number | null;
}

export interface DayLoss {
  /** UTC, `2026-11-21`. */
  readonly day: string;
  /** Reporting currency; below 0 what was gained. */
  readonly amount: number;
}

export interface Known {
  /** Unix ms. */
  readonly now: number;
  /** Reporting currency. */
  readonly reporting: string;
  /** Of the account, as the session says it; null where it does not. */
  readonly dayLoss: DayLoss | null;
  /** Of strategies with a limit on it, by tag. */
  readonly strategyLosses: Readonly<Record<string, DayLoss>>;
}

const controls = z.object({
  risk: riskSchema,
  strategies: z.array(z.object({ tag: z.string(), limits: limitsSchema })),
});

interface Configured {
  readonly risk: RiskOptions;
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
}

/** What the limits of one scope are held against. */
interface Scope {
  readonly name: string;
  /** Before a limit's name in the paths of overrides. */
  readonly path: string;
  readonly names: readonly string[];
  readonly strategy?: string;
  readonly symbol?: string;
}

/** None where the journal has no limits yet, or those of a build that knew others. */
export function limitsUsed(state: TradingState, known: Known): readonly LimitUse[] {
  const configured = configuredIn(state);
  if (configured === null) return [];
  const trials = new Set(state.trials.open().map(({ strategy }) => strategy));
  const book = new LimitBook(configured, state.overrides, (strategy) => trials.has(strategy));
  book.at(known.now);
  const inForce = book.limits;
  return scopesOf(inForce).flatMap((scope) =>
    scope.names.flatMap((name): readonly LimitUse[] => {
      const value = limitText(inForce, `${scope.path}.${name}`);
      if (value === null) return [];
      const before = limitText(configured, `${scope.path}.${name}`);
      const used = usedOf(state, scope, name, known);
      const share = used === null || dec(value).isZero() ? null : used.div(dec(value)).toNumber();
      return [
        {
          scope: scope.name,
          name,
          value,
          configured: before === value ? null : (before ?? 'none'),
          used: used === null ? null : decimalText(used),
          share,
        },
      ];
    }),
  );
}

function configuredIn(state: TradingState): Configured | null {
  if (state.controls === undefined) return null;
  const parsed = controls.safeParse(JSON.parse(state.controls));
  if (!parsed.success) return null;
  const { risk, strategies } = parsed.data;
  return { risk, strategies: new Map(strategies.map(({ tag, limits }) => [tag, limits])) };
}

function scopesOf({ risk, strategies }: Configured): readonly Scope[] {
  return [
    { name: 'account', path: 'risk', names: overridable.account },
    ...Object.keys(risk.symbols).map((symbol) => {
      return { name: symbol, path: `risk.symbols.${symbol}`, names: overridable.symbol, symbol };
    }),
    ...[...strategies.keys()].map((strategy) => {
      return { name: `strategy ${strategy}`, path: `strategies.${strategy}`, names: overridable.strategy, strategy };
    }),
  ];
}

function usedOf(state: TradingState, scope: Scope, name: string, known: Known): Decimal | null {
  switch (name) {
    case 'maxOpenOrders':
      return dec(String(ordersOf(state, scope).filter(({ progress }) => !isClosed(progress)).length));
    case 'maxOpenNotional':
      return openNotional(state, scope, known.reporting);
    case 'maxPosition':
      return worstPosition(state, scope);
    case 'dailyLossFraction':
      return lossFraction(state, known.dayLoss);
    case 'maxDailyLoss':
      return lossOfDay(state, known.strategyLosses[scope.strategy ?? ''] ?? null);
    default:
      return null;
  }
}

/** Everything that works, is in flight or unknown, or is not booked yet. */
function ordersOf(state: TradingState, { strategy, symbol }: Scope): readonly OwnOrder[] {
  return state.orders
    .allLive()
    .filter((order) => strategy === undefined || order.strategy === strategy)
    .filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
}

/** Orders at their limits, market orders at the mid of their decision; null where that is not the reporting currency, or unknown. */
function openNotional(state: TradingState, scope: Scope, reporting: string): Decimal | null {
  let sum = ZERO;
  for (const { instrument, isMarket, ticks, arrivalMid, progress } of ordersOf(state, scope)) {
    const lots = reservedLots(progress);
    if (lots === 0) continue;
    if (instrument.quote !== reporting || (isMarket && arrivalMid === null)) return null;
    const price = isMarket ? dec(String(arrivalMid)) : instrument.exactPrice(ticks);
    sum = sum.plus(price.times(instrument.exactQuantity(lots)).times(dec(String(instrument.contractValue))));
  }
  return sum;
}

/** If everything working in one direction filled: of the symbol that comes nearest to its limit, since each has it whole. */
function worstPosition(state: TradingState, { strategy, symbol }: Scope): Decimal {
  let most = ZERO;
  for (const worst of worstOf(state, strategy).values()) {
    if (symbol !== undefined && worst.symbol !== symbol) continue;
    for (const side of [worst.position.plus(worst.buys), worst.position.minus(worst.sells)])
      if (side.abs().gt(most)) most = side.abs();
  }
  return most;
}

/** Of the day that the journal is at; a gain uses nothing. */
function lossOfDay({ day }: TradingState, loss: DayLoss | null): Decimal | null {
  if (day === undefined || loss === null || loss.day !== day.day) return null;
  return dec(decimalText(Math.max(0, loss.amount)));
}

/** As a part of what the day began with. */
function lossFraction(state: TradingState, loss: DayLoss | null): Decimal | null {
  const lost = lossOfDay(state, loss);
  const equity = dec(state.day?.equity ?? '0');
  return lost === null || equity.lte(0) ? null : lost.div(equity);
}
