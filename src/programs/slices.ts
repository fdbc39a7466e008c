/**
 * `twap` and `vwap`: a quantity in slices by the clock. A slice waits at the touch, then crosses; what it leaves is the
 * next one's. After a crash the plan of the clock still holds, so what was missed is caught up.
 */
import type { PositionSide, Side } from '../model/order.ts';
import type { TwapAction, Urgency, VwapAction } from '../model/program.ts';
import type { ProgramRule, ProgramView, Step, Terms, Want } from './rule.ts';
import { durationOf, instrumentOf, lotsOf, numberOf, parsed, refuse, sideOf, ticksOf } from './terms.ts';

interface Spec {
  readonly side: Side;
  readonly lots: number;
  readonly over: number;
  /** Share of the whole that is due by the end of each slice, ascending to 1. */
  readonly due: readonly number[];
  /** Ticks; 0: none. */
  readonly limit: number;
  readonly urgency: Urgency;
  readonly reduceOnly: boolean;
  readonly positionSide: PositionSide;
}

type Data = null;

const SLICE_MS = 30_000;
const SLICE_MS_MIN = 100;
const SLICES_MAX = 1_000;
/** Part of a slice that waits at the touch. */
const PATIENCE: Readonly<Record<Urgency, number>> = { low: 1, normal: 0.5, high: 0 };
/** The last slice may still cross this long after the end, ms. */
const GRACE_MS = 30_000;

function specOf(action: TwapAction | VwapAction, terms: Terms, curve: readonly number[] | undefined): Spec {
  const instrument = instrumentOf(terms.instrument(action.symbol));
  const lots = lotsOf(instrument, action.quantity, 'quantity');
  const over = durationOf(action.over, 'over');
  const usual = Math.min(100, Math.max(2, Math.round(over / SLICE_MS)));
  const slices = action.slices ?? curve?.length ?? usual;
  numberOf(slices, 'slices', 1, SLICES_MAX);
  if (!Number.isInteger(slices)) refuse('unsupported', `slices must be a whole number, got ${slices}`, 'slices');
  if (over < slices * SLICE_MS_MIN)
    refuse('unsupported', `${slices} slices of at least ${SLICE_MS_MIN} ms do not fit into ${action.over}`, 'over');
  const weights = curve ?? Array.from({ length: slices }, () => 1);
  const sum = weights.reduce((total, weight) => total + numberOf(weight, 'curve', 0, 1e15), 0);
  if (!(sum > 0) || weights.length !== slices) refuse('unsupported', 'curve has a weight for each slice', 'curve');
  let upTo = 0;
  const due = weights.map((weight) => (upTo += weight) / sum);
  const { limits, symbol } = instrument;
  const prices = terms.prices(symbol);
  const limit = action.limit === undefined ? 0 : ticksOf(instrument, action.limit, 'limit');
  const reference = limit > 0 ? limit : prices.mid;
  const each = lots / slices;
  if (each < limits.minLots || (reference > 0 && each * reference < limits.minTickLots))
    refuse(
      'below_minimum',
      `${symbol}: a slice of ${instrument.quantityText(Math.floor(each))} is below the least order; take fewer slices`,
      'slices',
    );
  const { urgency = 'normal' } = action;
  if (!(urgency in PATIENCE)) refuse('unsupported', `urgency is low, normal or high, got ${urgency}`, 'urgency');
  return {
    side: sideOf(action.side),
    lots,
    over,
    due,
    limit,
    urgency,
    reduceOnly: action.reduceOnly ?? false,
    positionSide: action.positionSide ?? 'both',
  };
}

interface Slice {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function sliceAt({ due, over }: Spec, startedAt: number, now: number): Slice {
  const each = over / due.length;
  const index = Math.min(due.length - 1, Math.max(0, Math.floor((now - startedAt) / each + 1e-9)));
  return { index, from: startedAt + index * each, to: startedAt + (index + 1) * each };
}

/** What all slices filled together. */
function filledOf({ leg, spec }: Pick<ProgramView<Spec, Data>, 'leg' | 'spec'>): number {
  return spec.due.reduce((sum, _, index) => sum + leg(`slice:${index + 1}`).filled, 0);
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, startedAt, leg, data } = view;
  const filled = filledOf(view);
  if (filled >= spec.lots)
    return { data, wants: [], most: {}, end: { state: 'done', reason: 'filled' }, waitsFor: 'nothing' };
  const slice = sliceAt(spec, startedAt, now);
  const name = `slice:${slice.index + 1}`;
  const isLast = slice.index === spec.due.length - 1;
  const due = isLast ? spec.lots : Math.floor(spec.lots * (spec.due[slice.index] ?? 1) + 1e-9);
  const lots = due - filled;
  // Never ahead of the plan: the order of an earlier slice is proved closed before the next one leaves.
  const most = { slices: due };
  const crossAt = slice.from + (slice.to - slice.from) * PATIENCE[spec.urgency];
  const crosses = now >= crossAt;
  const wakeAt = crosses ? slice.to : crossAt;
  if (now >= startedAt + spec.over + GRACE_MS && !leg(name).isOpen) {
    const end = { state: 'failed', reason: `${view.quantity(spec.lots - filled)} is left at the end` } as const;
    return { data, wants: [], most, end, waitsFor: 'nothing' };
  }
  const want = lots <= 0 ? null : priced(view, name, lots, crosses);
  const waitsFor = want === null ? 'its next slice' : crosses ? 'the rest of its slice' : 'a fill at the touch';
  // What is below the least order waits for the next slice.
  const wants = want === null || lots < view.least(want.ticks > 0 ? want.ticks : view.prices().mid) ? [] : [want];
  const next = now >= startedAt + spec.over ? now + 1_000 : wakeAt;
  return { data, wants, most, waitsFor, wakeAt: next };
}

/** Null without a price, or where the limit forbids it. */
function priced(view: ProgramView<Spec, Data>, name: string, lots: number, crosses: boolean): Want | null {
  const { spec, leg } = view;
  const { side, reduceOnly, positionSide, limit } = spec;
  const { bid, ask } = view.prices();
  const base = { leg: name, side, lots, reduceOnly, positionSide };
  if (crosses) {
    if (limit === 0) return { ...base, ticks: 0 };
    const far = side === 'buy' ? ask : bid;
    return (side === 'buy' ? far <= limit : far >= limit) ? { ...base, ticks: limit, ioc: true } : null;
  }
  const { ticks: rests, isOpen } = leg(name);
  if (isOpen && rests > 0) return { ...base, ticks: rests };
  const touch = side === 'buy' ? bid : ask;
  if (Number.isNaN(touch)) return null;
  const ticks = limit === 0 ? touch : side === 'buy' ? Math.min(touch, limit) : Math.max(touch, limit);
  return { ...base, ticks };
}

const shared = {
  step,
  hears: (_spec: Spec, symbol: string) => [{ symbol, source: 'bid-ask' as const }],
  quantity: ({ lots }: Spec) => lots,
  isParent: () => true,
  groupOf: () => 'slices',
};

export const twap: ProgramRule<TwapAction, Spec, Data> = {
  kind: 'twap',
  parse: (action, terms) =>
    parsed(() => ({ symbol: action.symbol, spec: specOf(action, terms, undefined), data: null })),
  ...shared,
};

export const vwap: ProgramRule<VwapAction, Spec, Data> = {
  kind: 'vwap',
  parse: (action, terms) =>
    parsed(() => ({ symbol: action.symbol, spec: specOf(action, terms, action.curve), data: null })),
  ...shared,
};
