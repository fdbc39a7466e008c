/** `chase`: one limit order at the touch that follows it as maker until filled. It may cross after a time. */
import type { ChaseAction } from '../model/trading/program.ts';
import { over, type ProgramRule, type ProgramView, type Step } from './rule.ts';
import { durationOf, ticksOf, wholeOf } from './terms.ts';
import { oneQuantity, touchOf, wantOf, workedOf, type Worked } from './worked.ts';

interface Spec extends Worked {
  readonly offset: number;
  /** Ticks; −1: any distance. */
  readonly within: number;
  /** Ms; 0: never. */
  readonly crossAfter: number;
}

/** Ticks of the first price; 0: none yet. */
interface Data {
  readonly first: number;
}

const LEG = 'chase';

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, data: before, now, startedAt, leg } = view;
  const { filled, isOpen, ticks: rests } = leg(LEG);
  const lots = spec.lots - filled;
  if (lots <= 0) return over(before, 'done', 'filled');
  const { side, within, crossAfter } = spec;
  const most = { all: spec.lots };
  const crossAt = startedAt + crossAfter;
  if (crossAfter > 0 && now >= crossAt)
    return { data: before, wants: [wantOf(spec, LEG, lots, 0)], most, waitsFor: 'its order at market' };
  const waits = { most, waitsFor: 'a fill at the touch', wakeAt: crossAfter > 0 ? crossAt : undefined };
  const at = (ticks: number) => [{ ...wantOf(spec, LEG, lots, ticks), postOnly: true }];
  const touch = touchOf(view.prices(), side);
  if (Number.isNaN(touch) || view.isStale) return { data: before, wants: isOpen ? at(rests) : [], ...waits };
  const up = side === 'buy' ? 1 : -1;
  const wanted = Math.max(1, touch - up * spec.offset);
  const data = before.first === 0 ? { first: wanted } : before;
  const isFar = within >= 0 && up * (wanted - data.first) > within;
  return { data, wants: at(isFar ? data.first + up * within : wanted), ...waits };
}

export const chase: ProgramRule<ChaseAction, Spec, Data> = {
  parse: (action, terms) => {
    const { symbol, offsetTicks = 0, within, crossAfter } = action;
    const instrument = terms.instrument(symbol);
    const spec: Spec = {
      ...workedOf(instrument, action),
      offset: wholeOf(offsetTicks, 'offsetTicks', 0, 1e9),
      within: within === undefined ? -1 : ticksOf(instrument, within, 'within'),
      crossAfter: crossAfter === undefined ? 0 : durationOf(crossAfter, 'crossAfter'),
    };
    return { symbol, spec, data: { first: 0 } };
  },
  step,
  ...oneQuantity,
};
