/**
 * `grid`: cells between neighbouring levels. A long cell buys at its lower level and sells at its upper one, a short
 * cell the reverse. Each fill places the opposite order, partial ones too. A cell starts once its first order would rest.
 */
import type { Instrument } from '../model/market/instrument.ts';
import type { GridAction, TriggerSource } from '../model/trading/program.ts';
import type { Side } from '../model/trading/order.ts';
import { over, type LegView, type Prices, type ProgramRule, type ProgramView, type Step, type Want } from './rule.ts';
import { checkNotional, lotsOf, opposite, refuse, signOf, sourceOf, ticksOf, whole, wholeOf } from './terms.ts';
import { fires, heardBy, priceBy, priceNow } from './trigger.ts';

interface Spec {
  /** Ticks, ascending. */
  readonly levels: readonly number[];
  readonly lots: number;
  readonly side: 'long' | 'short' | 'neutral';
  /** Ticks; 0: none. */
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly by: TriggerSource;
  readonly isSpot: boolean;
}

interface Data {
  /** Neutral: cells above these ticks sell first; 0: not decided. */
  readonly pivot: number;
  readonly closing: '' | 'stopLoss' | 'takeProfit';
}

interface Cell {
  readonly open: string;
  readonly close: string;
  readonly side: Side;
  readonly openTicks: number;
  readonly closeTicks: number;
}

function cellsOf({ levels, side }: Spec, { pivot }: Data): readonly Cell[] {
  return levels.slice(1).map((high, index): Cell => {
    const low = levels[index] ?? high;
    const isLong = side === 'long' || (side === 'neutral' && low < pivot);
    const open = `level:${index + 1}`;
    const names = { open, close: `${open}:close` };
    return isLong
      ? { ...names, side: 'buy', openTicks: low, closeTicks: high }
      : { ...names, side: 'sell', openTicks: high, closeTicks: low };
  });
}

/** Signed lots held by all cells, and whether one of their orders works. */
function heldBy({ leg, spec }: ProgramView<Spec, Data>, cells: readonly Cell[]): { held: number; isOpen: boolean } {
  let held = 0;
  let isOpen = false;
  for (const { open, close, side } of cells) {
    const [opened, closed] = [leg(open), leg(close)];
    isOpen ||= opened.isOpen || closed.isOpen;
    held += signOf(side) * (bought(opened, side, spec.isSpot) - closed.filled);
  }
  for (const name of ['stopLoss', 'takeProfit'] as const) held -= Math.sign(held) * leg(name).filled;
  return { held, isOpen };
}

type Filled = Pick<LegView, 'filled' | 'net'>;

function bought(opened: Filled, side: Side, isSpot: boolean): number {
  return isSpot && side === 'buy' ? whole(opened.net) : opened.filled;
}

/** Lots that the open order of a cell still lacks. A part taken by a fee in base counts as filled. */
function lacking({ lots, isSpot }: Spec, side: Side, opened: Filled, closed: Filled): number {
  if (!isSpot || side === 'sell' || opened.net <= 0) return lots - (opened.filled - closed.filled);
  const inside = Math.max(0, opened.net - closed.filled);
  return Math.max(0, lots - Math.round(inside * (opened.filled / opened.net)));
}

/** Lots of the closing order. While the cell still fills, one that rests grows by no less than the smallest order. */
function closingLots(opened: LegView, closed: LegView, inside: number, least: number): number {
  const more = inside - closed.working;
  return closed.isOpen && opened.isOpen && more >= 0 && more < least ? closed.working : inside;
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, leg } = view;
  const { mid, bid, ask } = view.prices();
  let { data } = view;
  if (spec.side === 'neutral' && data.pivot === 0) {
    if (Number.isNaN(mid)) return { data, wants: [], most: {}, waitsFor: 'a price' };
    data = { ...data, pivot: mid };
  }
  const cells = cellsOf(spec, data);
  const { held, isOpen } = heldBy(view, cells);
  if (data.closing === '' && !view.isStale) data = fired(view, data, held);
  const { closing } = data;
  if (closing !== '') return leaving(view, data, closing, held, isOpen);
  const most: Record<string, number> = {};
  const resting: Want[] = [];
  const closes: Want[] = [];
  const opens: Want[] = [];
  for (const { open, close, side, openTicks, closeTicks } of cells) {
    const [opened, closed] = [leg(open), leg(close)];
    const got = bought(opened, side, spec.isSpot);
    most[open] = spec.lots + closed.filled + (opened.filled - got);
    most[close] = got;
    const inside = got - closed.filled;
    const least = view.least(closeTicks);
    const isClosing = closed.isOpen || inside >= least;
    if (isClosing && inside > 0) {
      const lots = closingLots(opened, closed, inside, least);
      const want = { leg: close, side: opposite(side), lots, ticks: closeTicks, reduceOnly: spec.side !== 'neutral' };
      (closed.isOpen ? resting : closes).push(want);
    }
    // What rests keeps its place while the cell closes what it has filled. Only an empty cell is filled anew.
    const lots = isClosing ? opened.working : lacking(spec, side, opened, closed);
    const rests = side === 'buy' ? openTicks < ask : openTicks > bid;
    if (lots > 0 && (opened.isOpen || (rests && lots >= view.least(openTicks))))
      opens.push({ leg: open, side, lots, ticks: openTicks, reduceOnly: false });
  }
  const trigger = spec.stopLoss > 0 ? spec.stopLoss : undefined;
  const wants = apart([...resting, ...closes, ...opens]);
  return { data, wants, most, waitsFor: 'a fill of a level', held, covers: Math.abs(held), trigger };
}

