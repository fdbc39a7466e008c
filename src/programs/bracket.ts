/**
 * `bracket`: an entry, and exits sized by what it has filled.
 *
 *   entry ─▶ take-profits rest, stop and trail are armed ─▶ the first that fires takes all that is left ─▶ again, or done
 */
import type { PositionSide, Side } from '../model/order.ts';
import type { BracketAction, TakeProfitLevel, TriggerSource } from '../model/program.ts';
import type { Instrument } from '../model/instrument.ts';
import type { ProgramRule, ProgramView, Step, Terms, Want } from './rule.ts';
import {
  durationOf,
  exitOf,
  exitTicks,
  instrumentOf,
  lotsOf,
  numberOf,
  opposite,
  parsed,
  refuse,
  sideOf,
  sourceOf,
  ticksOf,
  whole,
  type ExitTerms,
} from './terms.ts';
import { fires, priceBy, trailed, trailOf, trailTrigger, type Trail } from './trigger.ts';

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

interface Data {
  readonly round: number;
  /** What took all that was left of this round. */
  readonly closing: Closing;
  /** Ticks from which the trail is measured; 0: not active. */
  readonly best: number;
  /** Unix ms of the first fill of the round; 0: none. */
  readonly enteredAt: number;
  /** Unix ms at which the round ended; 0: it is under way. */
  readonly endedAt: number;
}

const BEGUN: Data = Object.freeze({ round: 1, closing: '', best: 0, enteredAt: 0, endedAt: 0 });

const CLOSINGS = ['stopLoss', 'trailing', 'timeLimit'] as const;

/** `entry`, `takeProfit:1`, `stopLoss`; of later rounds `entry@2` … */
function legOf(name: string, { round }: Data): string {
  return round === 1 ? name : `${name}@${round}`;
}

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
    rounds: 1 + (reentry === undefined ? 0 : numberOf(reentry.times, 'reentry.times', 1, 1_000_000)),
    cooldown: reentry?.cooldown === undefined ? 0 : durationOf(reentry.cooldown, 'reentry.cooldown'),
  };
}

/** Every exit lies on its side of the entry, and every part of it can be an order. */
function checkSides(instrument: Instrument, spec: Spec, terms: Terms): void {
  const { side, lots, takeProfit, stopLoss, trailing, timeLimit } = spec;
  if (takeProfit.length === 0 && stopLoss === null && trailing === null && timeLimit === 0)
    refuse('unsupported', 'a bracket has at least one exit: takeProfit, stopLoss, trailing or timeLimit', 'takeProfit');
  const prices = terms.prices(instrument.symbol);
  const entry = spec.ticks > 0 ? spec.ticks : side === 'buy' ? prices.ask : prices.bid;
  const told = (ticks: number): string => instrument.priceText(ticks);
  if (Number.isNaN(entry)) {
    if (typeof stopLoss === 'number' || takeProfit.some(({ price }) => typeof price === 'number'))
      refuse('no_market', `${instrument.symbol}: without a price the sides of the exits cannot be checked`);
    return;
  }
  const isBeyond = (ticks: number): boolean => (side === 'buy' ? ticks > entry : ticks < entry);
  if (stopLoss !== null) {
    const at = exitTicks(stopLoss, entry, side, false);
    if (at === entry || isBeyond(at))
      refuse(
        'wrong_side',
        `stopLoss ${told(at)} is not on the losing side of the entry ${told(Math.round(entry))}`,
        'stopLoss',
      );
  }
  for (const { price, fraction } of takeProfit) {
    const at = exitTicks(price, entry, side, true);
    if (at === entry || !isBeyond(at))
      refuse(
        'wrong_side',
        `takeProfit ${told(at)} is not on the winning side of the entry ${told(Math.round(entry))}`,
        'takeProfit',
      );
    const part = whole(lots * fraction);
    const { minLots, minTickLots } = instrument.limits;
    if (part < minLots || part * at < minTickLots)
      refuse(
        'below_minimum',
        `a take-profit of ${fraction} × ${instrument.quantityText(lots)} is below the least order`,
        'takeProfit',
      );
  }
}

