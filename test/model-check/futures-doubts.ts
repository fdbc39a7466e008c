/** Reasons against an order of a perpetual (wire profile, "Business refusals"; simulation.md A5). */
import { amount, product, type Amount } from './amount.ts';
import { onlyCloses, type FuturesOrder, type Perpetual, type PositionSide } from './futures-order.ts';
import type { FuturesAccounts } from './margin.ts';
import { dividedUp, magnitude } from './position.ts';
import type { Person } from './world.ts';

interface WantedOrder {
  readonly perpetual: Perpetual;
  readonly owner: Person;
  readonly side: 'buy' | 'sell';
  readonly positionSide: PositionSide;
  readonly price: Amount | null;
  readonly quantity: Amount;
  readonly reduceOnly: boolean;
}

/** Reasons against an order. Between certainly too much and certainly enough the exchange decides. */
export function doubtOrder(
  accounts: FuturesAccounts,
  wanted: WantedOrder,
  rivals: readonly FuturesOrder[],
  last: Amount,
  takerRate: Amount,
): { readonly must: string[]; readonly may: string[] } {
  const { perpetual, owner, side, positionSide, price, quantity } = wanted;
  const { symbol } = perpetual;
  const must: string[] = [];
  const may: string[] = [];
  if (quantity > amount(perpetual.maxQuantity)) must.push('above_maximum');
  if (quantity < amount(perpetual.minQuantity)) must.push('below_minimum');
  if (quantity % amount(perpetual.lotSize) !== 0n) must.push('off_lot');
  if (price !== null && price % amount(perpetual.tickSize) !== 0n) must.push('off_tick');
  if (!accounts.allows(owner, positionSide)) return { must: [...must, 'illegal_transition'], may };
  if (must.length > 0) return { must, may: ['reduce_only_violation', 'below_minimum'] };
  const slot = accounts.slot(owner, symbol, positionSide);
  if (onlyCloses(wanted)) {
    return { must: quantity > slot.position.closable(side) ? ['reduce_only_violation'] : [], may };
  }
  const prices = price === null ? [...rivals.map((rival) => rival.price ?? 0n), last] : [price];
  const small = amount(perpetual.minNotional);
  const isSmall = (each: Amount): boolean => product(each, quantity) < small;
  if (price !== null && isSmall(price)) must.push('below_minimum');
  if (price === null && prices.some(isSmall)) may.push('below_minimum');
  const { leverage } = accounts.terms(owner, symbol);
  const allowed = accounts.notionalMax(symbol, leverage);
  const best = [...prices, ...rivals.map((rival) => rival.price ?? 0n)].reduce((a, b) => (b > a ? b : a), 0n);
  const most = product(best, quantity);
  const standing = magnitude(slot.position.cost) + accounts.openingValue(slot);
  const isIdle = accounts.isIdle(slot);
  if (price !== null && isIdle && product(price, quantity) > allowed) must.push('leverage_too_high');
  if (standing + most > allowed) may.push('leverage_too_high');
  // Against the mark a sell loses most by its part at the lowest price, which may be its limit.
  const losses = [best, ...prices].map((each) => magnitude(each - accounts.mark(symbol)));
  const loss = losses.reduce((a, b) => (b > a ? b : a), 0n);
  const opens = most + accounts.displacedValue(slot, side);
  const upper = dividedUp(opens, leverage) + product(most, takerRate) + product(loss, quantity);
  if (accounts.available(owner) + accounts.openLosses(owner) < upper) may.push('insufficient_balance');
  if (price !== null && isIdle && accounts.available(owner) < dividedUp(product(price, quantity), leverage)) {
    must.push('insufficient_balance');
  }
  return { must, may };
}
