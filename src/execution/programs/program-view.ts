/** A program as its rule sees it, and as readers see it. */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { isWithheld, withheldKey } from '../../model/entries/risk-entries.ts';
import { decimalText, ZERO } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import type { ProgramUpdate } from '../../model/trading/program.ts';
import { ruleOf } from '../../programs/rules.ts';
import type { LegView, Prices, Step } from '../../programs/rule.ts';
import { minLotsAt } from '../../risk/normalise.ts';
import { filledLots, isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { LegSum, ProgramState } from '../../spine/programs/programs.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { sharedOf } from './program-terms.ts';

/** Surroundings of programs: an executor, or a replayed state. */
export interface ProgramWorld {
  readonly state: Pick<StateView, 'orders' | 'pauses' | 'withheld'>;
  readonly instruments: Pick<Instruments, 'find'>;
  /** Unix ms. */
  now(): number;
  /** The last trade is unknown until the first one after the program's start. */
  prices(instrument: Instrument, program: ProgramState): Prices;
  /** Unix ms at which it began to follow the market; 0: it does not. */
  since(program: ProgramState): number;
  /** Lots that others printed since then. */
  printed(program: ProgramState): number;
  isStale(symbol: string): boolean;
  /** The order ended by itself, and its end is certain. */
  isProvedOver(order: OwnOrder): boolean;
  isGivenUp(program: ProgramState, leg: string): boolean;
}

export interface Child {
  readonly order: OwnOrder;
  readonly leg: string;
}

export function childrenOf({ state }: Pick<ProgramWorld, 'state'>, { strategy, ref }: ProgramState): readonly Child[] {
  const children: Child[] = [];
  for (const order of state.orders.allLive())
    if (order.parent === ref && order.strategy === strategy && order.leg !== undefined)
      children.push({ order, leg: order.leg });
  return children;
}

const NO_ORDERS: readonly OwnOrder[] = Object.freeze([]);

/** A class, because V8 makes object literals with getters slow from the second one on. */
class Leg implements LegView {
  readonly #world: ProgramWorld;
  readonly #program: ProgramState;
  readonly #name: string;
  readonly #instrument: () => Instrument;
  readonly #sum: LegSum | undefined;
  readonly #live: readonly OwnOrder[];

  constructor(world: ProgramWorld, program: ProgramState, name: string, live: readonly OwnOrder[]) {
    this.#world = world;
    this.#program = program;
    this.#name = name;
    this.#instrument = () => live[0]?.instrument ?? instrumentOf(world, program);
    this.#sum = program.legs.get(name);
    this.#live = live;
  }

  get isGivenUp(): boolean {
    return this.#world.isGivenUp(this.#program, this.#name);
  }

  get orders(): number {
    return this.#sum?.orders ?? 0;
  }

  get filled(): number {
    return this.#sum?.lots ?? 0;
  }

  get working(): number {
    return this.#live.reduce((sum, { progress }) => sum + reservedLots(progress), 0);
  }

  get net(): number {
    const { lots = 0, fees = ZERO } = this.#sum ?? {};
    return fees.isZero() ? lots : lots - fees.div(this.#instrument().exactQuantity(1)).toNumber();
  }

  get average(): number {
    const { cost = ZERO, quantity = ZERO } = this.#sum ?? {};
    return quantity.isZero() ? Number.NaN : cost.div(quantity).div(this.#instrument().exactPrice(1)).toNumber();
  }

  get filledAt(): number {
    return this.#sum?.filledAt ?? Number.NaN;
  }

  get ticks(): number {
    return this.#live.find(({ cancelWanted }) => !cancelWanted)?.ticks ?? Number.NaN;
  }

  get isOpen(): boolean {
    return this.#live.length > 0;
  }

  get isLost(): boolean {
    const last = this.isOpen ? undefined : this.#last();
    return endedByItself(last) && !isDue(last) && this.#world.isProvedOver(last);
  }

  get isDue(): boolean {
    const last = this.isOpen ? undefined : this.#last();
    if (last?.heldBack === true) return last.progress.state !== 'filled';
    return endedByItself(last) && isDue(last);
  }

  #last(): OwnOrder | undefined {
    return newestOf(this.#world, this.#program, this.#name).next().value;
  }
}

/** Remembered orders of a leg, newest first. */
export function* newestOf(
  { state }: Pick<ProgramWorld, 'state'>,
  { strategy, children }: ProgramState,
  leg: string,
): Generator<OwnOrder, undefined> {
  for (let index = children.length - 1; index >= 0; index--) {
    const order = state.orders.byRef(strategy, children[index]!);
    if (order?.leg === leg) yield order;
  }
}

/** It has left, and does not rest. On bars it waits for an open: a cancel decided before would take it away. */
export function endsByItself({ request, sentAt }: OwnOrder): boolean {
  return request.timeInForce === 'ioc' && sentAt > 0;
}

/** It ended without being filled, and nobody here asked for that. */
export function endedByItself(order: OwnOrder | undefined): order is OwnOrder {
  if (order === undefined || !isClosed(order.progress)) return false;
  return order.progress.state !== 'filled' && !order.cancelWanted && !order.heldBack;
}

/** Of an order that ended by itself: it never rested at the exchange, so it is still to be sent. */
function isDue(order: OwnOrder): boolean {
  return isUnsent(order) || isRefused(order);
}

/** Of an order that ended by itself: denied while leaving, left by a dead process, or certain never to have arrived. */
export function isUnsent({ progress, reason }: OwnOrder): boolean {
  return progress.state === 'never_arrived' || (progress.state === 'denied' && reason !== 'superseded');
}

/** By the answer or by a later report, without a fill. */
export function isRefused({ progress }: OwnOrder): boolean {
  return progress.state === 'rejected' && filledLots(progress) === 0;
}

function instrumentOf({ instruments }: ProgramWorld, { ref, symbol }: ProgramState, name = symbol): Instrument {
  const found = instruments.find(name);
  if (found === undefined) throw new RangeError(`${ref}: ${name} is no longer an instrument`);
  return found;
}

/** Undefined if its rule needs what is not known here. */
export function stepIfAny(world: ProgramWorld, program: ProgramState): Step<unknown> | undefined {
  try {
    return stepOf(world, program);
  } catch {
    return undefined;
  }
}

/** The current step of its rule. `isBlind`: without any price, as while prices are stale. */
export function stepOf(world: ProgramWorld, program: ProgramState, isBlind = false): Step<unknown> {
  const { symbol, data, startedAt } = program;
  const children = childrenOf(world, program);
  const instrument = (name?: string): Instrument => instrumentOf(world, program, name);
  const live = new Map<string, OwnOrder[]>();
  for (const { leg, order } of children) {
    const orders = live.get(leg);
    if (orders === undefined) live.set(leg, [order]);
    else orders.push(order);
  }
  const legs = new Map<string, Leg>();
  return ruleOf(program.kind).step({
    spec: sharedOf(program).terms,
    data,
    now: world.now(),
    startedAt,
    isStale: isBlind || world.isStale(symbol),
    prices: (name) => world.prices(instrument(name), program),
    quantity: (lots) => instrument().quantityText(lots),
    since: world.since(program),
    printed: () => world.printed(program),
    least: (ticks, name) => minLotsAt(instrument(name).limits, Number.isNaN(ticks) ? 0 : ticks),
    leg: (name) => {
      let leg = legs.get(name);
      if (leg === undefined) legs.set(name, (leg = new Leg(world, program, name, live.get(name) ?? NO_ORDERS)));
      return leg;
    },
  });
}

/** Lots of a position, closed on this side, that the program protects. */
export function coverOf({ covers = 0, closes }: Step<unknown>, side: Side): number {
  return closes === undefined || closes === side ? covers : 0;
}

/** As `coverOf`, without what leaves at market: that exit is no longer armed, and protects nothing until it has filled. */
export function armedOf(step: Step<unknown>, symbol: string, side: Side): number {
  const leaving = step.wants
    .filter((want) => want.ticks === 0 && want.side === side && (want.symbol ?? symbol) === symbol)
    .reduce((sum, { lots }) => sum + lots, 0);
  return Math.max(0, coverOf(step, side) - leaving);
}

type Shown = Pick<ProgramWorld, 'instruments' | 'now' | 'state'>;

/** What keeps the strategy from new risk in the symbol: a pause, its trading hours or a cooldown. */
function barrierOf({ state }: Shown, strategy: string, symbol: string, now: number): string | undefined {
  if (state.pauses.has(strategy)) return `paused: resume ${strategy}`;
  for (const where of [null, symbol]) {
    const withheld = state.withheld.get(withheldKey(strategy, where));
    if (withheld === undefined || !isWithheld(withheld, now)) continue;
    const { by, until } = withheld;
    const what = by === 'trading_hours' ? 'outside its trading hours' : 'a cooldown of its strategy';
    return until === null ? what : `${what}, until ${new Date(until).toISOString()}`;
  }
  return undefined;
}

/** What keeps it from an order of new risk that it wants, now or next. */
function heldBackBy(world: Shown, program: ProgramState, step: Step<unknown>): string | undefined {
  const { strategy, symbol, startedAt } = program;
  const { expire, terms } = sharedOf(program);
  const now = world.now();
  if (expire > 0 && now >= startedAt + expire) return undefined;
  const barrier = barrierOf(world, strategy, symbol, now);
  if (barrier === undefined) return undefined;
  const children = childrenOf(world, program);
  if (step.wants.some(({ reduceOnly, leg }) => !reduceOnly && !children.some((child) => child.leg === leg)))
    return barrier;
  const isIdle = step.wants.length + children.length === 0 && step.trigger === undefined && (step.covers ?? 0) <= 0;
  return isIdle && (terms as { readonly reduceOnly?: boolean }).reduceOnly !== true ? barrier : undefined;
}

/** An order of unknown outcome, which must be resolved first; else what holds it back, or what the rule waits for. */
function waitsFor(
  world: Shown,
  program: ProgramState,
  step: Step<unknown> | undefined,
  barrier: string | undefined,
): string {
  const doubtful = childrenOf(world, program).find(({ order }) => order.progress.state === 'unknown');
  if (doubtful !== undefined) return `the outcome of ${doubtful.order.ref} (${doubtful.leg})`;
  if (step === undefined) return 'the start of its strategy';
  if (barrier === undefined) return step.waitsFor;
  return step.wants.some(({ reduceOnly }) => reduceOnly) ? `${step.waitsFor}; ${barrier}` : barrier;
}

/** `step`: the current one, for a working program. */
export function updateOf(world: Shown, program: ProgramState, step: Step<unknown> | undefined): ProgramUpdate {
  const { ref, kind, strategy, tag, symbol, state, reason, startedAt, endedAt, children } = program;
  const instrument = world.instruments.find(symbol);
  const rule = ruleOf(kind);
  const { terms } = sharedOf(program);
  let quantity = ZERO;
  let cost = ZERO;
  for (const [leg, sum] of program.legs) {
    if (!rule.isParent(leg, terms)) continue;
    quantity = quantity.plus(sum.quantity);
    cost = cost.plus(sum.cost);
  }
  const lots = rule.quantity(terms);
  const places = (instrument?.pricePrecision ?? 8) + 8;
  const barrier = step === undefined ? undefined : heldBackBy(world, program, step);
  const { trigger, wakeAt, covers = 0 } = step ?? {};
  const next = {
    ...(trigger === undefined || instrument === undefined
      ? {}
      : { trigger: instrument.priceText(Math.round(trigger)) }),
    ...(wakeAt === undefined || (barrier !== undefined && covers <= 0) ? {} : { at: wakeAt }),
  };
  return Object.freeze({
    ref,
    kind,
    strategy,
    tag,
    symbol,
    state,
    reason,
    quantity: lots === null || instrument === undefined ? null : decimalText(instrument.exactQuantity(lots)),
    filled: decimalText(quantity),
    averagePrice: quantity.isZero() ? null : decimalText(cost.div(quantity).toDecimalPlaces(places)),
    startedAt,
    endedAt,
    children: Object.freeze([...children]),
    waitsFor: state === 'working' ? waitsFor(world, program, step, barrier) : null,
    next: Object.freeze(next),
  });
}

export interface FiredAtOpen {
  /** Ticks of the open of a bar at which its exit fired; NaN: none. Undefined: it has not fired. */
  firedAtOpen: number | undefined;
}

/** On bars a stop that an open has leapt over fills no better than that open. `open`: NaN unless the price is one, ticks. */
export function atBest(of: FiredAtOpen, step: Step<unknown>, open: number): Step<unknown> {
  const isFired = step.wants.some(({ onBars }) => onBars?.fired !== undefined);
  of.firedAtOpen = isFired ? (of.firedAtOpen ?? open) : undefined;
  const { firedAtOpen: best = Number.NaN } = of;
  if (Number.isNaN(best)) return step;
  const wants = step.wants.map((want) => {
    const { fired } = want.onBars ?? {};
    if (fired === undefined) return want;
    return { ...want, onBars: { fired: want.side === 'buy' ? Math.max(fired, best) : Math.min(fired, best) } };
  });
  return { ...step, wants };
}
