/**
 * Configured limits against orders and positions. Counts and quantities alone, since a stopped session has no prices.
 * Pure.
 */
import { externalPositions } from '../../risk/facts.ts';
import type { RiskOptions, StrategyLimits } from '../../risk/options.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import { positionName } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';

export interface LimitRow {
  readonly limit: 'maxOpenOrders' | 'maxPosition';
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
}

export interface Worst {
  readonly symbol: string;
  position: Decimal;
  buys: Decimal;
  sells: Decimal;
}

export function standingLimits(state: StateView, { risk, strategies }: LimitsInForce): readonly LimitRow[] {
  const live = [...state.orders.allLive()].filter(({ progress }) => !isClosed(progress));
  const rows: LimitRow[] = [countRow('account', live.length, risk.maxOpenOrders)];
  for (const [tag, limits] of strategies) {
    const own = live.filter(({ strategy }) => strategy === tag).length;
    if (limits.maxOpenOrders !== undefined) rows.push(countRow(tag, own, limits.maxOpenOrders));
  }
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
  const { position, buys, sells } = worst;
  const [long, short] = [position.plus(buys).abs(), position.minus(sells).abs()];
  const most = long.gte(short) ? long : short;
  return { limit: 'maxPosition', of, stands: decimalText(most), allowed, passed: most.lte(dec(allowed)) };
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
