/**
 * Estimates the initial margin of a perpetual order. Only the greater direction of a position needs margin, and closing
 * needs none.
 */
import type { Denied } from '../../model/deny-reason.ts';
import { amountText } from '../../model/money.ts';
import type { MarketReader } from '../../model/ports.ts';
import { reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { insufficient, unpriced } from './balance.ts';
import type { ExternalOrders } from '../exposure.ts';
import type { Candidate, RiskFacts } from '../facts.ts';
import { ticksOf } from '../market-price.ts';

export interface MarginFacts {
  /** In the settlement currency, as last reported. */
  readonly available: number;
  /** Of all symbols, without those that count as gone. */
  readonly live: readonly OwnOrder[];
  readonly external: ExternalOrders;
  readonly leverage: (symbol: string) => number;
  readonly market: MarketReader;
}

/** Orders of one side: lots, and value in the settlement currency. */
class Standing {
  lots = 0;
  value = 0;

  set(lots: number, value: number): void {
    this.lots = lots;
    this.value = value;
  }

  add(lots: number, value: number): void {
    this.lots += lots;
    this.value += value;
  }
}

class Sides {
  readonly buy = new Standing();
  readonly sell = new Standing();

  /** The greater value that a side would open beyond the position. In hedge mode the other side only closes. */
  worst({ positionSide }: Candidate, { account }: RiskFacts): number {
    if (positionSide === 'long') return this.buy.value;
    if (positionSide === 'short') return this.sell.value;
    return Math.max(beyond(this.buy, -account.lots), beyond(this.sell, account.lots));
  }
}

export class Margin {
  /** All orders, and those that the venue already holds margin for. Reset for each order. */
  readonly #all = new Sides();
  readonly #told = new Sides();

  denial(order: Candidate, facts: RiskFacts, given: MarginFacts): Denied | null {
    if (order.exits) return null;
    const { available, live, external, leverage, market } = given;
    const { instrument, positionSide, side, lots } = order;
    const { symbol, settle } = instrument;
    const [all, told] = [this.#all, this.#told];
    const unit = instrument.priceOf(facts.referenceTicks) * instrument.quantityOf(1) * instrument.contractValue;
    for (const sides of [all, told]) {
      setOthers(sides.buy, unit, external.buyLots.get(symbol));
      setOthers(sides.sell, unit, external.sellLots.get(symbol));
    }
    let besides = 0;
    for (const own of live) {
      const isTold = own.ackedAt !== 0;
      const isOfPosition = own.instrument.symbol === symbol && own.positionSide === positionSide;
      if (own.reduceOnly || (isTold && !isOfPosition)) continue;
      const reserved = reservedLots(own.progress);
      const value = valueOf(own, reserved, market);
      if (Number.isNaN(value)) return unpriced(own);
      if (isOfPosition) {
        all[own.side].add(reserved, value);
        if (isTold) told[own.side].add(reserved, value);
      } else if (own.instrument.market === 'derivative' && own.instrument.settle === settle)
        besides += value / leverage(own.instrument.symbol);
    }
    const before = all.worst(order, facts);
    all[side].add(lots, unit * lots);
    const need = (all.worst(order, facts) - before) / leverage(symbol);
    if (need <= 0) return null;
    const onTheWay = Math.max(0, before - told.worst(order, facts)) / leverage(symbol);
    const free = available - besides - onTheWay;
    return free >= need ? null : insufficient(order, settle, amountText(need), amountText(free));
  }
}

function setOthers(standing: Standing, unit: number, lots = 0): void {
  standing.set(lots, lots * unit);
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
