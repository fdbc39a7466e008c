/** Selects the positions and orders of each portfolio limit; `portfolio.ts` computes the sums. */
import type { Denied, RiskFigure } from '../model/deny-reason.ts';
import type { Instruments } from '../model/instrument.ts';
import type { MarketReader } from '../model/ports.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { positionName, type HeldPosition } from '../spine/positions.ts';
import type { StateView } from '../spine/trading-state.ts';
import { budgetDenial } from './checks/budget.ts';
import { externalLots, isGone, type ExternalOrders, type JudgeOptions } from './exposure.ts';
import { valueOf, type Candidate, type RiskFacts } from './facts.ts';
import { figure, portfolioFigures } from './figures.ts';
import type { OrderLimits } from './limits.ts';
import { portfolioDenial, portfolioOf, type ExternalLine, type Portfolio, type PortfolioLimits } from './portfolio.ts';
import type { Valuation } from './losses/valuation.ts';

export interface PortfoliosDeps {
  readonly state: StateView;
  readonly instruments: Instruments;
  readonly market: MarketReader;
  readonly valuation: Valuation;
  readonly external: () => ExternalOrders;
}

/** Empty: the whole account. */
interface Scope {
  readonly strategy?: string;
  readonly symbol?: string;
}

export class Portfolios {
  readonly #deps: PortfoliosDeps;

  constructor(deps: PortfoliosDeps) {
    this.#deps = deps;
  }

  denial(order: Candidate, facts: RiskFacts, limits: OrderLimits, options: JudgeOptions): Denied | null {
    const { accountPortfolio, symbolPortfolio, strategyPortfolio, budget } = limits;
    const hasNone = accountPortfolio === null && symbolPortfolio === null && strategyPortfolio === null;
    if (order.exits || (hasNone && budget === Number.POSITIVE_INFINITY)) return null;
    const value = valueOf(order, facts);
    const { symbol } = order.instrument;
    const { strategy } = order;
    const judged = (scope: PortfolioLimits | null, whose: string, of: Scope): Denied | null =>
      scope === null ? null : portfolioDenial(order, value, this.#of(order, options, of), scope, whose);
    const denial =
      judged(strategyPortfolio, strategy, { strategy }) ??
      judged(symbolPortfolio, symbol, { symbol }) ??
      judged(accountPortfolio, 'the account', {});
    if (denial !== null || budget === Number.POSITIVE_INFINITY) return denial;
    facts.strategyValue = this.#of(order, options, { strategy }).gross;
    return budgetDenial(order, facts, budget);
  }

  figures(order: Candidate, facts: RiskFacts, limits: OrderLimits, options: JudgeOptions): readonly RiskFigure[] {
    const { strategy, instrument } = order;
    const value = valueOf(order, facts);
    const scopes = [
      { of: { strategy }, whose: strategy, set: limits.strategyPortfolio },
      { of: { symbol: instrument.symbol }, whose: instrument.symbol, set: limits.symbolPortfolio },
      { of: {}, whose: 'the account', set: limits.accountPortfolio },
    ];
    const ofScopes = scopes.flatMap(({ of, whose, set }) =>
      set === null ? [] : portfolioFigures(value, this.#of(order, options, of), set, whose),
    );
    if (limits.budget === Number.POSITIVE_INFINITY) return ofScopes;
    const { gross } = this.#of(order, options, { strategy });
    return [...ofScopes, figure('strategy_budget', strategy, gross + value, limits.budget)];
  }

  #of(order: Candidate, options: JudgeOptions, scope: Scope): Portfolio {
    const { state, market, valuation } = this.#deps;
    const isIn = ({ strategy, instrument }: OwnOrder | HeldPosition): boolean =>
      (scope.strategy === undefined || strategy === scope.strategy) &&
      (scope.symbol === undefined || instrument.symbol === scope.symbol);
    return portfolioOf(order, {
      positions: [...state.positions.all()].filter(isIn),
      live: state.orders.allLive().filter((own) => isIn(own) && !isGone(own, options)),
      external: scope.strategy === undefined ? this.#externalLines(scope.symbol) : [],
      lotValue: (instrument) =>
        (market.mid(instrument.symbol) ?? Number.NaN) *
        instrument.quantityOf(1) *
        instrument.contractValue *
        valuation.rate(instrument.quote),
      unitValue: (instrument) => valuation.unit(instrument),
    });
  }

  #externalLines(only: string | undefined): readonly ExternalLine[] {
    const { instruments, state } = this.#deps;
    const { buyLots, sellLots } = this.#deps.external();
    const lines: ExternalLine[] = [];
    for (const symbol of new Set([...buyLots.keys(), ...sellLots.keys()])) {
      const instrument = only === undefined || only === symbol ? instruments.find(symbol) : undefined;
      if (instrument === undefined) continue;
      const open = { buyLots: buyLots.get(symbol) ?? 0, sellLots: sellLots.get(symbol) ?? 0 };
      lines.push({ instrument, name: symbol, lots: 0, ...open });
    }
    for (const key of state.adjustments.keys()) {
      const [subject, symbol = '', side] = key.split('/');
      const instrument = only === undefined || only === symbol ? instruments.find(symbol) : undefined;
      if (subject !== 'position' || instrument === undefined) continue;
      const positionSide = side === 'long' || side === 'short' ? side : 'both';
      const lots = externalLots({ instrument, positionSide }, state);
      lines.push({ instrument, name: positionName(symbol, positionSide), lots, buyLots: 0, sellLots: 0 });
    }
    return lines;
  }
}