interface Round {
  readonly entered: number;
  /** What is held of this round. */
  readonly held: number;
  /** Average price in ticks. */
  readonly entry: number;
}

function roundOf({ leg, spec, data }: ProgramView<Spec, Data>): Round {
  const { net, filled, average } = leg(legOf('entry', data));
  const entered = spec.isSpot && spec.side === 'buy' ? whole(net) : filled;
  const exited = exitNames(spec).reduce((sum, name) => sum + leg(legOf(name, data)).filled, 0);
  return { entered, held: entered - exited, entry: average };
}

/** The data after this look: first fill, trail, what fired. */
function looked(view: ProgramView<Spec, Data>, { held, entered, entry }: Round): Data {
  const { spec, now, isStale } = view;
  let { data } = view;
  if (entered > 0 && data.enteredAt === 0) data = { ...data, enteredAt: now };
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

/** Null once nothing more of the entry is to be sent. */
function entryWant({ spec, leg }: ProgramView<Spec, Data>, data: Data): Want | null {
  const name = legOf('entry', data);
  const { orders, filled, isOpen, isGivenUp } = leg(name);
  const lots = spec.lots - filled;
  if (data.closing !== '' || lots <= 0 || isGivenUp || (orders > 0 && !isOpen)) return null;
  const { side, ticks, ioc, postOnly, positionSide } = spec;
  return { leg: name, side, lots, ticks, ioc, postOnly, reduceOnly: false, positionSide };
}

/** A level that is no order yet passes its share on to the next one. */
function takeProfitWants({ spec, leg, least }: ProgramView<Spec, Data>, data: Data, round: Round): Want[] {
  const { positionSide, takeProfit, stopLoss } = spec;
  const takesAll = takeProfit.reduce((sum, { fraction }) => sum + fraction, 0) > 1 - 1e-9;
  const wants: Want[] = [];
  const onBars = stopLoss === null ? null : { stop: exitTicks(stopLoss, round.entry, spec.side, false) };
  let free = round.held;
  let planned = 0;
  let carried = 0;
  for (const [index, { price, fraction }] of takeProfit.entries()) {
    const name = legOf(`takeProfit:${index + 1}`, data);
    const isLast = takesAll && index === takeProfit.length - 1;
    const share = isLast ? round.entered - planned : whole(round.entered * fraction);
    planned += share;
    carried += Math.max(0, share - leg(name).filled);
    const ticks = exitTicks(price, round.entry, spec.side, true);
    const lots = Math.min(carried, free);
    if (lots <= 0 || lots < least(ticks)) continue;
    free -= lots;
    carried = 0;
    const side = opposite(spec.side);
    wants.push({
      leg: name,
      side,
      lots,
      ticks,
      reduceOnly: true,
      positionSide,
      ...(onBars === null ? {} : { onBars }),
    });
  }
  return wants;
}

function exitGroup(data: Data): string {
  return legOf('exit', data);
}

function triggersOf(spec: Spec, data: Data, { held, entry }: Round): readonly number[] {
  if (held <= 0) return [];
  const stops: number[] = [];
  if (spec.stopLoss !== null) stops.push(exitTicks(spec.stopLoss, entry, spec.side, false));
  if (spec.trailing !== null && data.best > 0) stops.push(trailTrigger(spec.trailing, data.best, opposite(spec.side)));
  return stops;
}

/** Nothing for a time limit. */
function firedOf({ stopLoss, trailing, side }: Spec, { closing, best }: Data, { entry }: Round): Pick<Want, 'onBars'> {
  if (closing === 'stopLoss' && stopLoss !== null)
    return { onBars: { fired: exitTicks(stopLoss, entry, side, false) } };
  if (closing === 'trailing' && trailing !== null)
    return { onBars: { fired: trailTrigger(trailing, best, opposite(side)) } };
  return {};
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { side } = view.spec;
  return { held: (side === 'buy' ? 1 : -1) * roundOf(view).held, ...stepOf(view) };
}

function stepOf(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, leg } = view;
  const round = roundOf(view);
  const data = looked(view, round);
  const most = { [legOf('entry', data)]: spec.lots, [exitGroup(data)]: Math.max(0, round.entered) };
  if (data.endedAt > 0) return between(view, data, most);
  const entry = entryWant(view, data);
  const isAnyOpen = ['entry', ...exitNames(spec)].some((name) => leg(legOf(name, data)).isOpen);
  const isDust = round.held <= 0 || round.held < view.least(round.entry);
  if (entry === null && isDust && !isAnyOpen) return ended(view, data, round, most);
  const held = Math.max(0, round.held);
  if (data.closing !== '') {
    const { positionSide } = spec;
    const name = legOf(data.closing, data);
    const side = opposite(spec.side);
    const want: Want = {
      leg: name,
      side,
      lots: held,
      ticks: 0,
      reduceOnly: true,
      positionSide,
      ...firedOf(spec, data, round),
    };
    return {
      data,
      wants: isDust ? [] : [want],
      most,
      waitsFor: `the exit by ${data.closing}`,
      covers: held,
      closes: side,
    };
  }
  const exits = takeProfitWants(view, data, round);
  const stops = triggersOf(spec, data, round);
  const wakeAt = spec.timeLimit > 0 && data.enteredAt > 0 ? data.enteredAt + spec.timeLimit : undefined;
  const isArmed = stops.length > 0 || wakeAt !== undefined;
  return {
    data,
    wants: entry === null ? exits : [entry, ...exits],
    most,
    waitsFor: round.entered <= 0 ? 'its entry' : 'an exit',
    closes: opposite(spec.side),
    covers: isArmed ? held : exits.reduce((sum, { lots }) => sum + lots, 0),
    ...(stops.length === 0 ? {} : { trigger: spec.side === 'buy' ? Math.max(...stops) : Math.min(...stops) }),
    ...(wakeAt === undefined || now >= wakeAt ? {} : { wakeAt }),
  };
}

