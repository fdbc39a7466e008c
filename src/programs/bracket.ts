/**
 * `bracket`: an entry, and exits sized by its fills.
 *
 *   entry ─▶ take-profits rest, stop and trail are armed ─▶ the first that fires closes the rest ─▶ again, or done
 */
import type { PositionSide, Side } from '../model/trading/order.ts';
import type { BracketAction, TakeProfitLevel, TriggerSource } from '../model/trading/program.ts';
import type { Instrument } from '../model/market/instrument.ts';
import {
  between,
  hasEnded,
  over,
  roundLeg,
  type ProgramRule,
  type ProgramView,
  type Round,
  type Step,
  type Terms,
  type Want,
} from './rule.ts';
import {
  checkNotional,
  checkSide,
  durationOf,
  exitOf,
  exitTicks,
  fractionOf,
  lotsOf,
  numberOf,
  opposite,
  paysInBase,
  refuse,
  sideOf,
  signOf,
  sourceOf,
  ticksOf,
  whole,
  wholeOf,
  type ExitTerms,
} from './terms.ts';
import { checkTrail, fires, firstTrigger, priceBy, trailed, trailOf, trailTrigger, type Trail } from './trigger.ts';

interface Level {
  readonly price: ExitTerms;
  readonly fraction: number;
}

interface Spec {
  readonly side: Side;
  readonly lots: number;
  /** 0: market. */
  readonly ticks: number;
  readonly ioc: boolean;
  readonly postOnly: boolean;
  readonly positionSide: PositionSide;
  readonly isSpot: boolean;
  readonly by: TriggerSource;
  readonly takeProfit: readonly Level[];
  readonly stopLoss: ExitTerms | null;
  readonly trailing: Trail | null;
  /** Ms from the first fill; 0: none. */
  readonly timeLimit: number;
  readonly rounds: number;
  readonly cooldown: number;
}

type Closing = '' | 'stopLoss' | 'trailing' | 'timeLimit';

interface Data extends Round {
  /** The exit that closes the rest of this round. */
  readonly closing: Closing;
  /** Ticks from which the trail is measured; 0: not active. */
  readonly best: number;
  /** Unix ms of the first fill of the round; 0: none. */
  readonly enteredAt: number;
  /** Signed lots left by fees in base, too few for an order. The next round adds them to its entry. */
  readonly rest?: number;
}

const BEGUN: Data = Object.freeze({ round: 1, closing: '', best: 0, enteredAt: 0, endedAt: 0 });

const CLOSINGS = ['stopLoss', 'trailing', 'timeLimit'] as const;

function exitNames({ takeProfit }: Spec): readonly string[] {
  return [...takeProfit.map((_, index) => `takeProfit:${index + 1}`), ...CLOSINGS];
}

function levelsOf(instrument: Instrument, side: Side, given: BracketAction['takeProfit']): readonly Level[] {
  if (given === undefined) return [];
  const list = Array.isArray(given)
    ? (given as readonly TakeProfitLevel[])
    : [{ price: given as TakeProfitLevel['price'] }];
  const fractions = list.map(({ fraction }, index) =>
    fraction === undefined ? undefined : numberOf(fraction, `takeProfit[${index}].fraction`, 1e-6, 1e6),
  );
  const named = fractions.reduce<number>((sum, fraction) => sum + (fraction ?? 0), 0);
  const rest = fractions.filter((fraction) => fraction === undefined).length;
  if (named > 1 + 1e-9 || (rest > 0 && named >= 1 - 1e-9))
    refuse('bad_fraction', `the fractions of the take-profits sum to ${named}, above 1`, 'takeProfit');
  return list.map(({ price }, index) => ({
    price: exitOf(instrument, price, 'takeProfit', side === 'sell'),
    fraction: fractions[index] ?? (1 - named) / rest,
  }));
}

