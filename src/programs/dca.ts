/**
 * `dca`: buys at prices ever farther from the first, and closes everything at once, measured from the average price.
 */
import type { Side } from '../model/trading/order.ts';
import type { DcaAction, TriggerSource } from '../model/trading/program.ts';
import {
  between,
  hasEnded,
  over,
  roundLeg,
  type ProgramRule,
  type ProgramView,
  type Round,
  type Step,
  type Want,
} from './rule.ts';
import {
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
  whole,
  type ExitTerms,
} from './terms.ts';
import { fires, heardBy, priceBy } from './trigger.ts';
import { touchOf } from './worked.ts';

interface Spec {
  readonly side: Side;
  readonly levels: readonly { readonly bps: number; readonly lots: number }[];
  readonly takeProfit: ExitTerms;
  readonly stopLoss: ExitTerms | null;
  /** Ms; −1: one round. */
  readonly cooldown: number;
  readonly by: TriggerSource;
  readonly isSpot: boolean;
}

interface Data extends Round {
  /** Ticks of the price at the start of the round; 0: none yet. */
  readonly base: number;
  readonly isStopped: boolean;
  /** Signed lots left by fees in base, too few for an order. They add to what is bought. */
  readonly rest?: number;
}

const BEGUN: Data = Object.freeze({ round: 1, base: 0, isStopped: false, endedAt: 0 });

function levelLeg(index: number, data: Data): string {
  return roundLeg(`level:${index + 1}`, data);
}

interface Held {
  readonly lots: number;
  readonly entered: number;
  /** Ticks. */
  readonly average: number;
  readonly hasExited: boolean;
  readonly isOpen: boolean;
  /** Lots that no order of the round can close. */
  readonly rest: number;
}

function heldOf({ spec, leg, data }: ProgramView<Spec, Data>): Held {
  let entered = 0;
  let cost = 0;
  let filled = 0;
  let isOpen = false;
  for (let index = 0; index < spec.levels.length; index++) {
    const level = leg(levelLeg(index, data));
    isOpen ||= level.isOpen;
    if (level.filled === 0) continue;
    entered += paysInBase(spec) ? level.net : level.filled;
    filled += level.filled;
    cost += level.average * level.filled;
  }
  const exits = [leg(roundLeg('takeProfit', data)), leg(roundLeg('stopLoss', data))];
  const exited = exits.reduce((sum, exit) => sum + exit.filled, 0);
  isOpen ||= exits.some((exit) => exit.isOpen);
  const { rest = 0 } = data;
  const bought = filled > 0 ? entered + rest : 0;
  const all = Math.max(0, whole(bought));
  const left = filled > 0 ? fractionOf(bought) : rest;
  return { lots: all - exited, entered: all, average: cost / filled, hasExited: exited > 0, isOpen, rest: left };
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const held = heldOf(view);
  return { held: signOf(view.spec.side) * held.lots, ...stepOf(view, held) };
}

