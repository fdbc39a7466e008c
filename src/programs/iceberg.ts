/** `iceberg`: a limit order of which only a part rests at a time. */
import type { IcebergAction } from '../model/trading/program.ts';
import { over, type ProgramRule, type ProgramView, type Step } from './rule.ts';
import { checkNotional, lotsOf, numberOf, ticksOf } from './terms.ts';
import { oneQuantity, wantOf, workedOf, type Worked } from './worked.ts';

interface Spec extends Worked {
  readonly ticks: number;
  readonly show: number;
  readonly variance: number;
}

type Data = null;

const LEG = 'show';

/** In [−1, 1). The same for the same order number and start, so a restart shows the same quantity. */
function jitter(order: number, startedAt: number): number {
  let hash = (order * 2_654_435_761 + Math.floor(startedAt)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}

function step({ spec, leg, startedAt, data, least }: ProgramView<Spec, Data>): Step<Data> {
  const { filled, working, isOpen, orders } = leg(LEG);
  const left = spec.lots - filled;
  if (left <= 0) return over(data, 'done', 'filled');
  const { ticks, show, variance } = spec;
  const shown = Math.max(least(ticks), Math.round(show * (1 + variance * jitter(orders + 1, startedAt))));
  // A rest below the smallest order joins the part before it.
  const lots = isOpen ? working : left - shown < least(ticks) ? left : shown;
  const wants = [wantOf(spec, LEG, Math.min(lots, left), ticks)];
  return { data, wants, most: { all: spec.lots }, waitsFor: 'a fill of the displayed part' };
}

export const iceberg: ProgramRule<IcebergAction, Spec, Data> = {
  parse: (action, terms) => {
    const { symbol, variance = 0 } = action;
    const instrument = terms.instrument(symbol);
    const spec: Spec = {
      ...workedOf(instrument, action),
      ticks: ticksOf(instrument, action.price, 'price'),
      show: lotsOf(instrument, action.show, 'show'),
      variance: numberOf(variance, 'variance', 0, 0.5),
    };
    checkNotional(instrument, spec.show, spec.ticks, 'show');
    return { symbol, spec, data: null };
  },
  step,
  ...oneQuantity,
  hears: () => [],
};