function specOf(instrument: Instrument, action: BracketAction): Spec {
  const { entry, trailing, timeLimit, reentry, stopLoss } = action;
  const isMarket = entry.type === 'market';
  if (!isMarket && entry.type !== 'limit') refuse('unsupported', 'the entry is a limit or a market order', 'entry');
  if (!isMarket && entry.price === undefined) refuse('missing_price', 'a limit entry needs a price', 'entry.price');
  if (isMarket && entry.price !== undefined) refuse('unsupported', 'a market entry takes no price', 'entry.price');
  if (entry.reduceOnly === true) refuse('unsupported', 'an entry does not reduce', 'entry.reduceOnly');
  const side = sideOf(entry.side, 'entry.side');
  return {
    side,
    lots: lotsOf(instrument, entry.quantity, 'entry.quantity'),
    ticks: entry.price === undefined ? 0 : ticksOf(instrument, entry.price, 'entry.price'),
    ioc: entry.timeInForce === 'ioc',
    postOnly: entry.postOnly ?? false,
    positionSide: entry.positionSide ?? 'both',
    isSpot: instrument.market === 'spot',
    by: sourceOf(instrument, action.by),
    takeProfit: levelsOf(instrument, side, action.takeProfit),
    stopLoss: stopLoss === undefined ? null : exitOf(instrument, stopLoss, 'stopLoss', side === 'buy'),
    trailing: trailing === undefined ? null : trailOf(instrument, trailing, 'trailing'),
    timeLimit: timeLimit === undefined ? 0 : durationOf(timeLimit, 'timeLimit'),
    rounds: 1 + (reentry === undefined ? 0 : wholeOf(reentry.times, 'reentry.times', 1, 1_000_000)),
    cooldown: reentry?.cooldown === undefined ? 0 : durationOf(reentry.cooldown, 'reentry.cooldown'),
  };
}

/** Checks that every exit is on its side of the entry, and that each part is a valid order. */
function checkSides(instrument: Instrument, spec: Spec, terms: Terms): void {
  const { side, lots, takeProfit, stopLoss, trailing, timeLimit } = spec;
  if (takeProfit.length === 0 && stopLoss === null && trailing === null && timeLimit === 0)
    refuse('unsupported', 'a bracket has at least one exit: takeProfit, stopLoss, trailing or timeLimit', 'takeProfit');
  const prices = terms.prices(instrument.symbol);
  const touch = side === 'buy' ? prices.ask : prices.bid;
  const entry = spec.ticks > 0 ? spec.ticks : touch;
  if (Number.isNaN(entry)) {
    if (typeof stopLoss === 'number' || takeProfit.some(({ price }) => typeof price === 'number'))
      refuse('no_market', `${instrument.symbol}: without a price the sides of the exits cannot be checked`);
    return;
  }
  if (spec.ticks === 0) checkNotional(instrument, lots, entry, 'entry.quantity');
  if (trailing !== null) {
    checkTrail(instrument, trailing, entry, opposite(side), 'trailing.distance');
    checkNotional(instrument, lots, firstTrigger(trailing, entry, opposite(side)), 'entry.quantity');
  }
  if (stopLoss !== null) {
    // A limit that crosses is filled at the touch.
    const crosses = signOf(side) * (entry - touch) > 0;
    const best = crosses ? touch : entry;
    const trigger = exitTicks(stopLoss, best, side, false);
    checkSide(instrument, trigger, best, side, false);
    checkNotional(instrument, lots, trigger, 'entry.quantity');
  }
  for (const { price, fraction } of takeProfit) {
    const at = exitTicks(price, entry, side, true);
    checkSide(instrument, at, entry, side, true);
    const part = whole(lots * fraction);
    const { minLots, minTickLots } = instrument.limits;
    const told = `a take-profit of ${fraction} × ${instrument.quantityText(lots)}`;
    if (part < minLots || part * at < minTickLots)
      refuse('below_minimum', `${told} is below the smallest order`, 'takeProfit');
  }
}

interface Held {
  readonly entered: number;
  /** Held lots of this round. */
  readonly held: number;
  /** Average price in ticks. */
  readonly entry: number;
  /** Unix ms of the first fill; NaN: not known. */
  readonly filledAt: number;
  /** Lots that no order of the round can close. */
  readonly rest: number;
}