function stepOf(view: ProgramView<Spec, Data>, held: Held): Step<Data> {
  const { spec, now, leg } = view;
  const { side, stopLoss, levels, cooldown } = spec;
  const out = opposite(side);
  const prices = view.prices();
  let { data } = view;
  const rest = paysInBase(spec) ? held.rest + Math.max(0, held.lots) : 0;
  const begun = rest === 0 ? BEGUN : { ...BEGUN, rest };
  if (data.endedAt > 0) return between(data, begun, now, cooldown);
  const { lots, entered, average, hasExited } = held;
  const most: Record<string, number> = { [roundLeg('exit', data)]: entered };
  for (const [index, level] of levels.entries()) most[levelLeg(index, data)] = level.lots;
  if (data.base === 0) {
    const base = touchOf(prices, out);
    if (Number.isNaN(base) || view.isStale) return { data, wants: [], most, waitsFor: 'a price' };
    data = { ...data, base };
  }
  const trigger = stopLoss === null || lots <= 0 ? undefined : exitTicks(stopLoss, average, side, false);
  const isFired = trigger !== undefined && !view.isStale && fires(priceBy(prices, spec.by, out), trigger, out);
  if (!data.isStopped && isFired) data = { ...data, isStopped: true };
  const isDust = lots <= 0 || lots < view.least(average);
  const takes = roundLeg('takeProfit', data);
  const entries = entryWants(view, data);
  // Too little for an exit waits for what its levels still buy.
  const hasLeft = entered > 0 && isDust && (hasExited || entries.length === 0) && !leg(takes).isOpen;
  if (hasLeft || (data.isStopped && isDust)) {
    if (held.isOpen) return { data, wants: [], most, waitsFor: 'the end of its orders' };
    if (cooldown < 0 || (lots > 0 && !paysInBase(spec))) {
      const why = data.isStopped ? 'stopLoss' : hasExited ? 'takeProfit' : 'its entries have ended';
      const end = over(data, 'done', why);
      return { ...end, covers: Math.max(0, lots), closes: out };
    }
    return between({ ...data, endedAt: now }, begun, now, cooldown);
  }
  const exit = { side: out, lots, reduceOnly: true };
  if (data.isStopped) {
    const onBars = { fired: exitTicks(stopLoss ?? 0, average, side, false) };
    const want = { ...exit, leg: roundLeg('stopLoss', data), ticks: 0, onBars };
    return { data, wants: [want], most, waitsFor: 'the exit by stopLoss', covers: lots, closes: out };
  }
  const wants = [...entries];
  // One that rests stays, also when less than the smallest order is left of it.
  if (!isDust || (lots > 0 && leg(takes).isOpen)) {
    wants.push({ ...exit, leg: takes, ticks: exitTicks(spec.takeProfit, average, side, true) });
  }
  if (entered === 0 && wants.length === 0 && !held.isOpen) {
    const end = over(data, 'canceled', 'its entries ended without a fill');
    return { ...end, covers: Math.max(0, whole(held.rest)), closes: out };
  }
  const waitsFor = entered === 0 ? 'its first fill' : isDust ? 'enough for an exit' : 'its exit';
  const covers = isDust && trigger === undefined ? 0 : Math.max(0, lots);
  return { data, wants, most, waitsFor, covers, closes: out, trigger };
}

/** One order a level, until it has ended or is given up. */
function entryWants({ spec, leg }: ProgramView<Spec, Data>, data: Data): readonly Want[] {
  const { side, levels } = spec;
  const wants: Want[] = [];
  for (const [index, { bps, lots: asked }] of levels.entries()) {
    const name = levelLeg(index, data);
    const level = leg(name);
    const left = asked - level.filled;
    if (left <= 0 || level.isGivenUp || hasEnded(level)) continue;
    const away = (data.base * bps) / 10_000;
    const ticks = side === 'buy' ? Math.floor(data.base - away + 1e-9) : Math.ceil(data.base + away - 1e-9);
    wants.push({ leg: name, side, lots: left, ticks: Math.max(1, ticks), reduceOnly: false });
  }
  return wants;
}

export const dca: ProgramRule<DcaAction, Spec, Data> = {
  parse: (action, terms) => {
    const { symbol, levels, stopLoss, cooldown } = action;
    const instrument = terms.instrument(symbol);
    if (!Array.isArray(levels) || levels.length === 0 || levels.length > 100)
      refuse('unsupported', 'a dca has 1 to 100 levels', 'levels');
    const side = sideOf(action.side ?? 'buy');
    const spec: Spec = {
      side,
      levels: levels.map(({ bps, quantity }, index) => ({
        bps: numberOf(bps, `levels[${index}].bps`, 0, 9_999),
        lots: lotsOf(instrument, quantity, `levels[${index}].quantity`),
      })),
      takeProfit: exitOf(instrument, action.takeProfit, 'takeProfit', side === 'sell'),
      stopLoss: stopLoss === undefined ? null : exitOf(instrument, stopLoss, 'stopLoss', side === 'buy'),
      cooldown: cooldown === undefined ? -1 : durationOf(cooldown, 'cooldown'),
      by: sourceOf(instrument, action.by),
      isSpot: instrument.market === 'spot',
    };
    const price = touchOf(terms.prices(symbol), opposite(side));
    const { takeProfit: take, stopLoss: stop } = spec;
    if (typeof take === 'number') checkSide(instrument, take, price, side, true);
    if (typeof stop === 'number') checkSide(instrument, stop, price, side, false);
    const rest = paysInBase(spec) ? terms.rest(symbol) : 0;
    return { symbol, spec, data: rest === 0 ? BEGUN : { ...BEGUN, rest } };
  },
  step,
  hears: ({ by }, symbol) => heardBy(symbol, by),
  quantity: ({ levels, cooldown }) => (cooldown < 0 ? levels.reduce((sum, { lots }) => sum + lots, 0) : null),
  isParent: (leg) => leg.startsWith('level:'),
  isEntry: (leg) => leg.startsWith('level:'),
  groupOf: (leg) => (leg.startsWith('level:') ? leg : leg.replace(/^(takeProfit|stopLoss)/, 'exit')),
};
