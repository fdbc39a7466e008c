/**
 * Free balance of a spot order: total, less own fills since it was reported, less the locks of own live and external
 * orders.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { amountText, decimalText, ZERO, type Decimal } from '../../model/money.ts';
import type { MarketReader } from '../../model/ports.ts';
import { unspent, type HeldBalance } from '../../spine/balances.ts';
import { reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { Candidate } from '../facts.ts';
import { ticksOf } from '../market-price.ts';

/** Within this relative distance of the limit the exact sum decides. */
const EXACT_BAND = 1e-9;

export interface BalanceFacts {
  readonly held: HeldBalance | undefined;
  /** Of all symbols, without those that count as gone. */
  readonly live: Iterable<OwnOrder>;
  readonly externalLock: Decimal | undefined;
  /** Of the candidate. */
  readonly referenceTicks: number;
  readonly market: MarketReader;
}

/** Quote for buys, base for sells (A1). */
export function lockCurrency(order: Candidate | OwnOrder): string {
  return order.side === 'buy' ? order.instrument.quote : order.instrument.base;
}

export function spotBalanceDenial(order: Candidate, facts: BalanceFacts): Denied | null {
  const currency = lockCurrency(order);
  const { held } = facts;
  const need = lockValue(order, order.lots, facts.referenceTicks);
  if (Number.isNaN(need)) return unpriced(order);
  if (held === undefined) {
    return insufficient(order, currency, decimalText(exactLock(order, order.lots, facts.referenceTicks)), 'none');
  }
  let free = held.total - held.spentValue - (facts.externalLock?.toNumber() ?? 0);
  for (const own of facts.live) {
    if (own.instrument.market !== 'spot' || lockCurrency(own) !== currency) continue;
    const lock = lockValue(own, reservedLots(own.progress), ticksOf(own, facts.market));
    if (Number.isNaN(lock)) return unpriced(own);
    free -= lock;
  }
  if (free - need > need * EXACT_BAND) return null;
  if (need - free > need * EXACT_BAND) return insufficient(order, currency, amountText(need), amountText(free));
  return exactDenial(order, currency, held, facts);
}

function exactDenial(order: Candidate, currency: string, held: HeldBalance, facts: BalanceFacts): Denied | null {
  const need = exactLock(order, order.lots, facts.referenceTicks);
  let free = unspent(held).minus(facts.externalLock ?? ZERO);
  for (const own of facts.live) {
    if (own.instrument.market === 'spot' && lockCurrency(own) === currency)
      free = free.minus(exactLock(own, reservedLots(own.progress), ticksOf(own, facts.market)));
  }
  return free.gte(need) ? null : insufficient(order, currency, decimalText(need), decimalText(free));
}

function lockValue(order: Candidate | OwnOrder, lots: number, ticks: number): number {
  const quantity = order.instrument.quantityOf(lots);
  return order.side === 'buy' ? order.instrument.priceOf(ticks) * quantity : quantity;
}

function exactLock(order: Candidate | OwnOrder, lots: number, ticks: number): Decimal {
  const quantity = order.instrument.exactQuantity(lots);
  return order.side === 'buy' ? order.instrument.exactPrice(ticks).times(quantity) : quantity;
}

export function unpriced({ instrument, side }: Candidate | OwnOrder): Denied {
  return denied('no_market', `${instrument.symbol}: there is no price, so what the ${side} needs cannot be checked`);
}

export function insufficient(order: Candidate, currency: string, need: string, free: string): Denied {
  return denied(
    'insufficient_balance',
    `${order.instrument.symbol}: the ${order.side} needs ${need} ${currency}, free are ${free}`,
  );
}
