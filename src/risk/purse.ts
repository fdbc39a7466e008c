/** Whether the free balance (spot) or margin (derivatives) covers an order. The venue decides; this avoids refusals. */
import type { Denied } from '../model/deny-reason.ts';
import type { MarketReader } from '../model/ports.ts';
import type { Balances } from '../spine/balances.ts';
import type { StateView } from '../spine/trading-state.ts';
import { lockCurrency, spotBalanceDenial } from './checks/balance.ts';
import { isGone, type ExternalOrders, type JudgeOptions } from './exposure.ts';
import type { Candidate, RiskFacts } from './facts.ts';
import { Margin } from './checks/margin.ts';

export interface PurseDeps {
  readonly state: StateView;
  readonly balances: Balances;
  readonly market: MarketReader;
  readonly external: () => ExternalOrders;
  /** As the venue reported it. */
  readonly leverage: (symbol: string) => number;
}

export class Purse {
  readonly #deps: PurseDeps;
  readonly #margin = new Margin();

  constructor(deps: PurseDeps) {
    this.#deps = deps;
  }

  denial(order: Candidate, facts: RiskFacts, options: JudgeOptions): Denied | null {
    const { state, balances, market, external, leverage } = this.#deps;
    const all = state.orders.allLive();
    const mayBeGone = options.ignoreCanceling || options.except !== undefined;
    const live = mayBeGone ? all.filter((own) => !isGone(own, options)) : all;
    const { settle } = order.instrument;
    if (order.instrument.market === 'spot') {
      const currency = lockCurrency(order);
      const held = balances.of(currency);
      const externalLock = external().locks.get(currency);
      const { referenceTicks } = facts;
      return spotBalanceDenial(order, { held, live, externalLock, referenceTicks, market });
    }
    const available = Number(balances.of(settle)?.balance.available ?? 0);
    return this.#margin.denial(order, facts, { available, live, external: external(), leverage, market });
  }
}
