/**
 * What is free for an order: of spot the balance that it locks, of a derivative the margin of its currency less what
 * orders on their way will need. The venue decides; this keeps what it would refuse from leaving.
 */
import type { Denied } from '../../model/deny-reason.ts';
import type { Balances } from '../balances.ts';
import { reservedLots } from '../order-machine.ts';
import type { OwnOrder } from '../own-order.ts';
import type { TradingState } from '../trading-state.ts';
import { lockCurrency, marginDenial, spotBalanceDenial } from './balance.ts';
import { isGone, type ExternalOrders, type JudgeOptions } from './exposure.ts';
import type { Candidate, RiskFacts } from './facts.ts';

export interface PurseDeps {
  readonly state: TradingState;
  readonly balances: Balances;
  /** Orders of others, as last read. */
  readonly external: () => ExternalOrders;
  /** Leverage of a symbol as the venue told it. */
  readonly leverage: (symbol: string) => number;
}

export class Purse {
  readonly #deps: PurseDeps;

  constructor(deps: PurseDeps) {
    this.#deps = deps;
  }

  denial(order: Candidate, { referenceTicks }: RiskFacts, options: JudgeOptions): Denied | null {
    const { state, balances, external, leverage } = this.#deps;
    const all = state.orders.allLive();
    const mayBeGone = options.ignoreCanceling || options.except !== undefined;
    const live = mayBeGone ? all.filter((own) => !isGone(own, options)) : all;
    const { market, settle, symbol } = order.instrument;
    if (market === 'spot') {
      const currency = lockCurrency(order);
      const externalLock = external().locks.get(currency);
      return spotBalanceDenial(order, { held: balances.of(currency), live, externalLock, referenceTicks });
    }
    const inFlight = this.#marginInFlight(live, settle, referenceTicks);
    return marginDenial(order, balances.of(settle), inFlight, referenceTicks, leverage(symbol));
  }

  /** Margin of what the venue has not answered yet: it does not stand in the balance. */
  #marginInFlight(live: readonly OwnOrder[], settle: string, referenceTicks: number): number {
    let margin = 0;
    for (const own of live) {
      const isOther = own.instrument.settle !== settle || own.instrument.market !== 'derivative';
      if (own.ackedAt !== 0 || isOther || own.exits) continue;
      margin +=
        (own.instrument.priceOf(own.isMarket ? referenceTicks : own.ticks) *
          own.instrument.quantityOf(reservedLots(own.progress)) *
          own.instrument.contractValue) /
        this.#deps.leverage(own.instrument.symbol);
    }
    return margin;
  }
}
