/**
 * The compared value and the limit of each check, for `why` and `why-not`. Made beside the checks, so that an order
 * does not wait for them.
 */
import type { DenyReason, RiskFigure } from '../model/deny-reason.ts';
import type { RiskOptions } from './options.ts';
import { worstLots, type Candidate, type Exposure, type Limits, type RiskFacts } from './facts.ts';
import type { OrderLimits } from './limits.ts';
import type { Portfolio, PortfolioLimits } from './portfolio.ts';

const DIGITS = 10;
const EXACT_BELOW = 10 ** DIGITS;

export function figure(check: DenyReason, whose: string, value: number, limit: number): RiskFigure {
  return [check, whose, rounded(value), rounded(limit)];
}

/** Rounding through text takes about 1 µs, so small integers skip it. */
function rounded(value: number): number {
  const isExact = !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < EXACT_BELOW);
  return isExact ? value + 0 : Number(value.toPrecision(DIGITS));
}

/** Omits unset limits and unknown values. */
export function known(figures: readonly RiskFigure[]): readonly RiskFigure[] {
  return figures.filter(([, , value, limit]) => Number.isFinite(value) && Number.isFinite(limit));
}

export function orderFigures(
  order: Candidate,
  facts: RiskFacts,
  limits: OrderLimits,
  risk: Pick<RiskOptions, 'priceCollar' | 'maxOrderEquityFraction'>,
): readonly RiskFigure[] {
  const { strategy, instrument } = order;
  const distance = order.isMarket ? Number.NaN : Math.abs(order.ticks - facts.midTicks) / facts.midTicks;
  const { maxOpenOrders } = limits.account;
  // Otherwise the account's figure shows it.
  const isOwn = limits.equityFraction !== risk.maxOrderEquityFraction;
  const strategyEquity = isOwn ? facts.equity * limits.equityFraction : Number.POSITIVE_INFINITY;
  return [
    figure('price_collar', 'the account', distance, risk.priceCollar),
    ...sizeFigures(order, facts, limits.strategy, strategy, strategyEquity),
    ...sizeFigures(order, facts, limits.account, 'the account', facts.equity * risk.maxOrderEquityFraction),
    ...positionFigures(order, facts, facts.strategy, limits.strategy, strategy),
    ...positionFigures(order, facts, facts.account, limits.account, 'the account'),
    figure('max_open_orders', strategy, facts.strategyOpenOrders + 1, limits.strategy.maxOpenOrders),
    figure('max_open_orders', instrument.symbol, facts.symbolOpenOrders + 1, limits.symbolOpenOrders),
    figure('max_open_orders', 'the account', facts.accountOpenOrders + 1, maxOpenOrders),
  ];
}

export function portfolioFigures(
  value: number,
  { openNotional, grossAfter, netAfter }: Portfolio,
  limits: PortfolioLimits,
  whose: string,
): readonly RiskFigure[] {
  return [
    figure('max_open_notional', whose, openNotional + value, limits.maxOpenNotional),
    figure('max_gross', whose, grossAfter, limits.maxGrossValue),
    figure('max_net', whose, netAfter, limits.maxNetValue),
  ];
}

function sizeFigures(
  { instrument, lots }: Candidate,
  { referenceTicks, unitValue }: RiskFacts,
  { maxOrderLots, maxOrderValue }: Limits,
  whose: string,
  ofEquity: number,
): readonly RiskFigure[] {
  return [
    figure('max_order_size', whose, instrument.quantityOf(lots), instrument.quantityOf(maxOrderLots)),
    figure('max_order_value', whose, referenceTicks * lots * unitValue, Math.min(maxOrderValue, ofEquity)),
  ];
}

function positionFigures(
  { instrument, side, lots }: Candidate,
  { midTicks, referenceTicks, unitValue }: RiskFacts,
  exposure: Exposure,
  { maxPositionLots, maxPositionValue }: Limits,
  whose: string,
): readonly RiskFigure[] {
  const worst = worstLots(exposure, side, lots);
  const price = Number.isNaN(midTicks) ? referenceTicks : midTicks;
  return [
    figure('max_position', whose, instrument.quantityOf(worst), instrument.quantityOf(maxPositionLots)),
    figure('max_position', `${whose}, value`, worst * price * unitValue, maxPositionValue),
  ];
}
