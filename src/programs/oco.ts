/** `oco`: two legs of equal quantity. A fill of one reduces the other; the end of one ends the other. */
import type { Instrument } from '../model/market/instrument.ts';
import type { OcoAction, OcoLeg, TriggerSource } from '../model/trading/program.ts';
import { over, type ProgramRule, type ProgramView, type Step, type Terms, type Want } from './rule.ts';
import { ARMED, exitWant, stopSpec, trailingSpec, triggerOf, watched, type StopData, type StopSpec } from './stop.ts';
import { refuse, signOf, ticksOf } from './terms.ts';
import { checkReduces, oneQuantity, reducesOf, wantOf, workedOf, type Worked } from './worked.ts';

interface LimitSpec extends Worked {
  readonly ticks: number;
  readonly postOnly: boolean;
}

type LegSpec = { readonly limit: LimitSpec } | { readonly stop: StopSpec };

interface Spec {
  readonly lots: number;
  readonly legs: readonly [LegSpec, LegSpec];
}

interface Data {
  readonly legs: readonly [StopData, StopData];
}

const NAMES = ['first', 'second'] as const;
const BOTH = [0, 1] as const;

function legSpec(instrument: Instrument, leg: OcoLeg, terms: Terms, by: TriggerSource | undefined): LegSpec {
  if (leg.symbol !== instrument.symbol) refuse('unsupported', 'both legs are of the symbol of the oco', 'legs');
  if (leg.kind === 'stop') return { stop: stopSpec(instrument, leg, terms, by) };
  if (leg.kind === 'trailingStop') return { stop: trailingSpec(instrument, leg, terms, by) };
  const { type, price, timeInForce, postOnly = false } = leg;
  if (type !== 'limit' || price === undefined || timeInForce === 'ioc')
    refuse('unsupported', 'a place in an oco is a limit order that rests', 'legs');
  const worked = workedOf(instrument, leg, reducesOf(instrument, leg, terms));
  return { limit: { ...worked, ticks: ticksOf(instrument, price, 'price'), postOnly } };
}

function workedBy(leg: LegSpec): Worked {
  return 'stop' in leg ? leg.stop : leg.limit;
}

/** Beside a stop of its side the limit order is the better price. */
function checkLimit(instrument: Instrument, legs: readonly LegSpec[]): void {
  const limit = legs.flatMap((leg) => ('limit' in leg ? [leg.limit] : []))[0];
  const stop = legs.flatMap((leg) => ('stop' in leg ? [leg.stop] : []))[0];
  if (limit === undefined || stop === undefined || limit.side !== stop.side || stop.trigger === 0) return;
  if (signOf(limit.side) * (stop.trigger - limit.ticks) > 0) return;
  const told = `a limit order that ${limit.side}s at ${instrument.priceText(limit.ticks)}`;
  const where = limit.side === 'sell' ? 'above' : 'below';
  refuse('wrong_side', `${told} lies ${where} the trigger ${instrument.priceText(stop.trigger)} beside it`, 'legs');
}

function step({ spec, data: before, leg, prices, isStale }: ProgramView<Spec, Data>): Step<Data> {
  const [first, second] = BOTH.map((index) => {
    const one = spec.legs[index];
    return 'limit' in one || isStale ? before.legs[index] : watched(one.stop, before.legs[index], prices());
  }) as [StopData, StopData];
  const data = first === before.legs[0] && second === before.legs[1] ? before : { legs: [first, second] as const };
  const views = NAMES.map(leg);
  const left = spec.lots - views.reduce((sum, { filled }) => sum + filled, 0);
  if (left <= 0) return over(data, 'done', 'filled');
  const protects = { covers: left, closes: workedBy(spec.legs[0]).side };
  if (BOTH.some((index) => views[index]?.isLost === true && 'limit' in spec.legs[index]))
    return { ...over(data, 'canceled', 'the order of one leg has ended'), ...protects };
  const fired = BOTH.find((index) => data.legs[index].fired > 0);
  const wants: Want[] = [];
  let trigger: number | undefined;
  for (const index of BOTH) {
    const one = spec.legs[index];
    const name = NAMES[index];
    if ('stop' in one) {
      if (data.legs[index].fired > 0) wants.push(exitWant(one.stop, data.legs[index], name, left));
      else trigger = triggerOf(one.stop, data.legs[index]) ?? trigger;
    } else if (fired === undefined) {
      const { limit } = one;
      wants.push({ ...wantOf(limit, name, left, limit.ticks), postOnly: limit.postOnly });
    }
  }
  const waitsFor = fired === undefined ? 'a fill or a trigger of one leg' : `the order of the ${NAMES[fired]} leg`;
  return { data, wants, most: { all: spec.lots }, waitsFor, ...protects, trigger };
}

export const oco: ProgramRule<OcoAction, Spec, Data> = {
  parse: (action, terms) => {
    const { symbol, legs: given } = action;
    if (!Array.isArray(given) || given.length !== 2) refuse('unsupported', 'an oco has two legs', 'legs');
    const instrument = terms.instrument(symbol);
    const legs = given.map((leg) => legSpec(instrument, leg, terms, action.by)) as [LegSpec, LegSpec];
    const [one, other] = legs.map(workedBy) as [Worked, Worked];
    if (one.lots !== other.lots) refuse('unsupported', 'the legs of an oco have equal quantities', 'legs');
    // One lot has at most one working exit.
    if (legs.every((leg) => 'limit' in leg))
      refuse(
        'unsupported',
        one.side === other.side
          ? 'two limit orders of one side would both rest for the same lots'
          : 'two limit orders of opposite sides could both fill: make one of them a stop',
        'legs',
      );
    checkLimit(instrument, legs);
    for (const leg of [one, other]) checkReduces(symbol, leg, terms);
    return { symbol, spec: { lots: one.lots, legs }, data: { legs: [ARMED, ARMED] } };
  },
  step,
  ...oneQuantity,
  hears: ({ legs }, symbol) => legs.flatMap((leg) => ('stop' in leg ? [{ symbol, source: leg.stop.by }] : [])),
};
