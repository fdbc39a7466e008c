/** Quotes of one strategy × symbol × tag. Comparing an unchanged set allocates nothing. */
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { filledLots, isClosed } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { DesiredLeg, Standing, Tolerance } from './quoting.ts';

/** Columns of one side. */
export interface LegColumns {
  count: number;
  readonly ticks: number[];
  readonly lots: number[];
  readonly postOnly: boolean[];
}

export function legColumns(): LegColumns {
  return { count: 0, ticks: [], lots: [], postOnly: [] };
}

/** Legs of one price are merged, and post-only if one of them is. */
export function addLeg(legs: LegColumns, ticks: number, lots: number, postOnly: boolean): void {
  for (let index = 0; index < legs.count; index++) {
    if (legs.ticks[index] !== ticks) continue;
    legs.lots[index] = (legs.lots[index] ?? 0) + lots;
    if (postOnly) legs.postOnly[index] = true;
    return;
  }
  legs.ticks[legs.count] = ticks;
  legs.lots[legs.count] = lots;
  legs.postOnly[legs.count] = postOnly;
  legs.count++;
}

function sameLegs(a: LegColumns, b: LegColumns): boolean {
  if (a.count !== b.count) return false;
  for (let index = 0; index < a.count; index++) {
    if (a.ticks[index] !== b.ticks[index] || a.lots[index] !== b.lots[index] || a.postOnly[index] !== b.postOnly[index])
      return false;
  }
  return true;
}

export interface WaitingLeg extends DesiredLeg {
  readonly side: Side;
  readonly postOnly: boolean;
  /** Unix ms of the quote. */
  readonly decidedAt: number;
}

export interface StandingOrder extends Standing {
  readonly order: OwnOrder;
}

export class QuoteScope {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  readonly tag: string;
  bids: LegColumns = legColumns();
  asks: LegColumns = legColumns();
  tolerance: Tolerance = { priceTicks: 0, quantityFraction: 0 };
  waiting: WaitingLeg[] = [];
  /** The next comparison must not be skipped. */
  dirty = true;
  readonly #orders: OwnOrder[];
  readonly #filledAt: number[] = [];

  constructor(slot: StrategySlot, instrument: Instrument, tag: string, orders: readonly OwnOrder[]) {
    this.slot = slot;
    this.instrument = instrument;
    this.tag = tag;
    this.#orders = [...orders];
  }

  /** True when this set was compared before and its orders are unchanged. */
  unchanged(bids: LegColumns, asks: LegColumns, priceTicks: number, quantityFraction: number): boolean {
    if (this.dirty || !sameLegs(this.bids, bids) || !sameLegs(this.asks, asks)) return false;
    if (this.tolerance.priceTicks !== priceTicks || this.tolerance.quantityFraction !== quantityFraction) return false;
    for (let index = 0; index < this.#orders.length; index++) {
      const order = this.#orders[index];
      if (
        order === undefined ||
        isClosed(order.progress) ||
        order.cancelWanted ||
        filledLots(order.progress) !== this.#filledAt[index]
      )
        return false;
    }
    return true;
  }

  add(order: OwnOrder): void {
    this.#orders.push(order);
  }

  /** Oldest first. */
  standing(side: Side): StandingOrder[] {
    const standing: StandingOrder[] = [];
    for (const order of this.#orders)
      if (order.side === side && isStanding(order))
        standing.push({ order, ticks: order.ticks, lots: standingLots(order) });
    return standing;
  }

  /** Fast path: at most one leg, which the side's only order satisfies within the tolerance. */
  stands(side: Side, legs: LegColumns): boolean {
    if (legs.count > 1) return false;
    let only: OwnOrder | undefined;
    for (const order of this.#orders) {
      if (order.side !== side || !isStanding(order)) continue;
      if (only !== undefined) return false;
      only = order;
    }
    if (only === undefined || legs.count === 0) return only === undefined && legs.count === 0;
    const { priceTicks, quantityFraction } = this.tolerance;
    const [ticks = 0] = legs.ticks;
    const [lots = 0] = legs.lots;
    const difference = Math.abs(standingLots(only) - lots);
    return Math.abs(only.ticks - ticks) <= priceTicks && difference <= quantityFraction * lots;
  }

  /** Drops closed orders and remembers the fills of the rest. */
  settle(): void {
    let kept = 0;
    for (const order of this.#orders) {
      if (!isStanding(order)) continue;
      this.#orders[kept] = order;
      this.#filledAt[kept++] = filledLots(order.progress);
    }
    this.#orders.length = kept;
    this.#filledAt.length = kept;
  }
}

function isStanding(order: OwnOrder): boolean {
  return !order.cancelWanted && !isClosed(order.progress);
}

function standingLots({ progress, shrunk }: OwnOrder): number {
  return progress.lots + (shrunk ? 1 : 0) - filledLots(progress);
}
