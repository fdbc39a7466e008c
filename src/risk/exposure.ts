/**
 * Exposure of account and strategy on the candidate's symbol and position side, from positions and live orders. The
 * result objects are reused.
 */
import type { Decimal } from '../model/money.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { positionName } from '../spine/positions.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Candidate, Exposure, RiskFacts } from './facts.ts';

/** What external orders could fill (lots by symbol) and lock (amount by currency). */
export interface ExternalOrders {
  readonly buyLots: ReadonlyMap<string, number>;
  readonly sellLots: ReadonlyMap<string, number>;
  readonly locks: ReadonlyMap<string, Decimal>;
}

export interface JudgeOptions {
  /** Orders with a cancel on its way count as gone. */
  readonly ignoreCanceling: boolean;
  /** The order that is the candidate itself. */
  readonly except?: OwnOrder;
}

export function isGone(own: OwnOrder, options: JudgeOptions): boolean {
  return own === options.except || (options.ignoreCanceling && own.cancelWanted);
}

export function fillExposure(
  facts: RiskFacts,
  order: Candidate,
  state: StateView,
  external: ExternalOrders,
  options: JudgeOptions,
): void {
  const { symbol } = order.instrument;
  const { strategy, account } = facts;
  reset(strategy);
  reset(account);
  account.buyLots = external.buyLots.get(symbol) ?? 0;
  account.sellLots = external.sellLots.get(symbol) ?? 0;
  account.lots = externalLots(order, state);
  facts.againstLots = 0;
  for (const held of state.positions.all()) {
    if (held.instrument.symbol !== symbol || held.positionSide !== order.positionSide) continue;
    account.lots += held.lots;
    if (held.strategy === order.strategy) strategy.lots += held.lots;
    if (held.strategy !== order.strategy)
      facts.againstLots += Math.max(0, order.side === 'sell' ? -held.lots : held.lots);
  }
  facts.accountOpenOrders = 0;
  facts.strategyOpenOrders = 0;
  facts.symbolOpenOrders = 0;
  for (const own of state.orders.allLive()) {
    if (isGone(own, options)) continue;
    const isOwn = own.strategy === order.strategy;
    const isOfSymbol = own.instrument.symbol === symbol;
    if (!isClosed(own.progress)) {
      facts.accountOpenOrders++;
      if (isOwn) facts.strategyOpenOrders++;
      if (isOfSymbol) facts.symbolOpenOrders++;
    }
    if (!isOfSymbol || own.positionSide !== order.positionSide) continue;
    count(account, own);
    if (isOwn) count(strategy, own);
  }
}

/** Lots of the position that no strategy holds. On spot those are balance. */
export function externalLots(
  { instrument, positionSide }: Pick<Candidate, 'instrument' | 'positionSide'>,
  state: StateView,
): number {
  if (state.adjustments.size === 0) return 0;
  const adjusted = state.adjustments.get(`position/${positionName(instrument.symbol, positionSide)}`);
  return adjusted === undefined ? 0 : adjusted.toNumber() / instrument.lot;
}

function reset(exposure: Exposure): void {
  exposure.lots = 0;
  exposure.buyLots = 0;
  exposure.sellLots = 0;
}

function count(exposure: Exposure, own: OwnOrder): void {
  const reserved = reservedLots(own.progress);
  if (own.sign > 0) exposure.buyLots += reserved;
  else exposure.sellLots += reserved;
}
