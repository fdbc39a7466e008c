/**
 * An exit is a reduce-only order that also reduces the account, with all own orders of its side counted as filled.
 * Exits pass limits, gates and the kill latch, and a large one leaves in parts. Any other order is new risk.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { GridLimits } from '../model/market/instrument.ts';
import { amountText } from '../model/numbers/money.ts';
import type { MarketReader } from '../model/ports.ts';
import { reservedLots } from '../spine/orders/order-machine.ts';
import type { StateView } from '../spine/trading-state.ts';
import { EPSILON, externalLots, isGone, type Candidate, type JudgeOptions, type RiskFacts } from './facts.ts';
import { minLotsAt } from './normalise.ts';
import type { RiskOptions } from './options.ts';

type Reduction = Pick<Candidate, 'instrument' | 'positionSide' | 'side'>;

/** Lots by which an order of this side can reduce the account's position; 0 if it would add to it. */
export function reducibleLots(order: Reduction, state: StateView, options: JudgeOptions): number {
  const { instrument, positionSide, side } = order;
  const { symbol } = instrument;
  const sign = side === 'sell' ? 1 : -1;
  let lots = sign * externalLots(order, state);
  for (const held of state.positions.all())
    if (held.instrument.symbol === symbol && held.positionSide === positionSide) lots += sign * held.lots;
  for (const own of state.orders.live(symbol))
    if (own.side === side && own.positionSide === positionSide && !isGone(own, options))
      lots -= reservedLots(own.progress);
  return Math.max(0, lots + EPSILON);
}

/**
 * Lots that the account holds for a reduction, with all orders of its side filled that could use them up. Those of a strategy that
 * holds against the position use up nothing: what they add to the account, they add to what is held against it.
 */
export function coveredLots({ strategy, side, instrument, positionSide }: Candidate, facts: RiskFacts): number {
  const { state } = facts.from;
  const { lots, buyLots, sellLots } = facts.account;
  const sign = side === 'sell' ? 1 : -1;
  const others = new Map<string, number>();
  const add = (of: string, against: number): void => {
    if (of !== strategy) others.set(of, (others.get(of) ?? 0) + against);
  };
  for (const held of state.positions.all())
    if (held.instrument.symbol === instrument.symbol && held.positionSide === positionSide)
      add(held.strategy, -sign * held.lots);
  for (const own of state.orders.live(instrument.symbol))
    if (own.side === side && own.positionSide === positionSide && !isGone(own, facts.options))
      add(own.strategy, reservedLots(own.progress));
  let covered = sign * lots - (side === 'sell' ? sellLots : buyLots);
  for (const against of others.values()) covered += Math.max(0, against);
  return covered;
}

/** The equity limit splits an exit into at most this many parts. */
const EQUITY_PARTS_MAX = 20;

/** Most lots of one order. Without a price only limits in lots apply. */
export function partLots(order: Candidate, facts: RiskFacts): number {
  const { account, strategy, equityFraction } = facts.limits;
  const byQuantity = Math.min(account.maxOrderQuantity, strategy.maxOrderQuantity);
  const lotValue = facts.referenceTicks * facts.unitValue;
  if (!(lotValue > 0)) return byQuantity;
  const lotsOf = (value: number): number => Math.floor(value / lotValue + EPSILON);
  const byValue = lotsOf(Math.min(account.maxOrderValue, strategy.maxOrderValue));
  if (Number.isNaN(facts.equity)) return Math.min(byQuantity, byValue);
  const byEquity = lotsOf(facts.equity * Math.min(equityFraction.account, equityFraction.strategy));
  return Math.min(byQuantity, byValue, Math.max(byEquity, Math.ceil(order.lots / EQUITY_PARTS_MAX)));
}

/** Orders of one exit sent at once. */
export const PARTS_MAX = 100;

/** Lots of each order: about equal, at most `most`, at least `least`. Lots beyond `PARTS_MAX` orders are left out. */
export function partsOf(lots: number, most: number, least: number): readonly number[] {
  const count = Math.max(1, Math.min(Math.ceil(lots / most), Math.floor(lots / least)));
  if (count === 1 && Number.isInteger(lots)) return [lots];
  if (count > PARTS_MAX) return Array.from({ length: PARTS_MAX }, () => Math.max(most, least));
  const each = Math.floor(lots / count);
  const larger = lots - each * count;
  return Array.from({ length: count }, (_, index) => (index < larger ? each + 1 : each));
}

/**
 * Checks that the position after an order can be closed again (reliability M06): after a fee in base and an adverse
 * price move it must exceed the instrument's minima. `held`: signed lots of the strategy before the order.
 */
export function exitDenial(
  order: Candidate,
  grid: GridLimits,
  held: number,
  { exitMove, exitFee }: Pick<RiskOptions, 'exitMove' | 'exitFee'>,
  market: MarketReader,
): Denied | null {
  const { instrument, side, lots } = order;
  const after = held + (side === 'buy' ? lots : -lots);
  const isSpot = instrument.market === 'spot';
  // A reduction is no entry, and a sold spot quantity was held before.
  if (Math.abs(after) <= Math.abs(held) || (isSpot && after < 0)) return null;
  const mid = market.mid(instrument.symbol);
  const price = order.isMarket ? (mid === undefined ? 0 : mid / instrument.tick) : order.ticks;
  if (price <= 0) return null;
  const left = isSpot ? Math.floor(after * (1 - exitFee) + 1e-9) : Math.abs(after);
  const needed = minLotsAt(grid, after > 0 ? price * (1 - exitMove) : price);
  if (left >= needed) return null;
  const percent = (value: number): string => `${+(value * 100).toFixed(4)} %`;
  return denied(
    'not_exitable',
    `${instrument.symbol}: of a position of ${amountText(instrument.quantityOf(Math.abs(after)))} there are ${amountText(instrument.quantityOf(left))} after a fee of ${percent(exitFee)}, and after a move of ${percent(exitMove)} nothing below ${instrument.quantityText(needed)} can be closed`,
    'quantity',
  );
}
