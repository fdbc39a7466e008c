/** When a trigger fires, and how one trails. A selling exit fires when its price has fallen to the trigger. */
import type { Instrument } from '../model/market/instrument.ts';
import type { Side } from '../model/trading/order.ts';
import type { TrailTerms, TriggerSource } from '../model/trading/program.ts';
import type { Prices } from './rule.ts';
import { numberOf, refuse, ticksOf } from './terms.ts';

/** In ticks; NaN: not known. `side`: of the exit. */
export function priceBy(prices: Prices, by: TriggerSource, side: Side): number {
  if (by === 'bid-ask') return side === 'sell' ? prices.bid : prices.ask;
  return prices[by];
}

/** Price from its source, or the mid before the source has one. Ticks; NaN: unknown. */
export function priceNow(prices: Prices, by: TriggerSource, side: Side): number {
  const told = priceBy(prices, by, side);
  return Number.isNaN(told) ? prices.mid : told;
}

/** Price sources of a program that works at the touch and whose trigger uses `by`. */
export function heardBy(
  symbol: string,
  by: TriggerSource,
): readonly { readonly symbol: string; readonly source: TriggerSource }[] {
  const touch = { symbol, source: 'bid-ask' } as const;
  return by === 'bid-ask' ? [touch] : [touch, { symbol, source: by }];
}

export function fires(price: number, trigger: number, side: Side): boolean {
  return side === 'sell' ? price <= trigger : price >= trigger;
}

/** 0 and −1 mean absent, because terms are JSON. */
export interface Trail {
  /** Ticks; 0: `bps` counts. */
  readonly distance: number;
  readonly bps: number;
  /** Ticks; 0: at once. */
  readonly activation: number;
  /** Ticks. */
  readonly step: number;
}

export function trailOf(instrument: Instrument, { distance, bps, activation, step }: TrailTerms, field = ''): Trail {
  const name = (key: string): string => (field === '' ? key : `${field}.${key}`);
  if ((distance === undefined) === (bps === undefined))
    refuse('unsupported', 'a trailing stop has either a distance or bps', name('distance'));
  return {
    distance: distance === undefined ? 0 : ticksOf(instrument, distance, name('distance')),
    bps: bps === undefined ? 0 : numberOf(bps, name('bps'), 1e-6, 9_999),
    activation: activation === undefined ? 0 : ticksOf(instrument, activation, name('activation')),
    step: step === undefined ? 1 : ticksOf(instrument, step, name('step')),
  };
}

/** Refuses a trail that would sell at a price of zero or below. `price`: the current one in ticks, NaN if unknown. */
export function checkTrail(instrument: Instrument, trail: Trail, price: number, side: Side, field: string): void {
  const { distance, activation } = trail;
  const from = activation > 0 ? activation : price;
  if (side === 'buy' || !(distance >= from)) return;
  const [away, at] = [instrument.priceText(distance), instrument.priceText(Math.round(from))];
  refuse('not_positive', `${field} ${away} is not below the price ${at}: the trigger would not be above zero`, field);
}

/** Ticks of the trigger; NaN while it is not active. `side`: of the exit. */
export function trailTrigger({ distance, bps }: Trail, best: number, side: Side): number {
  if (best === 0) return Number.NaN;
  const away = distance > 0 ? distance : (best * bps) / 10_000;
  return side === 'sell' ? Math.floor(best - away + 1e-9) : Math.ceil(best + away - 1e-9);
}

/** Ticks of the trigger as the trail begins. `price`: the current one. */
export function firstTrigger(trail: Trail, price: number, side: Side): number {
  return trailTrigger(trail, trail.activation > 0 ? trail.activation : price, side);
}

/** The new best price; unchanged until it has moved by a step. */
export function trailed({ activation, step }: Trail, best: number, price: number, side: Side): number {
  if (Number.isNaN(price)) return best;
  // A selling trail begins above its activation.
  if (best === 0) {
    const begins = activation === 0 || (side === 'sell' ? price >= activation : price <= activation);
    return begins ? price : 0;
  }
  const gained = side === 'sell' ? price - best : best - price;
  if (gained < step) return best;
  const moved = Math.floor(gained / step + 1e-9) * step;
  return side === 'sell' ? best + moved : best - moved;
}