function heldOf({ leg, spec, data }: ProgramView<Spec, Data>): Held {
  const { net, filled, average, filledAt } = leg(roundLeg('entry', data));
  const { rest = 0 } = data;
  const bought = paysInBase(spec) && filled > 0 ? net + rest : filled;
  const entered = Math.max(0, whole(bought));
  const exited = exitNames(spec).reduce((sum, name) => sum + leg(roundLeg(name, data)).filled, 0);
  return { entered, held: entered - exited, entry: average, filledAt, rest: filled > 0 ? fractionOf(bought) : rest };
}

/** Includes held lots of the round that are too few for an order. The next round sells them too. */
function restOf(spec: Spec, { held, rest }: Held): number {
  return paysInBase(spec) ? Math.max(0, held) + rest : 0;
}

/** The data after this event: first fill, trail, fired trigger. */
function looked(view: ProgramView<Spec, Data>, { held, entered, entry, filledAt }: Held): Data {
  const { spec, now, isStale } = view;
  let { data } = view;
  if (entered > 0 && data.enteredAt === 0) data = { ...data, enteredAt: Number.isNaN(filledAt) ? now : filledAt };
  if (held <= 0 || data.closing !== '') return data;
  if (spec.timeLimit > 0 && now >= data.enteredAt + spec.timeLimit) return { ...data, closing: 'timeLimit' };
  if (isStale) return data;
  const side = opposite(spec.side);
  const price = priceBy(view.prices(), spec.by, side);
  if (Number.isNaN(price)) return data;
  const best = spec.trailing === null ? 0 : trailed(spec.trailing, data.best, price, side);
  if (best !== data.best) data = { ...data, best };
  if (spec.stopLoss !== null && fires(price, exitTicks(spec.stopLoss, entry, spec.side, false), side))
    return { ...data, closing: 'stopLoss' };
  if (spec.trailing !== null && fires(price, trailTrigger(spec.trailing, best, side), side))
    return { ...data, closing: 'trailing' };
  return data;
}

/** Null once the entry needs no more orders. */
function entryWant({ spec, leg }: ProgramView<Spec, Data>, data: Data): Want | null {
  const name = roundLeg('entry', data);
  const entry = leg(name);
  const { filled, isGivenUp } = entry;
  const lots = spec.lots - filled;
  if (data.closing !== '' || lots <= 0 || isGivenUp || hasEnded(entry)) return null;
  const { side, ticks, ioc, postOnly, positionSide } = spec;
  return { leg: name, side, lots, ticks, ioc, postOnly, reduceOnly: false, positionSide };
}

/** A level that is too small for an order passes its share to the next one. One that rests stays. */
function takeProfitWants({ spec, leg, least }: ProgramView<Spec, Data>, data: Data, round: Held): Want[] {
  const { positionSide, takeProfit } = spec;
  const side = opposite(spec.side);
  const takesAll = takeProfit.reduce((sum, { fraction }) => sum + fraction, 0) > 1 - 1e-9;
  const wants: Want[] = [];
  let free = round.held;
  let planned = 0;
  let carried = 0;
  for (const [index, { price, fraction }] of takeProfit.entries()) {
    const name = roundLeg(`takeProfit:${index + 1}`, data);
    const isLast = takesAll && index === takeProfit.length - 1;
    const share = isLast ? round.entered - planned : whole(round.entered * fraction);
    planned += share;
    carried += Math.max(0, share - leg(name).filled);
    const ticks = exitTicks(price, round.entry, spec.side, true);
    const lots = Math.min(carried, free);
    if (lots <= 0 || (lots < least(ticks) && !leg(name).isOpen)) continue;
    free -= lots;
    carried = 0;
    wants.push({ leg: name, side, lots, ticks, reduceOnly: true, positionSide });
  }
  return wants;
}

/** Ticks of the armed triggers. */
function triggersOf({ stopLoss, trailing, side }: Spec, { best }: Data, entry: number) {
  return {
    stopLoss: stopLoss === null ? undefined : exitTicks(stopLoss, entry, side, false),
    trailing: trailing === null || best === 0 ? undefined : trailTrigger(trailing, best, opposite(side)),
    timeLimit: undefined,
  };
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const round = heldOf(view);
  return { held: signOf(view.spec.side) * round.held, ...stepOf(view, round) };
}

