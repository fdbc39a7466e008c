/**
 * Terms that every program has beside those of its rule, the symbols that they name, and what a rule may ask when it
 * reads them.
 */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { PositionSide, Side } from '../../model/trading/order.ts';
import type { ProgramAction } from '../../model/trading/program.ts';
import type { Prices, ProgramOver, Step, Terms } from '../../programs/rule.ts';
import { ruleOf } from '../../programs/rules.ts';
import { durationOf, fractionOf, instrumentOf } from '../../programs/terms.ts';
import { minLotsAt } from '../../risk/normalise.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { Core } from '../core.ts';

export type Grid = readonly [symbol: string, tickSize: string, lotSize: string];

export interface SharedTerms {
  /** Ms; 0: never. */
  readonly expire: number;
  readonly onStale: 'hold' | 'exit';
  /** Tick and lot sizes in which its terms are counted. */
  readonly grids: readonly Grid[];
  readonly terms: unknown;
  /** Of the target that it reaches; absent: of none. */
  readonly scope?: string;
}

export function sharedOf({ spec }: ProgramState): SharedTerms {
  return spec as SharedTerms;
}

export function sharedTerms({ expire, onStale = 'hold' }: ProgramAction): Pick<SharedTerms, 'expire' | 'onStale'> {
  return { expire: expire === undefined ? 0 : durationOf(expire, 'expire'), onStale };
}

export function symbolsOf(action: ProgramAction): readonly string[] {
  switch (action.kind) {
    case 'bracket':
      return [action.entry.symbol];
    case 'pair':
      return action.legs.map(({ symbol }) => symbol);
    case 'rebalance':
      return [];
    default:
      return [action.symbol];
  }
}

/** In hedge mode no position has both sides, so there would be nothing to close. */
export function hedgeDenial(action: ProgramAction, isHedged: (symbol: string) => boolean): Denied | null {
  const symbol = symbolsOf(action).find(isHedged);
  if (symbol === undefined) return null;
  const deny = (why: string): Denied => denied('unsupported', `${symbol} is in hedge mode: ${why}`, 'positionSide');
  if (action.kind === 'grid' || action.kind === 'dca' || action.kind === 'rebalance' || action.kind === 'pair')
    return deny(`a ${action.kind} works in one-way mode alone`);
  const parts = action.kind === 'oco' ? action.legs : [action.kind === 'bracket' ? action.entry : action];
  const isNamed = ({ positionSide: side }: (typeof parts)[number]): boolean => side === 'long' || side === 'short';
  // The rule denies what is no list.
  return !Array.isArray(parts) || parts.every(isNamed) ? null : deny("give positionSide: 'long' or 'short'");
}

const EXPIRED: ProgramOver = { state: 'canceled', reason: 'expired' };

/**
 * After its expiry it enters nothing more. Its entries stay protected until they are closed, and one that is not closed
 * may still fill. `legs`: of its orders that are not closed. Without any, and with nothing to wait for, what it holds
 * cannot be closed.
 */
export function withoutEntries(program: ProgramState, step: Step<unknown>, legs: readonly string[]): Step<unknown> {
  const rule = ruleOf(program.kind);
  const isEntry = (leg: string): boolean => rule.isEntry?.(leg) === true;
  if (step.end !== undefined) return step.end.state === 'canceled' ? { ...step, end: EXPIRED } : step;
  if (rule.isEntry === undefined) return { ...step, end: EXPIRED };
  const wants = step.wants.filter(({ leg }) => !isEntry(leg));
  if (legs.some(isEntry)) return { ...step, wants };
  const waits = legs.length > 0 || wants.length > 0 || step.trigger !== undefined || step.wakeAt !== undefined;
  return (step.covers ?? 0) > 0 && waits ? { ...step, wants } : { ...step, end: EXPIRED };
}

export function touches(program: ProgramState, symbol: string): boolean {
  if (program.symbol === symbol) return true;
  return ruleOf(program.kind)
    .hears(sharedOf(program).terms, program.symbol)
    .some((heard) => heard.symbol === symbol);
}

export function gridsOf(instruments: Instruments, symbols: readonly string[]): readonly Grid[] {
  return [...new Set(symbols)].flatMap((symbol): readonly Grid[] => {
    const spec = instruments.find(symbol)?.spec;
    return spec === undefined ? [] : [[symbol, spec.tickSize, spec.lotSize]];
  });
}

/** The symbol whose steps changed since the program began, or that is gone. */
export function movedGrid(instruments: Instruments, { grids }: SharedTerms): string | undefined {
  return grids.find(([symbol, tickSize, lotSize]) => {
    const spec = instruments.find(symbol)?.spec;
    return spec?.tickSize !== tickSize || spec.lotSize !== lotSize;
  })?.[0];
}

/** What a rule may ask about working programs. */
export interface Asked {
  prices(instrument: Instrument): Prices;
  works(strategy: string, symbol: string): boolean;
  /** Signed lots that programs of the strategy hold. */
  entered(strategy: string, symbol: string): number;
}

export function termsFrom(core: Core, asked: Asked, strategy: string): Terms {
  const { deps, state } = core;
  const { instruments, options, reporting } = deps;
  const instrument = (symbol: string): Instrument => instrumentOf(core.instrument(symbol));
  return {
    reporting,
    instrument,
    prices: (symbol) => asked.prices(instrument(symbol)),
    free: (currency) => Number(state.heard.balances.of(currency)?.balance.available ?? 0),
    reduces: (symbol, side, positionSide) =>
      (side === 'sell' ? 1 : -1) * state.positions.lots(strategy, symbol, positionSide) >= 1 ||
      isEntering(state, strategy, { symbol, side, positionSide }),
    lots: (symbol) => state.positions.lots(strategy, symbol, 'both'),
    works: (symbol) => asked.works(strategy, symbol),
    collar: options.risk.priceCollar,
    rest: (symbol) => {
      const beside = state.positions.lots(strategy, symbol, 'both') - asked.entered(strategy, symbol);
      const of = instrument(symbol);
      return beside > -minLotsAt(of.limits, asked.prices(of).mid) && beside < 1 ? fractionOf(beside) : 0;
    },
    volumes: (symbol, overMs, parts) => deps.market.volumes?.(symbol, core.now(), overMs, parts) ?? null,
    symbols: () => instruments.symbols(),
  };
}

/** As configured, else as the exchange has shown. */
export function isHedged({ deps, state }: Core, symbol: string): boolean {
  if (deps.instruments.find(symbol)?.market !== 'derivative') return false;
  const { positionMode } = deps.options.risk.perpetuals;
  return positionMode === undefined ? state.heard.hedged.has(symbol) : positionMode === 'hedge';
}

/** A working order of the strategy opens what an order of this side would close. */
export function isEntering(
  { orders }: StateView,
  strategy: string,
  { symbol, side, positionSide }: { readonly symbol: string; readonly side: Side; readonly positionSide: PositionSide },
): boolean {
  return orders
    .live(symbol)
    .some(
      (own) =>
        own.strategy === strategy &&
        own.side !== side &&
        own.positionSide === positionSide &&
        !own.reduceOnly &&
        !isClosed(own.progress),
    );
}
