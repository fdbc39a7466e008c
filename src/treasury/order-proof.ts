/**
 * Resolves the outcome of an order by hand. Pure.
 *
 * - An order with our client id is ours.
 * - If the exchange keeps no such ids, an order is claimed when exactly one fits by terms and time. If it keeps them,
 *   such an order stays a doubt, because ids may be forgotten.
 * - Absence needs complete orders, own trades and holdings (positions, or spot balances) after fence and lag, and
 *   trades that explain the holdings.
 */
import { itemsOf } from '../model/result.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/numbers/money.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { OrderReport, PositionSide } from '../model/trading/order.ts';
import { isLiquidation } from '../spine/external-keys.ts';
import { positionKey } from '../spine/money/content.ts';
import {
  absent,
  doubtOf,
  found,
  isCandidate,
  isFree,
  isRefused,
  mayBe,
  open,
  type Case,
  type MoneyEvidence,
  type MoneyVerdict,
} from './evidence.ts';
import { unexplainedHolding } from './spot-holding.ts';

type PerpetualCase = Case<'futuresOrder'> | Case<'futuresClose'>;
type OrderCase = Case<'spotOrder'> | PerpetualCase;
type Shown = Pick<MoneyEvidence, 'orders' | 'fills'>;

function shown({ request, evidence }: OrderCase): Shown {
  const { spotOrders, spotFills } = evidence;
  return request.kind === 'spotOrder' ? { orders: spotOrders, fills: spotFills } : evidence;
}

function isSpot(of: OrderCase): of is Case<'spotOrder'> {
  return of.request.kind === 'spotOrder';
}

export function ordered(of: Case<'spotOrder'> | Case<'futuresOrder'>): MoneyVerdict {
  const { request, rules } = of;
  const rows = itemsOf(shown(of).orders);
  const own = rows.find((row) => row.clientOrderId === request.clientOrderId);
  if (own !== undefined) return found(own.orderId, own.status, 'order');
  const candidates = rows.filter((row) => couldBe(of, row) && hasTerms(request, row));
  return byTerms(of, candidates, !rules.clientOrderIds) ?? absence(of);
}

export function closed(of: Case<'futuresClose'>): MoneyVerdict {
  const { quantity } = of.request;
  const side = closingSide(of);
  const candidates = itemsOf(of.evidence.orders).filter(
    (row) =>
      couldBe(of, row) &&
      row.type === 'market' &&
      row.reduceOnly !== false &&
      (side === null || row.side === side) &&
      (quantity === undefined || dec(row.quantity).eq(quantity)),
  );
  const isSure = candidates.every((row) => row.reduceOnly === true);
  return byTerms(of, candidates, isSure) ?? absence(of);
}

/** No client id, same position, created within the fence. */
function couldBe(of: OrderCase, row: OrderReport): boolean {
  const { record, request, rules } = of;
  if (
    !isFree(of, 'orders', row.orderId) ||
    row.clientOrderId !== undefined ||
    row.symbol !== request.symbol ||
    isLiquidation(row)
  )
    return false;
  if (row.positionSide !== undefined && row.positionSide !== sideOf(of)) return false;
  return Math.abs(row.createdAt - record.sentAt) <= rules.fenceMs;
}

function hasTerms(request: Case<'spotOrder' | 'futuresOrder'>['request'], row: OrderReport): boolean {
  const { side, type, quantity, price } = request;
  if (row.side !== side || row.type !== type || !dec(row.quantity).eq(quantity)) return false;
  return price === null || (row.price !== null && dec(row.price).eq(price));
}

