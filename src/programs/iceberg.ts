/** `iceberg`: a limit order of which only a part rests at a time. */
import type { PositionSide, Side } from '../model/order.ts';
import type { IcebergAction } from '../model/program.ts';
import type { ProgramRule, ProgramView, Step } from './rule.ts';
import { instrumentOf, lotsOf, numberOf, parsed, refuse, sideOf, ticksOf } from './terms.ts';

interface Spec {
  readonly side: Side;
  readonly lots: number;
  readonly ticks: number;
  readonly show: number;
  readonly variance: number;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
}

type Data = null;

const LEG = 'show';

/** In [−1, 1), the same for the same order number and start: a restart shows the same. */
function jitter(order: number, startedAt: number): number {
  let hash = (order * 2_654_435_761 + Math.floor(startedAt)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, leg, startedAt, data } = view;
  const { filled, working, isOpen, orders } = leg(LEG);
  const most = { show: spec.lots };
  const left = spec.lots - filled;
  if (left <= 0) return { data, wants: [], most, end: { state: 'done', reason: 'filled' }, waitsFor: 'nothing' };
  const { side, ticks, reduceOnly, positionSide } = spec;
  const shown = Math.max(
    view.least(ticks),
    Math.round(spec.show * (1 + spec.variance * jitter(orders + 1, startedAt))),
  );
  // A rest below the least order goes with the part before it.
  const lots = isOpen ? working : left - shown < view.least(ticks) ? left : shown;
  const want = { leg: LEG, side, lots: Math.min(lots, left), ticks, reduceOnly, positionSide };
  return { data, wants: [want], most, waitsFor: 'a fill of what it shows' };
}

export const iceberg: ProgramRule<IcebergAction, Spec, Data> = {
  kind: 'iceberg',
  parse: (action, terms) =>
    parsed(() => {
      const { symbol, variance = 0 } = action;
      const instrument = instrumentOf(terms.instrument(symbol));
      const spec: Spec = {
        side: sideOf(action.side),
        lots: lotsOf(instrument, action.quantity, 'quantity'),
        ticks: ticksOf(instrument, action.price, 'price'),
        show: lotsOf(instrument, action.show, 'show'),
        variance: numberOf(variance, 'variance', 0, 0.5),
        reduceOnly: action.reduceOnly ?? false,
        positionSide: action.positionSide ?? 'both',
      };
      if (spec.show * spec.ticks < instrument.limits.minTickLots)
        refuse('below_minimum', `${symbol}: what is shown is below the least order`, 'show');
      return { symbol, spec, data: null };
    }),
  step,
  hears: () => [],
  quantity: ({ lots }) => lots,
  isParent: () => true,
  groupOf: () => 'show',
};
