/**
 * `twap` and `vwap`: a quantity in slices by the clock. A slice waits at the touch, then crosses. Its unfilled rest
 * goes to the next slice. The plan goes by the clock also after a crash, so missed slices are caught up. The slices of a
 * `vwap` are as large as the volume of earlier days at their time, read once, at the start.
 */
import type { TwapAction, Urgency, VwapAction } from '../model/trading/program.ts';
import { over, type Parsed, type ProgramRule, type ProgramView, type Step, type Terms, type Want } from './rule.ts';
import { durationOf, numberOf, refuse, ticksOf, wholeOf } from './terms.ts';
import { isInReach, oneQuantity, touchOf, wantOf, workedOf, type Worked } from './worked.ts';

interface Spec extends Worked {
  readonly over: number;
  /** Share of the whole that is due by the end of each slice, ascending to 1. */
  readonly due: readonly number[];
  /** Ticks; 0: none. */
  readonly limit: number;
  readonly urgency: Urgency;
}

type Data = null;

const SLICE_MS = 30_000;
const SLICE_MS_MIN = 100;
const SLICES_MAX = 1_000;
/** Part of a slice that waits at the touch. */
const PATIENCE: Readonly<Record<Urgency, number>> = { low: 1, normal: 0.5, high: 0 };
const UNKNOWN =
  'no volume of an earlier day is known, so its slices are equal; declare a warmup of a day of candles or more, or give curve';
/** The last slice may still cross this long after the end, ms. */
const GRACE_MS = 30_000;

function parse(action: TwapAction | VwapAction, terms: Terms): Parsed<Spec, Data> {
  const { symbol } = action;
  const { urgency = 'normal' } = action;
  const isVwap = action.kind === 'vwap';
  const instrument = terms.instrument(symbol);
  const worked = workedOf(instrument, action);
  const duration = durationOf(action.over, 'over');
  const usual = Math.min(100, Math.max(2, Math.round(duration / SLICE_MS)));
  const asked = action.slices ?? (isVwap ? action.curve?.length : undefined) ?? usual;
  const slices = wholeOf(asked, 'slices', 1, SLICES_MAX);
  if (duration < slices * SLICE_MS_MIN)
    refuse('unsupported', `${slices} slices of at least ${SLICE_MS_MIN} ms do not fit into ${action.over}`, 'over');
  const curve = isVwap ? (action.curve ?? terms.volumes(symbol, duration, slices)) : null;
  const weights = curve ?? Array.from({ length: slices }, () => 1);
  const sum = weights.reduce((total, weight) => total + numberOf(weight, 'curve', 0, 1e15), 0);
  if (!(sum > 0) || weights.length !== slices) refuse('unsupported', 'curve has a weight for each slice', 'curve');
  let upTo = 0;
  const due = weights.map((weight) => (upTo += weight) / sum);
  const { minLots, minTickLots } = instrument.limits;
  const limit = action.limit === undefined ? 0 : ticksOf(instrument, action.limit, 'limit');
  const reference = limit > 0 ? limit : terms.prices(symbol).mid;
  const each = worked.lots / slices;
  if (each < minLots || (reference > 0 && each * reference < minTickLots)) {
    const part = instrument.quantityText(Math.floor(each));
    refuse('below_minimum', `${symbol}: a slice of ${part} is below the smallest order; take fewer slices`, 'slices');
  }
  if (!(urgency in PATIENCE)) refuse('unsupported', `urgency is low, normal or high, got ${urgency}`, 'urgency');
  const remark = isVwap && curve === null ? `of ${symbol} ${UNKNOWN}` : undefined;
  return { symbol, spec: { ...worked, over: duration, due, limit, urgency }, data: null, remark };
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, startedAt, leg, data } = view;
  const filled = spec.due.reduce((sum, _, index) => sum + leg(`slice:${index + 1}`).filled, 0);
  const left = spec.lots - filled;
  if (left <= 0) return over(data, 'done', 'filled');
  const slices = spec.due.length;
  const each = spec.over / slices;
  const index = Math.min(slices - 1, Math.max(0, Math.floor((now - startedAt) / each + 1e-9)));
  const name = `slice:${index + 1}`;
  const endsAt = startedAt + spec.over;
  const { isOpen, ticks: rests } = leg(name);
  if (now >= endsAt + GRACE_MS) {
    if (!isOpen) return over(data, 'failed', `${view.quantity(left)} is left at the end`);
    if (rests > 0) return { data, wants: [], most: { all: spec.lots }, waitsFor: 'the end of its order' };
  }
  const due = index === slices - 1 ? spec.lots : Math.floor(spec.lots * (spec.due[index] ?? 1) + 1e-9);
  const crossAt = startedAt + (index + PATIENCE[spec.urgency]) * each;
  const crosses = now >= crossAt;
  const lots = due - filled;
  const want = lots <= 0 ? null : priced(view, name, lots, crosses);
  const waitsFor = want === null ? 'its next slice' : crosses ? 'the rest of its slice' : 'a fill at the touch';
  // Less than the smallest order waits for the next slice, on the book if it is there.
  const isSmall = want !== null && lots < view.least(want.ticks > 0 ? want.ticks : view.prices().mid);
  const wants = want === null || (isSmall && !isOpen) ? [] : [want];
  const wakeAt = now >= endsAt ? now + 1_000 : crosses ? startedAt + (index + 1) * each : crossAt;
  // Never ahead of the plan: an earlier slice's order must be certainly closed before the next one leaves.
  return { data, wants, most: { all: due }, waitsFor, wakeAt };
}

/** Null without a price, or if the limit forbids it. */
function priced(
  { spec, leg, prices, least }: ProgramView<Spec, Data>,
  name: string,
  lots: number,
  crosses: boolean,
): Want | null {
  const { side, limit } = spec;
  const { ticks: rests, isOpen } = leg(name);
  if (isOpen && rests > 0 && (!crosses || lots < least(rests))) return wantOf(spec, name, lots, rests);
  if (crosses) return isInReach(prices(), side, limit) ? { ...wantOf(spec, name, lots, limit), ioc: limit > 0 } : null;
  const touch = touchOf(prices(), side);
  if (Number.isNaN(touch)) return null;
  const ticks = limit === 0 ? touch : side === 'buy' ? Math.min(touch, limit) : Math.max(touch, limit);
  return wantOf(spec, name, lots, ticks);
}

const sliced = { parse, step, ...oneQuantity };

export const twap: ProgramRule<TwapAction, Spec, Data> = sliced;
export const vwap: ProgramRule<VwapAction, Spec, Data> = sliced;