/** Null when nothing fits. `mayClaim`: the terms alone suffice. */
function byTerms(of: OrderCase, candidates: readonly OrderReport[], mayClaim: boolean): MoneyVerdict | null {
  const near = candidates.filter(({ orderId, createdAt }) => isCandidate(of, 'orders', orderId, createdAt));
  // Candidates from further away are only a doubt.
  const [first, another] = near.length > 0 ? near : candidates;
  if (first === undefined) return null;
  const { orders } = shown(of);
  if (another !== undefined) {
    const ids = (near.length > 0 ? near : candidates).map(({ orderId }) => orderId).join(', ');
    return mayBe(`any of the orders ${ids} may be it`);
  }
  if (!mayClaim || near.length === 0)
    return mayBe(`order ${first.orderId} may be it: it has these terms and no client order id`);
  // An incomplete list may hide a second one.
  if (orders.kind !== 'complete')
    return mayBe(`order ${first.orderId} may be it: the orders could not be read completely: ${orders.reason}`);
  return found(first.orderId, first.status, 'order');
}

function sideOf({ request }: OrderCase): PositionSide {
  return request.kind === 'spotOrder' ? 'both' : (request.positionSide ?? 'both');
}

/** Null when the earlier position is unknown. */
function closingSide(of: Case<'futuresClose'>): 'buy' | 'sell' | null {
  const { positionSide } = of.request;
  if (positionSide !== 'both') return positionSide === 'long' ? 'sell' : 'buy';
  const held = heldBefore(of);
  if (held === null || held.isZero()) return null;
  return held.isNegative() ? 'buy' : 'sell';
}

function heldBefore(of: PerpetualCase): Decimal | null {
  const reported = of.record.before?.totals[positionKey(of.request.symbol, sideOf(of))];
  return reported === undefined ? null : dec(reported);
}

function absence(of: OrderCase): MoneyVerdict {
  const { evidence, record, rules, request } = of;
  const { orders, fills } = shown(of);
  const doubt =
    doubtOf(of, 'the orders', orders) ??
    doubtOf(of, 'the own trades', fills) ??
    (isSpot(of) ? doubtOf(of, 'the balances', evidence.balances) : doubtOf(of, 'the positions', evidence.positions));
  if (doubt !== null) return doubt;
  const since = Math.min(record.sentAt - rules.fenceMs, record.before?.at ?? record.sentAt);
  const listed = new Map(itemsOf(orders).map(({ orderId, side }) => [orderId, side]));
  const recent = itemsOf(fills).filter(({ ts }) => ts >= since);
  const own = recent.filter((fill) => fill.symbol === request.symbol && (fill.positionSide ?? 'both') === sideOf(of));
  const stray = own.find(({ orderId }) => !listed.has(orderId));
  if (stray !== undefined)
    return mayBe(`trade ${stray.tradeId} is of order ${stray.orderId}, which is not listed and may be it`);
  if (isRefused(of)) return absent('no list shows it');
  const sided = (rows: readonly VenueFill[]): readonly VenueFill[] =>
    rows.map((fill) => ({ ...fill, side: listed.get(fill.orderId) ?? fill.side }));
  const left = isSpot(of) ? unexplainedHolding(of, sided(recent)) : unexplained(of, sided(own));
  const what = isSpot(of) ? 'the balance' : 'the position';
  return left ?? absent(`no list shows it and own trades explain ${what}`);
}

/** Null when the earlier position and the trades explain the present one. */
function unexplained(of: PerpetualCase, fills: readonly VenueFill[]): MoneyVerdict | null {
  const before = heldBefore(of);
  if (before === null) return open('what was held before is not known');
  const { symbol } = of.request;
  const side = sideOf(of);
  // A trade during the poll is in both.
  const from = of.record.before?.at ?? of.record.sentAt;
  const traded = fills
    .filter(({ ts }) => ts >= from)
    .reduce(
      (sum, fill) => sum.plus(dec(fill.quantity).times(fill.side === (side === 'short' ? 'sell' : 'buy') ? 1 : -1)),
      ZERO,
    );
  const reported = itemsOf(of.evidence.positions).find((row) => row.symbol === symbol && row.positionSide === side);
  const now = dec(reported?.quantity ?? '0');
  if (now.eq(before.plus(traded))) return null;
  return open(
    `${decimalText(before)} ${symbol} was held and ${decimalText(traded)} traded, but ${decimalText(now)} is held now`,
  );
}
