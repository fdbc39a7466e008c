/**
 * A market maker: a ladder around the fair price. At Poisson times it replaces misplaced or filled orders and refreshes
 * some.
 */
import { exponential, normal } from '../../model/random.ts';
import type { Random } from '../../model/ports.ts';
import type { Side } from '../../model/trading/order.ts';
import type { OrderRecord } from '../core/orders/order-record.ts';
import type { AgentOrders } from './agent-orders.ts';
import type { MarketMoment } from './venue-view.ts';

export interface MakerStyle {
  readonly levels: number;
  /** Distance of level k in half spreads: first + step × k ^ power. */
  readonly first: number;
  readonly step: number;
  readonly power: number;
  /** In typical sizes. */
  readonly size: number;
  /** Mean seconds. */
  readonly lookS: number;
  readonly quoteLifeS: number;
}

// prettier-ignore
export const makerStyles: readonly MakerStyle[] = [
  { levels: 6, first: 1, step: 0.7, power: 1.1, size: 0.8, lookS: 0.12, quoteLifeS: 2 },
  { levels: 12, first: 1.6, step: 1.1, power: 1.25, size: 2, lookS: 0.25, quoteLifeS: 5 },
  { levels: 24, first: 5, step: 2.2, power: 1.65, size: 6, lookS: 0.8, quoteLifeS: 25 },
];

interface Slot {
  readonly side: Side;
  /** In half spreads. */
  readonly distance: number;
  order: OrderRecord | undefined;
  /** Market second of unconditional refresh. */
  refreshAt: number;
}

export class Maker {
  readonly #desk: AgentOrders;
  readonly #style: MakerStyle;
  readonly #random: Random;
  readonly #slots: Slot[] = [];
  #lookAt = 0;

  constructor(desk: AgentOrders, style: MakerStyle, random: Random) {
    this.#desk = desk;
    this.#style = style;
    this.#random = random;
    for (let level = 0; level < style.levels; level++) {
      const distance = style.first + style.step * level ** style.power;
      for (const side of ['buy', 'sell'] as const) this.#slots.push({ side, distance, order: undefined, refreshAt: 0 });
    }
  }

  act(moment: MarketMoment): void {
    if (moment.seconds < this.#lookAt) return;
    this.#lookAt = moment.seconds + exponential(this.#random, this.#style.lookS);
    for (const slot of this.#slots) this.#tend(slot, moment);
  }

  #tend(slot: Slot, moment: MarketMoment): void {
    const { order } = slot;
    const target = targetTicks(slot, moment);
    const standing = order?.isActive === true;
    if (
      standing &&
      moment.seconds < slot.refreshAt &&
      Math.abs((order.order.ticks ?? 0) - target) <= tolerance(slot, moment)
    ) {
      return;
    }
    if (standing) this.#desk.cancel(order, moment.now);
    const jitter = (this.#random.next() - 0.5) * tolerance(slot, moment);
    slot.order = this.#desk.rest(slot.side, Math.round(target + jitter), this.#lots(slot, moment), moment.now);
    slot.refreshAt = moment.seconds + exponential(this.#random, this.#style.quoteLifeS);
  }

  #lots(slot: Slot, { market, style, volatility }: MarketMoment): number {
    const calm = 1 / Math.sqrt(volatility);
    const size = style.size * this.#style.size * Math.exp(0.6 * normal(this.#random)) * calm * (1 + slot.distance / 20);
    return Math.max(1, Math.round(size / market.instrument.lot));
  }
}

function targetTicks(slot: Slot, { fairTicks, halfSpreadTicks }: MarketMoment): number {
  const distance = slot.distance * halfSpreadTicks;
  return slot.side === 'buy' ? fairTicks - distance : fairTicks + distance;
}

/** Allowed distance from target, ticks. */
function tolerance(slot: Slot, { halfSpreadTicks }: MarketMoment): number {
  return Math.max(0.6, 0.35 * slot.distance * halfSpreadTicks);
}
