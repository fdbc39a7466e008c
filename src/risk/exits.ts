/**
 * An exit is a reduce-only order that also reduces the account, with all own orders of its side counted as filled.
 * Exits pass limits, gates and the kill latch, and a large one leaves in parts. Any other order is new risk.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { GridLimits } from '../model/market/instrument.ts';
import { amountText } from '../model/numbers/money.ts';
import type { MarketReader } from '../model/ports.ts';
import { heldMore } from '../spine/orders/fill-check.ts';
import { reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { StateView } from '../spine/trading-state.ts';
import { externalLots, isGone, type Candidate, type JudgeOptions, type RiskFacts } from './facts.ts';
import { minLotsAt } from './normalise.ts';
import type { RiskOptions } from './options.ts';

type Reduction = Pick<Candidate, 'instrument' | 'positionSide' | 'side'>;

/** Lots from exact quantities may differ in the last bits. */
const EPSILON = 1e-9;

/**
 * Lots that this side would close by the books, but not by the list of own trades; of one strategy, or of all. On spot
 * these may be coins of the user. On perpetuals the exchange itself lets no reduce-only order close too much.
 * `reserved`: lots of the trade's order that are subtracted already, as not booked yet.
 */
export function overstatedLots(
  { instrument, side }: Pick<Candidate, 'instrument' | 'side'>,
  { contradicted, orders }: StateView,
  strategy?: string,
  reserved: (own: OwnOrder) => number = () => 0,
): number {
  if (contradicted.size === 0 || instrument.market !== 'spot') return 0;
  let lots = 0;
  for (const entry of contradicted.values()) {
    if (entry.fill.symbol !== instrument.symbol) continue;
    const own = orders.byIntent(entry.intentId);
    if (strategy !== undefined && own !== undefined && own.strategy !== strategy) continue;
    const more = heldMore(entry, instrument.base);
    if (more.isNegative() !== (side === 'sell')) continue;
    lots += Math.max(0, instrument.lotsAsNumber(more.abs()) - (own?.side === side ? reserved(own) : 0));
  }
  return lots;
}

/** Whether a trade of the order waits for the human's word. On spot, as above. */
export function isContradicted({ intentId, instrument }: OwnOrder, { contradicted }: StateView): boolean {
  if (instrument.market !== 'spot') return false;
  for (const entry of contradicted.values()) if (entry.intentId === intentId) return true;
  return false;
}

/**
 * Lots by which an order of this side can reduce the account's position; 0 if it would add to it. Beside a contradicted
 * trade also the position of its strategy, so that no strategy sells what another holds.
 */
export function reducibleLots(order: Reduction, strategy: string, state: StateView, options: JudgeOptions): number {
  let lots = leftLots(order, state, options);
  if (overstatedLots(order, state) > 0) lots = Math.min(lots, leftLots(order, state, options, strategy));
  return Math.max(0, lots + EPSILON);
}

/** Of one strategy, or of the account. What is in doubt is held by none. */
function leftLots(order: Reduction, state: StateView, options: JudgeOptions, strategy?: string): number {
  const { instrument, positionSide, side } = order;
  const { symbol } = instrument;
  const sign = side === 'sell' ? 1 : -1;
  let lots = strategy === undefined ? sign * externalLots(order, state) : 0;
  const counts = (one: string): boolean => strategy === undefined || one === strategy;
  const reserved = (own: OwnOrder): number => (isGone(own, options) ? 0 : reservedLots(own.progress));
  for (const held of state.positions.all())
    if (held.instrument.symbol === symbol && held.positionSide === positionSide && counts(held.strategy))
      lots += sign * held.lots;
  for (const own of state.orders.live(symbol))
    if (own.side === side && own.positionSide === positionSide && counts(own.strategy)) lots -= reserved(own);
  return lots - overstatedLots(order, state, strategy, reserved);
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
