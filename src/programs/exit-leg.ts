/** The life that `stop`, `trailingStop` and the legs of an `oco` share: armed, fired, then an order until all is filled. */
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide, Side } from '../model/order.ts';
import type { StopTerms, TrailingStopTerms, TriggerSource } from '../model/program.ts';
import type { Prices, Want } from './rule.ts';
import { lotsOf, refuse, sideOf, sourceOf, ticksOf } from './terms.ts';
import { fires, priceBy, trailed, trailOf, trailTrigger, type Trail } from './trigger.ts';

export interface StopSpec {
  readonly side: Side;
  readonly lots: number;
  /** Ticks; 0: it trails. */
  readonly trigger: number;
  readonly trail: Trail | null;
  /** Ticks beyond the trigger; −1: market. */
  readonly limit: number;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
  readonly by: TriggerSource;
}

export interface StopData {
  /** Ticks from which it trails; 0: none. */
  readonly best: number;
  /** Ticks of the trigger that fired; 0: armed. */
  readonly fired: number;
}

export const ARMED: StopData = Object.freeze({ best: 0, fired: 0 });

function common(instrument: Instrument, terms: StopTerms | TrailingStopTerms, by: TriggerSource | undefined) {
  return {
    side: sideOf(terms.side),
    lots: lotsOf(instrument, terms.quantity, 'quantity'),
    reduceOnly: terms.reduceOnly ?? instrument.market === 'derivative',
    positionSide: terms.positionSide ?? 'both',
    by: sourceOf(instrument, by),
  } as const;
}

/** `prices`: of now; a trigger that they have passed is on the wrong side. */
export function stopSpec(instrument: Instrument, terms: StopTerms, prices: Prices, by?: TriggerSource): StopSpec {
  const shared = common(instrument, terms, by);
  const trigger = ticksOf(instrument, terms.trigger, 'trigger');
  const told = priceBy(prices, shared.by, shared.side);
  const price = Number.isNaN(told) ? prices.mid : told;
  if (!Number.isNaN(price) && fires(price, trigger, shared.side)) {
    const where = `${shared.side === 'sell' ? 'below' : 'above'} the price ${instrument.priceText(Math.round(price))}`;
    refuse('wrong_side', `${instrument.symbol}: a stop that ${shared.side}s lies ${where}`, 'trigger');
  }
  const limit = terms.limit === undefined ? -1 : ticksOf(instrument, terms.limit, 'limit');
  return { ...shared, trigger, trail: null, limit };
}

export function trailingSpec(instrument: Instrument, terms: TrailingStopTerms, by?: TriggerSource): StopSpec {
  return { ...common(instrument, terms, by), trigger: 0, trail: trailOf(instrument, terms), limit: -1 };
}

/** Ticks; NaN while it does not trail yet. */
export function triggerOf({ trigger, trail, side }: StopSpec, { best }: StopData): number {
  return trail === null ? trigger : trailTrigger(trail, best, side);
}

/** The data after these prices, the same object when nothing changed. */
export function watched(spec: StopSpec, data: StopData, prices: Prices): StopData {
  if (data.fired > 0) return data;
  const price = priceBy(prices, spec.by, spec.side);
  if (Number.isNaN(price)) return data;
  const best = spec.trail === null ? 0 : trailed(spec.trail, data.best, price, spec.side);
  const trigger = triggerOf(spec, { best, fired: 0 });
  if (fires(price, trigger, spec.side)) return { best, fired: trigger };
  return best === data.best ? data : { best, fired: 0 };
}

export function exitWant(spec: StopSpec, { fired }: StopData, leg: string, lots: number): Want {
  const { side, limit, reduceOnly, positionSide } = spec;
  const ticks = limit < 0 ? 0 : Math.max(1, side === 'sell' ? fired - limit : fired + limit);
  return { leg, side, lots, ticks, reduceOnly, positionSide, onBars: { fired } };
}
