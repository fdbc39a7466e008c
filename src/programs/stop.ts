/** `stop` and `trailingStop`: an order once its trigger has fired. */
import type { StopAction, TrailingStopAction } from '../model/program.ts';
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
import type { ProgramRule, ProgramView, Step } from './rule.ts';
import { instrumentOf, parsed } from './terms.ts';

const LEG = 'stop';

function step({ spec, data: before, leg, prices, isStale }: ProgramView<StopSpec, StopData>): Step<StopData> {
  const data = isStale ? before : watched(spec, before, prices());
  const { filled } = leg(LEG);
  const most = { exit: spec.lots };
  const left = spec.lots - filled;
  if (left <= 0) return { data, wants: [], most, end: { state: 'done', reason: 'filled' }, waitsFor: 'nothing' };
  const trigger = triggerOf(spec, data);
  if (data.fired === 0) {
    const waitsFor = Number.isNaN(trigger) ? 'its activation' : 'its trigger';
    return {
      data,
      wants: [],
      most,
      waitsFor,
      covers: left,
      closes: spec.side,
      ...(Number.isNaN(trigger) ? {} : { trigger }),
    };
  }
  return {
    data,
    wants: [exitWant(spec, data, LEG, left)],
    most,
    waitsFor: 'its order',
    covers: left,
    closes: spec.side,
  };
}

const shared = {
  step,
  hears: ({ by }: StopSpec, symbol: string) => [{ symbol, source: by }],
  quantity: ({ lots }: StopSpec) => lots,
  isParent: () => true,
  groupOf: () => 'exit',
};

export const stop: ProgramRule<StopAction, StopSpec, StopData> = {
  kind: 'stop',
  parse: (action, terms) =>
    parsed(() => {
      const instrument = instrumentOf(terms.instrument(action.symbol));
      return {
        symbol: action.symbol,
        spec: stopSpec(instrument, action, terms.prices(action.symbol), action.by),
        data: ARMED,
      };
    }),
  ...shared,
};

export const trailingStop: ProgramRule<TrailingStopAction, StopSpec, StopData> = {
  kind: 'trailingStop',
  parse: (action, terms) =>
    parsed(() => {
      const instrument = instrumentOf(terms.instrument(action.symbol));
      return { symbol: action.symbol, spec: trailingSpec(instrument, action, action.by), data: ARMED };
    }),
  ...shared,
};
