/** `oco`: two legs of equal quantity. What one fills the other loses; the end of one ends the other. */
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide, Side } from '../model/order.ts';
import type { OcoAction, OcoLeg, TriggerSource } from '../model/program.ts';
import {
  ARMED,
  exitWant,
  stopSpec,
  trailingSpec,
  triggerOf,
  watched,
  type StopData,
  type StopSpec,
} from './exit-leg.ts';
import type { Prices, ProgramRule, ProgramView, Step, Want } from './rule.ts';
import { instrumentOf, lotsOf, parsed, refuse, sideOf, ticksOf } from './terms.ts';

interface LimitSpec {
  readonly side: Side;
  readonly lots: number;
  readonly ticks: number;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
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

function legSpec(instrument: Instrument, leg: OcoLeg, prices: Prices, by: TriggerSource | undefined): LegSpec {
  if (leg.symbol !== instrument.symbol) refuse('unsupported', 'both legs are of the symbol of the oco', 'legs');
  if (leg.kind === 'stop') return { stop: stopSpec(instrument, leg, prices, by) };
  if (leg.kind === 'trailingStop') return { stop: trailingSpec(instrument, leg, by) };
  if (leg.type !== 'limit' || leg.price === undefined || leg.timeInForce === 'ioc')
    refuse('unsupported', 'a place in an oco is a limit order that rests', 'legs');
  const { price } = leg;
  return {
    limit: {
      side: sideOf(leg.side),
      lots: lotsOf(instrument, leg.quantity, 'quantity'),
      ticks: ticksOf(instrument, price, 'price'),
      postOnly: leg.postOnly ?? false,
      reduceOnly: leg.reduceOnly ?? instrument.market === 'derivative',
      positionSide: leg.positionSide ?? 'both',
    },
  };
}

const sideOfLeg = (leg: LegSpec): Side => ('stop' in leg ? leg.stop.side : leg.limit.side);
const lotsOfLeg = (leg: LegSpec): number => ('stop' in leg ? leg.stop.lots : leg.limit.lots);

function step({ spec, data: before, leg, prices, isStale }: ProgramView<Spec, Data>): Step<Data> {
  const [first, second] = spec.legs.map((one, index) =>
    'limit' in one || isStale ? before.legs[index as 0 | 1] : watched(one.stop, before.legs[index as 0 | 1], prices()),
  ) as [StopData, StopData];
  const data = first === before.legs[0] && second === before.legs[1] ? before : { legs: [first, second] as const };
  const views = NAMES.map(leg);
  const left = spec.lots - views.reduce((sum, { filled }) => sum + filled, 0);
  const most = { exit: spec.lots };
  if (left <= 0) return { data, wants: [], most, end: { state: 'done', reason: 'filled' }, waitsFor: 'nothing' };
  if (views.some(({ isLost }, index) => isLost && 'limit' in spec.legs[index as 0 | 1]))
    return {
      data,
      wants: [],
      most,
      end: { state: 'canceled', reason: 'the order of one leg has ended' },
      waitsFor: 'nothing',
    };
  const fired = data.legs.findIndex(({ fired: at }) => at > 0);
  const wants: Want[] = [];
  let trigger: number | undefined;
  for (const [index, one] of spec.legs.entries()) {
    const name = NAMES[index as 0 | 1];
    if ('stop' in one) {
      if (data.legs[index as 0 | 1].fired > 0) wants.push(exitWant(one.stop, data.legs[index as 0 | 1], name, left));
      else {
        const at = triggerOf(one.stop, data.legs[index as 0 | 1]);
        if (!Number.isNaN(at)) trigger = at;
      }
    } else if (fired < 0) {
      const { side, ticks, postOnly, reduceOnly, positionSide } = one.limit;
      wants.push({ leg: name, side, lots: left, ticks, postOnly, reduceOnly, positionSide });
    }
  }
  const waitsFor = fired < 0 ? 'a fill or a trigger of one leg' : `the order of the ${NAMES[fired as 0 | 1]} leg`;
  return {
    data,
    wants,
    most,
    waitsFor,
    covers: left,
    closes: sideOfLeg(spec.legs[0]),
    ...(trigger === undefined ? {} : { trigger }),
  };
}

export const oco: ProgramRule<OcoAction, Spec, Data> = {
  kind: 'oco',
  parse: (action, terms) =>
    parsed(() => {
      const { symbol, legs: given } = action;
      if (!Array.isArray(given) || given.length !== 2) refuse('unsupported', 'an oco has two legs', 'legs');
      const instrument = instrumentOf(terms.instrument(symbol));
      const legs = given.map((leg) => legSpec(instrument, leg, terms.prices(symbol), action.by)) as [LegSpec, LegSpec];
      const [lots, other] = legs.map(lotsOfLeg) as [number, number];
      if (lots !== other) refuse('unsupported', 'the legs of an oco have equal quantities', 'legs');
      const isOneSided = sideOfLeg(legs[0]) === sideOfLeg(legs[1]);
      // One lot has at most one working exit.
      if (isOneSided && legs.every((leg) => 'limit' in leg))
        refuse('unsupported', 'two limit orders of one side would both rest for the same lots', 'legs');
      if (!isOneSided && legs.every((leg) => 'limit' in leg))
        refuse('unsupported', 'two limit orders of opposite sides could both fill: make one of them a stop', 'legs');
      return { symbol, spec: { lots, legs }, data: { legs: [ARMED, ARMED] } };
    }),
  step,
  hears: ({ legs }, symbol) => legs.flatMap((leg) => ('stop' in leg ? [{ symbol, source: leg.stop.by }] : [])),
  quantity: ({ lots }) => lots,
  isParent: () => true,
  groupOf: () => 'exit',
};
