/**
 * Checks that the free balance (spot) or margin (derivatives) covers an order. The venue decides; this avoids refusals.
 * Free is the total, less own fills since its report, less the locks of own live and external orders.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import { amountText, decimalText, ZERO, type Decimal } from '../model/numbers/money.ts';
import type { MarketReader } from '../model/ports.ts';
import { unspent, type HeldBalance } from '../spine/balances.ts';
import { reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { isGone, ticksOf, type Candidate, type RiskFacts } from './facts.ts';

/** Within this relative distance of the limit the exact sum decides. */
const EXACT_BAND = 1e-9;

export function fundsDenial(order: Candidate, facts: RiskFacts): Denied | null {
  if (order.instrument.market === 'spot') return balanceDenial(order, facts);
  return order.exits ? null : marginDenial(order, facts);
}

/** Quote for buys, base for sells (A1). */
function lockCurrency(order: Candidate | OwnOrder): string {
  return order.side === 'buy' ? order.instrument.quote : order.instrument.base;
}

function balanceDenial(order: Candidate, facts: RiskFacts): Denied | null {
  const { state, balances, market, external } = facts.from;
  const currency = lockCurrency(order);
  const held = balances.of(currency);
  const need = lockValue(order, order.lots, facts.referenceTicks);
  if (Number.isNaN(need)) return unpriced(order);
  if (held === undefined)
    return insufficient(order, currency, decimalText(exactLock(order, order.lots, facts.referenceTicks)), 'none');
  let free = held.total - held.spentValue - (external.locks.get(currency)?.toNumber() ?? 0);
  for (const own of state.orders.allLive()) {
    if (!locks(own, currency, facts)) continue;
    const lock = lockValue(own, reservedLots(own.progress), ticksOf(own, market));
    if (Number.isNaN(lock)) return unpriced(own);
    free -= lock;
  }
  if (free - need > need * EXACT_BAND) return null;
  if (need - free > need * EXACT_BAND) return insufficient(order, currency, amountText(need), amountText(free));
  return exactDenial(order, currency, held, facts);
}

function exactDenial(order: Candidate, currency: string, held: HeldBalance, facts: RiskFacts): Denied | null {
  const { state, market, external } = facts.from;
  const need = exactLock(order, order.lots, facts.referenceTicks);
  let free = unspent(held).minus(external.locks.get(currency) ?? ZERO);
  for (const own of state.orders.allLive())
    if (locks(own, currency, facts))
      free = free.minus(exactLock(own, reservedLots(own.progress), ticksOf(own, market)));
  return free.gte(need) ? null : insufficient(order, currency, decimalText(need), decimalText(free));
}

function locks(own: OwnOrder, currency: string, { options }: RiskFacts): boolean {
  return own.instrument.market === 'spot' && lockCurrency(own) === currency && !isGone(own, options);
}

function lockValue(order: Candidate | OwnOrder, lots: number, ticks: number): number {
  const quantity = order.instrument.quantityOf(lots);
  return order.side === 'buy' ? order.instrument.priceOf(ticks) * quantity : quantity;
}

function exactLock(order: Candidate | OwnOrder, lots: number, ticks: number): Decimal {
  const quantity = order.instrument.exactQuantity(lots);
  return order.side === 'buy' ? order.instrument.exactPrice(ticks).times(quantity) : quantity;
}

function unpriced({ instrument, side }: Candidate | OwnOrder): Denied {
  return denied('no_market', `${instrument.symbol}: there is no price, so what the ${side} needs cannot be checked`);
}

function insufficient(order: Candidate, currency: string, need: string, free: string): Denied {
  return denied(
    'insufficient_balance',
    `${order.instrument.symbol}: the ${order.side} needs ${need} ${currency}, free are ${free}`,
  );
}

/** Orders of one side: lots, and value in the settlement currency. */
interface Standing {
  lots: number;
  value: number;
}

function add(standing: Standing, lots: number, value: number): void {
  standing.lots += lots;
  standing.value += value;
}

class Sides {
  readonly buy: Standing = { lots: 0, value: 0 };
  readonly sell: Standing = { lots: 0, value: 0 };

  /** The larger value that a side would open beyond the position. In hedge mode the other side only closes. */
  worst({ positionSide }: Candidate, { account }: RiskFacts): number {
    if (positionSide === 'long') return this.buy.value;
    if (positionSide === 'short') return this.sell.value;
    return Math.max(beyond(this.buy, -account.lots), beyond(this.sell, account.lots));
  }
}

/** All orders, and those whose margin the venue holds already. Reset for each order. */
const all = new Sides();
const reported = new Sides();

/**
 * Estimates the initial margin of a perpetual order. Only the greater direction of a position needs margin, and closing
 * needs none.
 */
function marginDenial(order: Candidate, facts: RiskFacts): Denied | null {
  const { state, balances, market, external } = facts.from;
  const leverageOf = (of: string): number => state.heard.leverages.get(of) ?? 1;
  const { instrument, positionSide, side, lots } = order;
  const { symbol, settle } = instrument;
  const available = Number(balances.of(settle)?.balance.available ?? 0);
  const unit = instrument.priceOf(facts.referenceTicks) * instrument.quantityOf(1) * instrument.contractValue;
  for (const sides of [all, reported]) {
    setOthers(sides.buy, unit, external.buyLots.get(symbol));
    setOthers(sides.sell, unit, external.sellLots.get(symbol));
  }
  let besides = 0;
  for (const own of state.orders.allLive()) {
    const isTold = own.ackedAt !== 0;
    const isOfPosition = own.instrument.symbol === symbol && own.positionSide === positionSide;
    if (own.reduceOnly || (isTold && !isOfPosition) || isGone(own, facts.options)) continue;
    const reserved = reservedLots(own.progress);
    const value = valueOf(own, reserved, market);
    if (Number.isNaN(value)) return unpriced(own);
    if (isOfPosition) {
      add(all[own.side], reserved, value);
      if (isTold) add(reported[own.side], reserved, value);
    } else if (own.instrument.market === 'derivative' && own.instrument.settle === settle)
      besides += value / leverageOf(own.instrument.symbol);
  }
  const before = all.worst(order, facts);
  add(all[side], lots, unit * lots);
  const need = (all.worst(order, facts) - before) / leverageOf(symbol);
  if (need <= 0) return null;
  const onTheWay = Math.max(0, before - reported.worst(order, facts)) / leverageOf(symbol);
  const free = available - besides - onTheWay;
  return free >= need ? null : insufficient(order, settle, amountText(need), amountText(free));
}

function setOthers(standing: Standing, unit: number, lots = 0): void {
  standing.lots = lots;
  standing.value = lots * unit;
}

/** Value of the lots beyond `closable`. */
function beyond({ lots, value }: Standing, closable: number): number {
  if (closable <= 0) return value;
  return lots > closable ? value * (1 - closable / lots) : 0;
}

function valueOf(own: OwnOrder, lots: number, market: MarketReader): number {
  const { instrument } = own;
  return instrument.priceOf(ticksOf(own, market)) * instrument.quantityOf(lots) * instrument.contractValue;
}
