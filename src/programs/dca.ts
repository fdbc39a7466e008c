/** `dca`: buys at prices ever farther from the first, and leaves all at once from the average price. */
import type { Side } from '../model/order.ts';
import type { DcaAction, TriggerSource } from '../model/program.ts';
import type { ProgramRule, ProgramView, Step, Want } from './rule.ts';
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
  whole,
  type ExitTerms,
} from './terms.ts';
import { fires, heardBy, priceBy } from './trigger.ts';

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

interface Data {
  readonly round: number;
  /** Ticks of the price at the start of the round; 0: none yet. */
  readonly base: number;
  readonly isStopped: boolean;
  /** Unix ms at which the round ended; 0: it is under way. */
  readonly endedAt: number;
}

const BEGUN: Data = Object.freeze({ round: 1, base: 0, isStopped: false, endedAt: 0 });

function legOf(name: string, { round }: Data): string {
  return round === 1 ? name : `${name}@${round}`;
}

interface Held {
  readonly lots: number;
  readonly entered: number;
  /** Ticks. */
  readonly average: number;
  readonly isOpen: boolean;
}

function heldOf({ spec, leg, data }: ProgramView<Spec, Data>): Held {
  let entered = 0;
  let cost = 0;
  let filled = 0;
  let isOpen = false;
  for (let index = 0; index < spec.levels.length; index++) {
    const level = leg(legOf(`level:${index + 1}`, data));
    isOpen ||= level.isOpen;
    if (level.filled === 0) continue;
    entered += spec.isSpot && spec.side === 'buy' ? level.net : level.filled;
    filled += level.filled;
    cost += level.average * level.filled;
  }
  const exits = [leg(legOf('takeProfit', data)), leg(legOf('stopLoss', data))];
  const exited = exits.reduce((sum, exit) => sum + exit.filled, 0);
  isOpen ||= exits.some((exit) => exit.isOpen);
  return { lots: whole(entered) - exited, entered: whole(entered), average: cost / filled, isOpen };
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  return { held: (view.spec.side === 'buy' ? 1 : -1) * heldOf(view).lots, ...stepOf(view) };
}

function stepOf(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, leg } = view;
  const side = spec.side;
  const out = opposite(side);
  const prices = view.prices();
  let { data } = view;
  const held = heldOf(view);
  const most: Record<string, number> = { [legOf('exit', data)]: held.entered };
  for (const [index, { lots }] of spec.levels.entries()) most[legOf(`level:${index + 1}`, data)] = lots;
  if (data.endedAt > 0) {
    const wakeAt = data.endedAt + spec.cooldown;
    if (now < wakeAt) return { data, wants: [], most, waitsFor: 'its cooldown', wakeAt };
    return { data: { ...BEGUN, round: data.round + 1 }, wants: [], most, waitsFor: 'a price', wakeAt: now };
  }
  if (data.base === 0) {
    const base = side === 'buy' ? prices.ask : prices.bid;
    if (Number.isNaN(base) || view.isStale) return { data, wants: [], most, waitsFor: 'a price' };
    data = { ...data, base };
  }
  const stop =
    spec.stopLoss === null || held.lots <= 0 ? Number.NaN : exitTicks(spec.stopLoss, held.average, side, false);
  if (!data.isStopped && !view.isStale && fires(priceBy(prices, spec.by, out), stop, out))
    data = { ...data, isStopped: true };
  const isDust = held.lots <= 0 || held.lots < view.least(held.average);
  const hasLeft = held.entered > 0 && isDust;
  if ((hasLeft && !leg(legOf('takeProfit', data)).isOpen) || (data.isStopped && isDust)) {
    if (held.isOpen) return { data, wants: [], most, waitsFor: 'the end of its orders' };
    if (spec.cooldown < 0) {
      const reason = data.isStopped ? 'stopLoss' : 'takeProfit';
      return { data, wants: [], most, end: { state: 'done', reason }, waitsFor: 'nothing' };
    }
    return { data: { ...data, endedAt: now }, wants: [], most, waitsFor: 'its cooldown', wakeAt: now + spec.cooldown };
  }
  const exit = { side: out, lots: held.lots, reduceOnly: true };
  if (data.isStopped) {
    const fired = exitTicks(spec.stopLoss ?? 0, held.average, side, false);
    const want: Want = { ...exit, leg: legOf('stopLoss', data), ticks: 0, onBars: { fired } };
    return { data, wants: [want], most, waitsFor: 'the exit by stopLoss', covers: held.lots, closes: out };
  }
  const wants: Want[] = [];
  for (const [index, { bps, lots }] of spec.levels.entries()) {
    const name = legOf(`level:${index + 1}`, data);
    const level = leg(name);
    const left = lots - level.filled;
    if (left <= 0 || (level.orders > 0 && !level.isOpen)) continue;
    const away = (data.base * bps) / 10_000;
    const ticks = Math.max(
      1,
      side === 'buy' ? Math.floor(data.base - away + 1e-9) : Math.ceil(data.base + away - 1e-9),
    );
    wants.push({ leg: name, side, lots: left, ticks, reduceOnly: false });
  }
  if (!isDust) {
    const ticks = exitTicks(spec.takeProfit, held.average, side, true);
    wants.push({ ...exit, leg: legOf('takeProfit', data), ticks, ...(Number.isNaN(stop) ? {} : { onBars: { stop } }) });
  }
  const trigger = Number.isNaN(stop) ? {} : { trigger: stop };
  return {
    data,
    wants,
    most,
    waitsFor: held.entered === 0 ? 'its first fill' : 'its exit',
    covers: Math.max(0, held.lots),
    closes: out,
    ...trigger,
  };
}

export const dca: ProgramRule<DcaAction, Spec, Data> = {
  kind: 'dca',
  parse: (action, terms) =>
    parsed(() => {
      const { symbol, levels, stopLoss, cooldown } = action;
      const instrument = instrumentOf(terms.instrument(symbol));
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
      const { ask, bid } = terms.prices(symbol);
      const price = spec.side === 'buy' ? ask : bid;
      const { takeProfit: take, stopLoss: stop } = spec;
      if (typeof take === 'number' && !(spec.side === 'buy' ? take > price : take < price))
        refuse('wrong_side', 'takeProfit is not on the winning side of the price', 'takeProfit');
      if (typeof stop === 'number' && !(spec.side === 'buy' ? stop < price : stop > price))
        refuse('wrong_side', 'stopLoss is not on the losing side of the price', 'stopLoss');
      return { symbol, spec, data: BEGUN };
    }),
  step,
  hears: ({ by }, symbol) => heardBy(symbol, by),
  quantity: ({ levels, cooldown }) => (cooldown < 0 ? levels.reduce((sum, { lots }) => sum + lots, 0) : null),
  isParent: (leg) => leg.startsWith('level:'),
  isEntry: (leg) => leg.startsWith('level:'),
  groupOf: (leg) => (leg.startsWith('level:') ? leg : leg.replace(/^(takeProfit|stopLoss)/, 'exit')),
};
