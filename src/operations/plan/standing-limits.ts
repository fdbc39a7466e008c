/**
 * Configured limits against orders and positions. Counts, quantities and what orders are worth by their own prices alone,
 * since a stopped session has no others. Pure.
 */
import { externalPositions } from '../../risk/facts.ts';
import type { RiskOptions, StrategyLimits } from '../../risk/options.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { positionName } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';

export interface LimitRow {
  readonly limit: 'maxOpenOrders' | 'maxOpenNotional' | 'maxPosition';
  /** `account`, a strategy's tag, or a symbol with its side in hedge mode. */
  readonly of: string;
  readonly stands: string;
  readonly allowed: string;
  readonly passed: boolean;
}

export interface LimitsInForce {
  readonly risk: RiskOptions;
  /** By tag. */
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
  /** Reporting currency. */
  readonly reporting: string;
}

/** Without either: the account. */
export interface OrderScope {
  readonly strategy?: string;
  readonly symbol?: string;
}

export interface Worst {
  readonly symbol: string;
  position: Decimal;
  buys: Decimal;
  sells: Decimal;
}

export function standingLimits(state: StateView, { risk, strategies, reporting }: LimitsInForce): readonly LimitRow[] {
  const live = [...state.orders.allLive()].filter(({ progress }) => !isClosed(progress));
  const rows: LimitRow[] = [countRow('account', live.length, risk.maxOpenOrders)];
  for (const [tag, limits] of strategies) {
    const own = live.filter(({ strategy }) => strategy === tag).length;
    if (limits.maxOpenOrders !== undefined) rows.push(countRow(tag, own, limits.maxOpenOrders));
  }
  const worth = (of: string, scope: OrderScope, allowed: string | undefined): void => {
    const stands = allowed === undefined ? null : openNotional(state, scope, reporting);
    if (allowed !== undefined && stands !== null) rows.push(row('maxOpenNotional', of, stands, allowed));
  };
  worth('account', {}, risk.maxOpenNotional);
  for (const [symbol, limits] of Object.entries(risk.symbols)) worth(symbol, { symbol }, limits.maxOpenNotional);
  for (const [strategy, limits] of strategies) worth(strategy, { strategy }, limits.maxOpenNotional);
  for (const [name, worst] of worstOf(state, undefined)) {
    const allowed = tightest(risk.symbols[worst.symbol]?.maxPosition, risk.maxPosition);
    if (allowed !== undefined) rows.push(positionRow(name, worst, allowed));
  }
  for (const [tag, { maxPosition }] of strategies) {
    if (maxPosition === undefined) continue;
    for (const [name, worst] of worstOf(state, tag)) rows.push(positionRow(`${tag} in ${name}`, worst, maxPosition));
  }
  return rows;
}

function countRow(of: string, stands: number, allowed: number): LimitRow {
  return { limit: 'maxOpenOrders', of, stands: String(stands), allowed: String(allowed), passed: stands <= allowed };
}

function positionRow(of: string, worst: Worst, allowed: string): LimitRow {
  return row('maxPosition', of, mostOf(worst), allowed);
}

/** If all working orders of one direction filled. */
export function mostOf({ position, buys, sells }: Worst): Decimal {
  const [long, short] = [position.plus(buys).abs(), position.minus(sells).abs()];
  return long.gte(short) ? long : short;
}

function row(limit: 'maxOpenNotional' | 'maxPosition', of: string, stands: Decimal, allowed: string): LimitRow {
  return { limit, of, stands: decimalText(stands), allowed, passed: stands.lte(dec(allowed)) };
}

/** Orders working, in flight, of unknown outcome, or not booked yet. */
export function ordersOf(state: StateView, { strategy, symbol }: OrderScope): readonly OwnOrder[] {
  return state.orders
    .allLive()
    .filter((order) => strategy === undefined || order.strategy === strategy)
    .filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
}

/** Orders at their limit, market orders at their decision's mid; null where unpriced. */
export function openNotional(state: StateView, scope: OrderScope, reporting: string): Decimal | null {
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

function tightest(...limits: readonly (string | undefined)[]): string | undefined {
  return limits.reduce((least, limit) =>
    least === undefined || (limit !== undefined && dec(limit).lt(least)) ? limit : least,
  );
}

/** Position and working quantity by symbol, and side in hedge mode; of one strategy, or of the account. */
export function worstOf(state: StateView, strategy: string | undefined): ReadonlyMap<string, Worst> {
  const byName = new Map<string, Worst>();
  const of = (symbol: string, positionSide: PositionSide): Worst => {
    const name = positionName(symbol, positionSide);
    let worst = byName.get(name);
    if (worst === undefined) byName.set(name, (worst = { symbol, position: ZERO, buys: ZERO, sells: ZERO }));
    return worst;
  };
  for (const held of state.positions.all()) {
    if (strategy !== undefined && held.strategy !== strategy) continue;
    const worst = of(held.instrument.symbol, held.positionSide);
    worst.position = worst.position.plus(held.position.quantity);
  }
  for (const { symbol, positionSide, quantity } of strategy === undefined ? externalPositions(state) : []) {
    const worst = of(symbol, positionSide);
    worst.position = worst.position.plus(quantity);
  }
  for (const order of state.orders.allLive()) {
    if (strategy !== undefined && order.strategy !== strategy) continue;
    const worst = of(order.instrument.symbol, order.positionSide);
    const reserved = order.instrument.exactQuantity(reservedLots(order.progress));
    if (order.sign > 0) worst.buys = worst.buys.plus(reserved);
    else worst.sells = worst.sells.plus(reserved);
  }
  return byName;
}
