/** Limits in force and their use, from a journal's newest `controls` row with overrides and trials. Pure. */
import { z } from 'zod';
import { limitsSchema, riskSchema, type RiskOptions, type StrategyLimits } from '../risk/options.ts';
import { isClosed } from '../spine/orders/order-machine.ts';
import { LimitBook, limitText, overridable } from '../risk/limit-book.ts';
import type { StateView } from '../spine/trading-state.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/numbers/money.ts';
import { mostOf, openNotional, ordersOf, worstOf } from './plan/standing-limits.ts';
import type { Instruments } from '../model/market/instrument.ts';
import { Prices } from '../session/recorder/prices.ts';

export interface LimitUse {
  /** `account`, a symbol, or `strategy TAG`. */
  readonly scope: string;
  readonly name: string;
  /** `none`: an override took it off. */
  readonly value: string;
  /** The configured value under an override or trial (`none`: not set); else null. */
  readonly configured: string | null;
  /** Null: nothing counts against it, or the journal does not show it. */
  readonly used: string | null;
  /** `used` as a part of `value`; null without either, or for a limit of 0. */
  readonly share: number | null;
}

export interface DayLoss {
  /** UTC, `2026-11-21`. */
  readonly day: string;
  /** Reporting currency; negative for a gain. */
  readonly amount: number;
}

export interface Known {
  /** Unix ms. */
  readonly now: number;
  /** Reporting currency. */
  readonly reporting: string;
  /** As the session wrote it; null without. */
  readonly dayLoss: DayLoss | null;
  /** Of strategies with a loss limit, by tag. */
  readonly strategyLosses: Readonly<Record<string, DayLoss>>;
  /** Of one unit of a symbol, reporting currency; null: unpriced. */
  readonly worth?: (symbol: string) => number | null;
}

/** `prices`: by symbol, in its quote currency. */
export function worthBy(
  instruments: Instruments,
  reporting: string,
  prices: Readonly<Record<string, number>>,
): NonNullable<Known['worth']> {
  const known = new Prices(instruments, reporting);
  for (const [symbol, price] of Object.entries(prices)) known.replace(symbol, price);
  return (symbol) => {
    const [instrument, price] = [instruments.find(symbol), known.of(symbol)];
    const rate = instrument === undefined ? undefined : known.rate(instrument.quote);
    return instrument === undefined || price === undefined || rate === undefined
      ? null
      : price * instrument.contractValue * rate;
  };
}

const controls = z.object({
  risk: riskSchema,
  strategies: z.array(z.object({ tag: z.string(), limits: limitsSchema })),
});

interface Configured {
  readonly risk: RiskOptions;
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
}

interface Scope {
  readonly name: string;
  /** Prefix of a limit's name in override paths. */
  readonly path: string;
  readonly names: readonly string[];
  readonly strategy?: string;
  readonly symbol?: string;
}

/** Empty without limits in the journal, or with those of a different build. */
export function limitsUsed(state: StateView, known: Known): readonly LimitUse[] {
  const configured = configuredIn(state);
  if (configured === null) return [];
  const trials = new Set(state.trials.open().map(({ strategy }) => strategy));
  const book = new LimitBook(configured, state.overrides, (strategy) => trials.has(strategy));
  const inForce = book.at(known.now);
  const uses = scopesOf(inForce).flatMap((scope) =>
    scope.names.flatMap((name): readonly LimitUse[] => {
      const value = limitText(inForce, `${scope.path}.${name}`);
      const before = limitText(configured, `${scope.path}.${name}`);
      if (value === null && before === null) return [];
      const used = usedOf(state, scope, name, known);
      const share = used === null || value === null || dec(value).isZero() ? null : used.div(dec(value)).toNumber();
      return [
        {
          scope: scope.name,
          name,
          value: value ?? 'none',
          configured: before === value ? null : (before ?? 'none'),
          used: used === null ? null : decimalText(used),
          share,
        },
      ];
    }),
  );
  return [...uses, ...shares(state, inForce, known), ...tradesOfDay(state, inForce, known.now)];
}

/** Of the capital, at the equity that the session last wrote. */
function shares(state: StateView, { strategies }: Configured, known: Known): readonly LimitUse[] {
  return [...strategies].flatMap(([strategy, { share: value }]): readonly LimitUse[] => {
    if (value === undefined) return [];
    const [gross, equity] = [grossOf(state, strategy, known), equityOf(state, known.dayLoss)];
    const used = gross === null || equity === null || equity.lte(0) ? null : gross.div(equity);
    const what = { scope: `strategy ${strategy}`, name: 'share', value: String(value), configured: null };
    const share = used === null || value === 0 ? null : used.div(value).toNumber();
    return [{ ...what, used: used === null ? null : decimalText(used), share }];
  });
}

/** Positions and working orders at their worst, as the check of `budget` and `share` sums them; null: unpriced. */
function grossOf(state: StateView, strategy: string, { worth }: Known): Decimal | null {
  let sum = ZERO;
  for (const worst of worstOf(state, strategy).values()) {
    const most = mostOf(worst);
    if (most.isZero()) continue;
    const unit = worth?.(worst.symbol) ?? null;
    if (unit === null) return null;
    sum = sum.plus(most.times(unit));
  }
  return sum;
}

function equityOf({ day }: StateView, loss: DayLoss | null): Decimal | null {
  return day === undefined || loss === null || loss.day !== day.day ? null : dec(day.equity).minus(loss.amount);
}

/** With orders that work and may still get their first fill. */
function tradesOfDay(state: StateView, { strategies }: Configured, now: number): readonly LimitUse[] {
  return [...strategies].flatMap(([strategy, { maxTradesPerDay: most }]): readonly LimitUse[] => {
    if (most === undefined) return [];
    const waiting = state.orders
      .allLive()
      .filter((order) => order.strategy === strategy && !order.exits && order.progress.fillLots === 0).length;
    const used = state.trades.entriesOf(strategy, now) + waiting;
    const share = most === 0 ? null : used / most;
    const what = { scope: `strategy ${strategy}`, name: 'maxTradesPerDay', value: String(most) };
    return [{ ...what, configured: null, used: String(used), share }];
  });
}

function configuredIn(state: StateView): Configured | null {
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

function usedOf(state: StateView, scope: Scope, name: string, known: Known): Decimal | null {
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
    case 'budget':
      return scope.strategy === undefined ? null : grossOf(state, scope.strategy, known);
    default:
      return null;
  }
}

/** If all working orders of one direction filled; of the symbol nearest to its limit. */
function worstPosition(state: StateView, { strategy, symbol }: Scope): Decimal {
  let most = ZERO;
  for (const worst of worstOf(state, strategy).values()) {
    if (symbol !== undefined && worst.symbol !== symbol) continue;
    const own = mostOf(worst);
    if (own.gt(most)) most = own;
  }
  return most;
}

/** Of the journal's current day; a gain uses nothing. */
function lossOfDay({ day }: StateView, loss: DayLoss | null): Decimal | null {
  if (day === undefined || loss === null || loss.day !== day.day) return null;
  return dec(decimalText(Math.max(0, loss.amount)));
}

/** As a part of the day's starting equity. */
function lossFraction(state: StateView, loss: DayLoss | null): Decimal | null {
  const lost = lossOfDay(state, loss);
  const equity = dec(state.day?.equity ?? '0');
  return lost === null || equity.lte(0) ? null : lost.div(equity);
}