/**
 * Neighbours share a level. An order that would match an earlier one waits; otherwise the two would replace each other
 * for ever.
 */
function apart(wants: readonly Want[]): readonly Want[] {
  const kept: Want[] = [];
  for (const want of wants) {
    const isMet = kept.some(({ side, ticks }) => {
      if (side === want.side) return false;
      return side === 'buy' ? ticks >= want.ticks : ticks <= want.ticks;
    });
    if (!isMet) kept.push(want);
  }
  return kept;
}

/** Stop and take-profit of the whole grid: prices below or above all levels, whichever side is held. */
function fired(view: ProgramView<Spec, Data>, data: Data, held: number): Data {
  const { spec } = view;
  const side: Side = held < 0 ? 'buy' : 'sell';
  const price = priceBy(view.prices(), spec.by, side);
  if (Number.isNaN(price)) return data;
  if (isReached(spec, price, spec.stopLoss)) return { ...data, closing: 'stopLoss' };
  if (isReached(spec, price, spec.takeProfit)) return { ...data, closing: 'takeProfit' };
  return data;
}

/** A trigger below all levels is reached from above, another one from below. */
function isReached({ levels: [low = 0] }: Pick<Spec, 'levels'>, price: number, trigger: number): boolean {
  return trigger > 0 && fires(price, trigger, trigger <= low ? 'sell' : 'buy');
}

/** A long grid wins above its levels and loses below them, a short one the other way; a neutral one takes either side. */
function checkExits(instrument: Instrument, spec: Spec, prices: Prices): void {
  const [low = 0] = spec.levels;
  const price = priceNow(prices, spec.by, 'sell');
  for (const field of ['stopLoss', 'takeProfit'] as const) {
    const trigger = spec[field];
    if (trigger === 0) continue;
    const told = `${field} ${instrument.priceText(trigger)}`;
    const isBelow = trigger <= low;
    if (spec.side !== 'neutral' && isBelow !== ((spec.side === 'long') === (field === 'stopLoss')))
      refuse('wrong_side', `${told} of a ${spec.side} grid lies ${isBelow ? 'below' : 'above'} its levels`, field);
    if (isReached(spec, price, trigger))
      refuse('wrong_side', `${told} is passed by the price ${instrument.priceText(Math.round(price))} already`, field);
  }
}

function leaving(
  view: ProgramView<Spec, Data>,
  data: Data,
  name: 'stopLoss' | 'takeProfit',
  held: number,
  isOpen: boolean,
): Step<Data> {
  const lots = Math.abs(held);
  const isDust = lots < view.least(view.prices().mid);
  if (isDust && !isOpen && !view.leg(name).isOpen) return { ...over(data, 'done', name), covers: lots };
  const onBars = { fired: view.spec[name] };
  const exit: Want = { leg: name, side: held < 0 ? 'buy' : 'sell', lots, ticks: 0, reduceOnly: true, onBars };
  const most = { [name]: view.leg(name).filled + lots };
  // The levels' orders are cancelled first, so each lot has one working exit.
  const wants = isDust || isOpen ? [] : [exit];
  return { data, wants, most, waitsFor: `the exit by ${name}`, held, covers: lots };
}

export const grid: ProgramRule<GridAction, Spec, Data> = {
  parse: (action, terms) => {
    const { symbol, levels, spacing = 'arithmetic', side = 'neutral' } = action;
    const instrument = terms.instrument(symbol);
    const low = ticksOf(instrument, action.low, 'low');
    const high = ticksOf(instrument, action.high, 'high');
    if (low >= high) refuse('wrong_side', 'low is below high', 'low');
    wholeOf(levels, 'levels', 2, 500);
    if (spacing !== 'arithmetic' && spacing !== 'geometric')
      refuse('unsupported', 'spacing is arithmetic or geometric', 'spacing');
    if (side !== 'long' && side !== 'short' && side !== 'neutral')
      refuse('unsupported', 'side is long, short or neutral', 'side');
    const at = (index: number): number => {
      const part = index / (levels - 1);
      return Math.round(spacing === 'arithmetic' ? low + (high - low) * part : low * (high / low) ** part);
    };
    const ticks = Array.from({ length: levels }, (_, index) => at(index));
    if (new Set(ticks).size < levels) refuse('unsupported', 'two levels share a tick: take fewer', 'levels');
    const lots = lotsOf(instrument, action.quantity, 'quantity');
    checkNotional(instrument, lots, low, 'quantity');
    const optional = (value: GridAction['stopLoss'], field: string): number => {
      if (value === undefined) return 0;
      const found = ticksOf(instrument, value, field);
      if (found > low && found < high) refuse('wrong_side', `${field} lies within the grid`, field);
      return found;
    };
    const spec: Spec = {
      levels: ticks,
      lots,
      side,
      stopLoss: optional(action.stopLoss, 'stopLoss'),
      takeProfit: optional(action.takeProfit, 'takeProfit'),
      by: sourceOf(instrument, action.by),
      isSpot: instrument.market === 'spot',
    };
    checkExits(instrument, spec, terms.prices(symbol));
    return { symbol, spec, data: { pivot: 0, closing: '' as const } };
  },
  step,
  hears: ({ by }, symbol) => heardBy(symbol, by),
  quantity: () => null,
  isParent: (leg) => leg.startsWith('level:') && !leg.endsWith(':close'),
  isEntry: (leg) => leg.startsWith('level:') && !leg.endsWith(':close'),
  groupOf: (leg) => leg,
};
