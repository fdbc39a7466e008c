/**
 * `pov`: follows the volume that others trade with a share of it, by orders that cross. Volume printed while this
 * process was down does not count.
 */
import type { PovAction } from '../model/trading/program.ts';
import { over, type ProgramRule, type ProgramView, type Step } from './rule.ts';
import { checkNotional, durationOf, numberOf, ticksOf } from './terms.ts';
import { isInReach, oneQuantity, wantOf, workedOf, type Worked } from './worked.ts';

interface Spec extends Worked {
  readonly participation: number;
  readonly over: number;
  /** Ticks; 0: none. */
  readonly limit: number;
}

/** Lots that may be filled so far. Grows with the printed volume. */
interface Data {
  readonly due: number;
  /** Printed lots at which `due` was counted, by the process that follows it since `since`, Unix ms. */
  readonly at: number;
  readonly since: number;
}

const LEG = 'pov';

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, startedAt, since, leg } = view;
  const printed = view.printed();
  // A restart begins the count at 0.
  const data = since === view.data.since ? view.data : { ...view.data, at: 0, since };
  const { filled, working, isOpen } = leg(LEG);
  const left = spec.lots - filled;
  if (left <= 0) return over(data, 'done', 'filled');
  const endsAt = startedAt + spec.over;
  if (now >= endsAt && !isOpen) return over(data, 'failed', `${view.quantity(left)} is left at the end`);
  const { side, limit } = spec;
  const wants = (lots: number) => [{ ...wantOf(spec, LEG, lots, limit), ioc: limit > 0 }];
  const waits = { most: { all: spec.lots }, waitsFor: 'printed volume', wakeAt: endsAt };
  if (isOpen) return { data, wants: wants(working), ...waits };
  const exact = Math.min(spec.lots, data.due + (printed - data.at) * spec.participation);
  const due = Math.floor(exact + 1e-9);
  const lots = due - filled;
  const prices = view.prices();
  const least = view.least(limit > 0 ? limit : prices.mid);
  // A rest below the smallest order joins the part before it.
  const asked = left - lots < least && lots > 0 && due >= spec.lots ? left : lots;
  if (asked < least || !isInReach(prices, side, limit) || now >= endsAt) return { data, wants: [], ...waits };
  const isCounted = exact === data.due && printed === data.at;
  return { data: isCounted ? data : { due: exact, at: printed, since }, wants: wants(asked), ...waits };
}

export const pov: ProgramRule<PovAction, Spec, Data> = {
  parse: (action, terms) => {
    const { symbol, limit } = action;
    const instrument = terms.instrument(symbol);
    const spec: Spec = {
      ...workedOf(instrument, action),
      participation: numberOf(action.participation, 'participation', 1e-6, 1),
      over: durationOf(action.over, 'over'),
      limit: limit === undefined ? 0 : ticksOf(instrument, limit, 'limit'),
    };
    checkNotional(instrument, spec.lots, spec.limit > 0 ? spec.limit : terms.prices(symbol).mid, 'quantity');
    return { symbol, spec, data: { due: 0, at: 0, since: 0 } };
  },
  step,
  ...oneQuantity,
  hears: (spec, symbol) => [...oneQuantity.hears(spec, symbol), { symbol, source: 'printed' }],
};