function stepOf(view: ProgramView<Spec, Data>, round: Held): Step<Data> {
  const { spec, now, leg } = view;
  const { positionSide, timeLimit } = spec;
  const data = looked(view, round);
  if (data.endedAt > 0) return between(data, { ...BEGUN, rest: restOf(spec, round) }, now, spec.cooldown);
  const entry = entryWant(view, data);
  const isAnyOpen = ['entry', ...exitNames(spec)].some((name) => leg(roundLeg(name, data)).isOpen);
  const isDust = round.held <= 0 || round.held < view.least(round.entry);
  if (entry === null && isDust && !isAnyOpen) return ended(view, data, round);
  const held = Math.max(0, round.held);
  const side = opposite(spec.side);
  const most = { [roundLeg('entry', data)]: spec.lots, [roundLeg('exit', data)]: Math.max(0, round.entered) };
  const { closing } = data;
  const triggers = triggersOf(spec, data, round.entry);
  if (closing !== '') {
    const fired = triggers[closing];
    const onBars = fired === undefined ? undefined : { fired };
    const exit = { leg: roundLeg(closing, data), side, lots: held, ticks: 0, reduceOnly: true, positionSide, onBars };
    const waitsFor = `the exit by ${closing}`;
    const leftAt = closing === 'timeLimit' ? data.enteredAt + timeLimit : undefined;
    return { data, wants: isDust ? [] : [exit], most, waitsFor, leftAt, covers: held, closes: side };
  }
  const exits = takeProfitWants(view, data, round);
  const stops = held > 0 ? [triggers.stopLoss, triggers.trailing].filter((ticks) => ticks !== undefined) : [];
  const leavesAt = timeLimit > 0 && data.enteredAt > 0 ? data.enteredAt + timeLimit : undefined;
  const isArmed = stops.length > 0 || leavesAt !== undefined;
  return {
    data,
    wants: entry === null ? exits : [entry, ...exits],
    most,
    waitsFor: round.entered <= 0 ? 'its entry' : 'an exit',
    closes: side,
    covers: isArmed ? held : exits.reduce((sum, { lots }) => sum + lots, 0),
    trigger: stops.length === 0 ? undefined : spec.side === 'buy' ? Math.max(...stops) : Math.min(...stops),
    wakeAt: leavesAt === undefined || now >= leavesAt ? undefined : leavesAt,
  };
}

function ended({ spec, now }: ProgramView<Spec, Data>, data: Data, round: Held): Step<Data> {
  const { entered, held, rest } = round;
  const closes = opposite(spec.side);
  if (entered <= 0)
    return { ...over(data, 'canceled', 'the entry ended without a fill'), covers: Math.max(0, whole(rest)), closes };
  if (data.round < spec.rounds && (held <= 0 || paysInBase(spec)))
    return between({ ...data, endedAt: now }, { ...BEGUN, rest: restOf(spec, round) }, now, spec.cooldown);
  const end = over(data, 'done', data.closing === '' ? 'takeProfit' : data.closing);
  return { ...end, covers: Math.max(0, held), closes };
}

export const bracket: ProgramRule<BracketAction, Spec, Data> = {
  parse: (action, terms) => {
    if (typeof action.entry !== 'object' || action.entry === null)
      refuse('unsupported', 'a bracket has an entry: the terms of a place', 'entry');
    const { symbol } = action.entry;
    const instrument = terms.instrument(symbol);
    const spec = specOf(instrument, action);
    checkSides(instrument, spec, terms);
    const rest = paysInBase(spec) ? terms.rest(symbol) : 0;
    return { symbol, spec, data: rest === 0 ? BEGUN : { ...BEGUN, rest } };
  },
  step,
  hears: ({ by, stopLoss, trailing }, symbol) =>
    stopLoss === null && trailing === null ? [] : [{ symbol, source: by }],
  quantity: ({ lots, rounds }) => lots * rounds,
  isParent: (leg) => leg.startsWith('entry'),
  isEntry: (leg) => leg.startsWith('entry'),
  groupOf: (leg) => (leg.startsWith('entry') ? leg : leg.replace(/^[^@]+/, 'exit')),
};