function ended({ spec, now }: ProgramView<Spec, Data>, data: Data, round: Round, most: Step<Data>['most']): Step<Data> {
  const nothing = { wants: [], most, waitsFor: 'nothing' } as const;
  if (round.entered <= 0)
    return { data, ...nothing, end: { state: 'canceled', reason: 'the entry ended without a fill' } };
  if (data.round >= spec.rounds)
    return { data, ...nothing, end: { state: 'done', reason: data.closing === '' ? 'takeProfit' : data.closing } };
  return { data: { ...data, endedAt: now }, wants: [], most, waitsFor: 'its cooldown', wakeAt: now + spec.cooldown };
}

function between({ spec, now }: ProgramView<Spec, Data>, data: Data, most: Step<Data>['most']): Step<Data> {
  const wakeAt = data.endedAt + spec.cooldown;
  if (now < wakeAt) return { data, wants: [], most, waitsFor: 'its cooldown', wakeAt };
  return { data: { ...BEGUN, round: data.round + 1 }, wants: [], most, waitsFor: 'its entry', wakeAt: now };
}

export const bracket: ProgramRule<BracketAction, Spec, Data> = {
  kind: 'bracket',
  parse: (action, terms) =>
    parsed(() => {
      if (typeof action.entry !== 'object' || action.entry === null)
        refuse('unsupported', 'a bracket has an entry: the terms of a place', 'entry');
      const { symbol } = action.entry;
      const instrument = instrumentOf(terms.instrument(symbol));
      const spec = specOf(instrument, action);
      checkSides(instrument, spec, terms);
      return { symbol, spec, data: BEGUN };
    }),
  step,
  hears: ({ by, stopLoss, trailing }, symbol) =>
    stopLoss === null && trailing === null ? [] : [{ symbol, source: by }],
  quantity: ({ lots, rounds }) => lots * rounds,
  isParent: (leg) => leg.startsWith('entry'),
  isEntry: (leg) => leg.startsWith('entry'),
  groupOf: (leg) => (leg.startsWith('entry') ? leg : leg.replace(/^[^@]+/, 'exit')),
};
