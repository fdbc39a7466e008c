/** `pov`: follows the printed volume with a share of it, by orders that cross. What this process did not see printed does not count. */
import type { PositionSide, Side } from '../model/order.ts';
import type { PovAction } from '../model/program.ts';
import type { ProgramRule, ProgramView, Step } from './rule.ts';
import { durationOf, instrumentOf, lotsOf, numberOf, parsed, sideOf, ticksOf } from './terms.ts';

interface Spec {
  readonly side: Side;
  readonly lots: number;
  readonly participation: number;
  readonly over: number;
  /** Ticks; 0: none. */
  readonly limit: number;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
}

/** Lots that may be filled so far; it grows as more is printed. */
interface Data {
  readonly due: number;
  /** Printed lots at which `due` was counted. */
  readonly at: number;
}

const LEG = 'pov';

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, startedAt, leg } = view;
  const { filled, working, isOpen } = leg(LEG);
  const most = { pov: spec.lots };
  const end = (state: 'done' | 'failed', reason: string): Step<Data> => ({
    data: view.data,
    wants: [],
    most,
    end: { state, reason },
    waitsFor: 'nothing',
  });
  if (filled >= spec.lots) return end('done', 'filled');
  const endsAt = startedAt + spec.over;
  if (now >= endsAt && !isOpen) return end('failed', `${view.quantity(spec.lots - filled)} is left at the end`);
  const { side, reduceOnly, positionSide, limit } = spec;
  const { bid, ask, mid } = view.prices();
  const base = { leg: LEG, side, ticks: limit, ioc: limit > 0, reduceOnly, positionSide };
  const waits = { most, waitsFor: 'printed volume', wakeAt: endsAt };
  if (isOpen) return { data: view.data, wants: [{ ...base, lots: working }], ...waits };
  const printed = view.printed();
  // After a restart the count begins anew.
  const seen = printed < view.data.at ? printed : printed - view.data.at;
  const due = Math.min(spec.lots, Math.floor(view.data.due + seen * spec.participation + 1e-9));
  const left = spec.lots - filled;
  const lots = due - filled;
  const far = side === 'buy' ? ask : bid;
  const isTooFar = limit > 0 && !(side === 'buy' ? far <= limit : far >= limit);
  const least = view.least(limit > 0 ? limit : mid);
  // A rest below the least order goes with the part before it.
  const asked = left - lots < least && lots > 0 && due >= spec.lots ? left : lots;
  if (asked < least || isTooFar || now >= endsAt) return { data: view.data, wants: [], ...waits };
  const exact = Math.min(spec.lots, view.data.due + seen * spec.participation);
  const isCounted = exact === view.data.due && printed === view.data.at;
  return { data: isCounted ? view.data : { due: exact, at: printed }, wants: [{ ...base, lots: asked }], ...waits };
}

export const pov: ProgramRule<PovAction, Spec, Data> = {
  kind: 'pov',
  parse: (action, terms) =>
    parsed(() => {
      const { symbol, limit } = action;
      const instrument = instrumentOf(terms.instrument(symbol));
      const spec: Spec = {
        side: sideOf(action.side),
        lots: lotsOf(instrument, action.quantity, 'quantity'),
        participation: numberOf(action.participation, 'participation', 1e-6, 1),
        over: durationOf(action.over, 'over'),
        limit: limit === undefined ? 0 : ticksOf(instrument, limit, 'limit'),
        reduceOnly: action.reduceOnly ?? false,
        positionSide: action.positionSide ?? 'both',
      };
      return { symbol, spec, data: { due: 0, at: 0 } };
    }),
  step,
  hears: (_spec, symbol) => [
    { symbol, source: 'bid-ask' },
    { symbol, source: 'printed' },
  ],
  quantity: ({ lots }) => lots,
  isParent: () => true,
  groupOf: () => 'pov',
};
