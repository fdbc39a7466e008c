/** `stop` and `trailingStop`, also as legs of an `oco`: armed, fired, then an order until all is filled. */
import type { Instrument } from '../model/market/instrument.ts';
import type { Side } from '../model/trading/order.ts';
import type {
  StopAction,
  StopTerms,
  TrailingStopAction,
  TrailingStopTerms,
  TriggerSource,
} from '../model/trading/program.ts';
import { over, type Prices, type ProgramRule, type ProgramView, type Step, type Terms, type Want } from './rule.ts';
import { checkNotional, refuse, sourceOf, ticksOf } from './terms.ts';
import {
  checkTrail,
  fires,
  firstTrigger,
  priceBy,
  priceNow,
  trailed,
  trailOf,
  trailTrigger,
  type Trail,
} from './trigger.ts';
import { checkReduces, oneQuantity, reducesOf, wantOf, workedOf, type Worked } from './worked.ts';

export interface StopSpec extends Worked {
  /** Ticks; 0: it trails. */
  readonly trigger: number;
  readonly trail: Trail | null;
  /** Ticks beyond the trigger; −1: market. */
  readonly limit: number;
  readonly by: TriggerSource;
}

export interface StopData {
  /** Ticks from which it trails; 0: none. */
  readonly best: number;
  /** Ticks of the trigger that fired; 0: armed. */
  readonly fired: number;
}

export const ARMED: StopData = Object.freeze({ best: 0, fired: 0 });

const LEG = 'stop';

/** A trigger that the price has passed already is on the wrong side. */
export function stopSpec(instrument: Instrument, terms: StopTerms, from: Terms, source?: TriggerSource): StopSpec {
  const worked = workedOf(instrument, terms, reducesOf(instrument, terms, from));
  const { side } = worked;
  const by = sourceOf(instrument, source);
  const trigger = ticksOf(instrument, terms.trigger, 'trigger');
  const price = priceNow(from.prices(instrument.symbol), by, side);
  if (!Number.isNaN(price) && fires(price, trigger, side)) {
    const where = `${side === 'sell' ? 'below' : 'above'} the price ${instrument.priceText(Math.round(price))}`;
    refuse('wrong_side', `${instrument.symbol}: a stop that ${side}s lies ${where}`, 'trigger');
  }
  const limit = terms.limit === undefined ? -1 : ticksOf(instrument, terms.limit, 'limit');
  if (limit > 0) checkLimit(instrument, limit, trigger, side, from.collar);
  checkNotional(instrument, worked.lots, limit > 0 ? beyond(trigger, limit, side) : trigger, 'quantity');
  return { ...worked, by, trigger, trail: null, limit };
}

/** Ticks of a limit order that lies this far beyond its trigger. */
function beyond(trigger: number, limit: number, side: Side): number {
  return side === 'sell' ? trigger - limit : trigger + limit;
}

/** A price given in place of a distance would make an order without a price, or one that is never sent. */
function checkLimit(instrument: Instrument, limit: number, trigger: number, side: Side, collar: number): void {
  const given = `limit ${instrument.priceText(limit)} is the distance from the trigger ${instrument.priceText(trigger)}`;
  if (beyond(trigger, limit, side) <= 0)
    refuse('not_positive', `${given}: the order would not be above zero; give price units, not a price`, 'limit');
  const most = Math.floor(trigger * collar);
  if (limit <= most) return;
  const told = `risk.priceCollar allows at most ${instrument.priceText(most)}`;
  refuse('price_collar', `${given}: ${told}; give price units, not a price`, 'limit');
}

export function trailingSpec(
  instrument: Instrument,
  terms: TrailingStopTerms,
  from: Terms,
  source?: TriggerSource,
): StopSpec {
  const worked = workedOf(instrument, terms, reducesOf(instrument, terms, from));
  const by = sourceOf(instrument, source);
  const trail = trailOf(instrument, terms);
  const price = priceNow(from.prices(instrument.symbol), by, worked.side);
  checkTrail(instrument, trail, price, worked.side, 'distance');
  checkNotional(instrument, worked.lots, firstTrigger(trail, price, worked.side), 'quantity');
  return { ...worked, by, trigger: 0, trail, limit: -1 };
}

/** Ticks; NaN while it does not trail yet. */
function ticksFrom({ trigger, trail, side }: StopSpec, best: number): number {
  return trail === null ? trigger : trailTrigger(trail, best, side);
}

/** Ticks; undefined while it does not trail yet. */
export function triggerOf(spec: StopSpec, { best }: StopData): number | undefined {
  const ticks = ticksFrom(spec, best);
  return Number.isNaN(ticks) ? undefined : ticks;
}

/** The data after these prices; the same object if nothing changed. */
export function watched(spec: StopSpec, data: StopData, prices: Prices): StopData {
  if (data.fired > 0) return data;
  const price = priceBy(prices, spec.by, spec.side);
  if (Number.isNaN(price)) return data;
  const best = spec.trail === null ? 0 : trailed(spec.trail, data.best, price, spec.side);
  const trigger = ticksFrom(spec, best);
  if (fires(price, trigger, spec.side)) return { best, fired: trigger };
  return best === data.best ? data : { best, fired: 0 };
}

export function exitWant(spec: StopSpec, { fired }: StopData, leg: string, lots: number): Want {
  const { side, limit } = spec;
  const ticks = limit < 0 ? 0 : Math.max(1, beyond(fired, limit, side));
  return { ...wantOf(spec, leg, lots, ticks), onBars: { fired } };
}

function step({ spec, data: before, leg, prices, isStale }: ProgramView<StopSpec, StopData>): Step<StopData> {
  const data = isStale ? before : watched(spec, before, prices());
  const left = spec.lots - leg(LEG).filled;
  if (left <= 0) return over(data, 'done', 'filled');
  const covers = { data, most: { all: spec.lots }, covers: left, closes: spec.side };
  if (data.fired > 0) return { ...covers, wants: [exitWant(spec, data, LEG, left)], waitsFor: 'its order' };
  const trigger = triggerOf(spec, data);
  return { ...covers, wants: [], waitsFor: trigger === undefined ? 'its activation' : 'its trigger', trigger };
}

function armed<Action extends StopAction | TrailingStopAction>(
  specOf: (instrument: Instrument, action: Action, terms: Terms, by?: TriggerSource) => StopSpec,
): ProgramRule<Action, StopSpec, StopData> {
  return {
    parse: (action, terms) => {
      const { symbol, by } = action;
      const spec = specOf(terms.instrument(symbol), action, terms, by);
      checkReduces(symbol, spec, terms);
      return { symbol, spec, data: ARMED };
    },
    step,
    ...oneQuantity,
    hears: ({ by }, symbol) => [{ symbol, source: by }],
  };
}

export const stop = armed<StopAction>(stopSpec);
export const trailingStop = armed<TrailingStopAction>(trailingSpec);
