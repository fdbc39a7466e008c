/** `chase`: one limit order at the touch that follows it as maker, until filled; it may cross after a time. */
import type { PositionSide, Side } from '../model/order.ts';
import type { ChaseAction } from '../model/program.ts';
import type { ProgramRule, ProgramView, Step } from './rule.ts';
import { durationOf, instrumentOf, lotsOf, numberOf, parsed, refuse, sideOf, ticksOf } from './terms.ts';

interface Spec {
  readonly side: Side;
  readonly lots: number;
  readonly offset: number;
  /** Ticks; −1: any distance. */
  readonly within: number;
  /** Ms; 0: never. */
  readonly crossAfter: number;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
}

/** Ticks of the first price; 0: none yet. */
interface Data {
  readonly first: number;
}

const LEG = 'chase';

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, startedAt, leg } = view;
  const { filled, isOpen, ticks: rests } = leg(LEG);
  const most = { chase: spec.lots };
  const lots = spec.lots - filled;
  if (lots <= 0)
    return { data: view.data, wants: [], most, end: { state: 'done', reason: 'filled' }, waitsFor: 'nothing' };
  const { side, reduceOnly, positionSide } = spec;
  const base = { leg: LEG, side, lots, reduceOnly, positionSide };
  const crossAt = startedAt + spec.crossAfter;
  if (spec.crossAfter > 0 && now >= crossAt)
    return { data: view.data, wants: [{ ...base, ticks: 0 }], most, waitsFor: 'its order at market' };
  const waits = { most, waitsFor: 'a fill at the touch', ...(spec.crossAfter > 0 ? { wakeAt: crossAt } : {}) };
  const { bid, ask } = view.prices();
  const touch = side === 'buy' ? bid : ask;
  if (Number.isNaN(touch) || view.isStale)
    return { data: view.data, wants: isOpen ? [{ ...base, ticks: rests, postOnly: true }] : [], ...waits };
  const wanted = Math.max(1, side === 'buy' ? touch - spec.offset : touch + spec.offset);
  const data = view.data.first === 0 ? { first: wanted } : view.data;
  const isFar = spec.within >= 0 && (side === 'buy' ? wanted - data.first : data.first - wanted) > spec.within;
  const ticks = isFar ? (side === 'buy' ? data.first + spec.within : data.first - spec.within) : wanted;
  return { data, wants: [{ ...base, ticks, postOnly: true }], ...waits };
}

export const chase: ProgramRule<ChaseAction, Spec, Data> = {
  kind: 'chase',
  parse: (action, terms) =>
    parsed(() => {
      const { symbol, offsetTicks = 0, within, crossAfter } = action;
      const instrument = instrumentOf(terms.instrument(symbol));
      numberOf(offsetTicks, 'offsetTicks', 0, 1e9);
      if (!Number.isInteger(offsetTicks)) refuse('unsupported', 'offsetTicks is a whole number', 'offsetTicks');
      const spec: Spec = {
        side: sideOf(action.side),
        lots: lotsOf(instrument, action.quantity, 'quantity'),
        offset: offsetTicks,
        within: within === undefined ? -1 : ticksOf(instrument, within, 'within'),
        crossAfter: crossAfter === undefined ? 0 : durationOf(crossAfter, 'crossAfter'),
        reduceOnly: action.reduceOnly ?? false,
        positionSide: action.positionSide ?? 'both',
      };
      return { symbol, spec, data: { first: 0 } };
    }),
  step,
  hears: (_spec, symbol) => [{ symbol, source: 'bid-ask' }],
  quantity: ({ lots }) => lots,
  isParent: () => true,
  groupOf: () => 'chase',
};
