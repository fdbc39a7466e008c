/**
 * `target`: one task per strategy × symbol × position side × tag, until the position is reached, an order ends
 * unfilled, or one is denied. An exit above the order limit is sent in sequence. Orders in flight count in the worse
 * direction, so a repeated target is not traded twice.
 *
 *   position − sells ──────── position ──────── position + buys        where it may end up
 *        sell while this > target          buy while this < target
 */
import type { TargetAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide, Side } from '../model/order.ts';
import { covers, type Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isDenied, minLotsAt, priceTicks, signedLots } from '../risk/normalise.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { sayDust } from './holdings.ts';
import type { OrderSpec, Placement } from './placement.ts';

interface Task {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  readonly positionSide: PositionSide;
  readonly tag: string;
  readonly targetLots: number;
  /** 0: market orders. */
  readonly limitTicks: number;
  /** Unix ms. */
  readonly decidedAt: number;
  order: OwnOrder | undefined;
  /** Its order is cancelled to make room for the next one. */
  leadsOn: boolean;
}

type Step =
  | { readonly kind: 'done' }
  /** Something in flight must end first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'order'; readonly side: Side; readonly lots: number; readonly reduceOnly: boolean };

/** Absorbs floating-point error in lots. */
const EPSILON = 1e-9;

const DONE: Step = Object.freeze({ kind: 'done' });
const WAIT: Step = Object.freeze({ kind: 'wait' });

export class Targets {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  /** An early end replaces the array, so that `work` can iterate. */
  #tasks: Task[] = [];

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
  }

  target(slot: StrategySlot, action: TargetAction): void {
    const task = this.#parse(slot, action);
    if ('reason' in task) {
      this.#core.deny(slot.tag, 'target', task, action.symbol);
      return;
    }
    const at = this.#tasks.findIndex((known) => isSameTask(known, task));
    if (at < 0) this.#tasks.push(task);
    else {
      task.order = this.#tasks[at]?.order;
      task.leadsOn = task.order?.cancelWanted ?? false;
      this.#tasks[at] = task;
    }
    if (!this.#step(task)) this.#end(task);
  }

  /** Forgets tasks without cancelling. */
  clear(strategy: string, symbol?: string, tag?: string): void {
    this.#tasks = this.#tasks.filter((task) => !covers(task, strategy, symbol, tag));
  }

  forget(order: OwnOrder): void {
    this.#tasks = this.#tasks.filter((task) => task.order !== order);
  }

  work(): void {
    for (const task of this.#tasks) if (this.#tasks.includes(task) && !this.#step(task)) this.#end(task);
  }

  #end(task: Task): void {
    // Removing the last one does not disturb the iteration of `work`.
    if (this.#tasks.at(-1) === task) this.#tasks.pop();
    else this.#tasks = this.#tasks.filter((each) => each !== task);
  }

  /** False when the task has ended. */
  #step(task: Task): boolean {
    const { order } = task;
    if (order !== undefined) {
      if (!isClosed(order.progress)) return this.#keepOrReplace(task, order);
      task.order = undefined;
      // It ended unfilled, so the strategy decides about another try. Else two orders that make room for each other
      // would repeat without end.
      if (order.progress.state !== 'filled' && !task.leadsOn) return false;
    }
    return this.#advance(task, this.#plan(task, undefined));
  }

  /** It stays when a new plan would be that same order. */
  #keepOrReplace(task: Task, order: OwnOrder): boolean {
    if (order.cancelWanted || order.isMarket) return true;
    const step = this.#plan(task, order);
    const left = reservedLots(order.progress);
    const isIt = step.kind === 'order' && step.side === order.side && order.ticks === task.limitTicks;
    if (isIt && (step.lots === left || (order.exits && step.lots > this.#placement.partLots(specOf(task, step)))))
      return true;
    task.leadsOn = true;
    this.#dispatcher.cancel([order], false);
    return true;
  }

  #advance(task: Task, step: Step): boolean {
    if (step.kind === 'done') {
      const { slot, instrument, positionSide, targetLots } = task;
      const held = this.#core.state.positions.of(slot.tag, instrument.symbol, positionSide);
      if (targetLots === 0) sayDust(this.#core, held);
      return false;
    }
    if (step.kind === 'wait') return true;
    const spec = this.#placement.fit(specOf(task, step));
    if ('reason' in spec) {
      if (spec.reason === 'flattening') return true;
      this.#core.deny(task.slot.tag, 'target', spec, task.instrument.symbol);
      return false;
    }
    task.leadsOn = false;
    const [lots = spec.lots] = this.#placement.parts(spec);
    const part: OrderSpec = { ...spec, lots };
    task.order = this.#placement.create(part, this.#placement.blockers(part));
    return true;
  }

  #plan({ slot, instrument, positionSide, targetLots, limitTicks }: Task, except: OwnOrder | undefined): Step {
    const { state, deps } = this.#core;
    let buyLots = 0;
    let sellLots = 0;
    const live = state.orders.live(instrument.symbol);
    for (let index = 0; index < live.length; index++) {
      const own = live[index]!;
      if (own === except || own.strategy !== slot.tag || own.positionSide !== positionSide) continue;
      if (own.sign > 0) buyLots += reservedLots(own.progress);
      else sellLots += reservedLots(own.progress);
    }
    const position = state.positions.lots(slot.tag, instrument.symbol, positionSide);
    const rest = buyLots > 0 || sellLots > 0 ? WAIT : DONE;
    const buys = wholeLots(targetLots - (position + buyLots));
    const lots = buys > 0 ? buys : wholeLots(position - sellLots - targetLots);
    if (lots <= 0) return rest;
    const side = buys > 0 ? 'buy' : 'sell';
    const ticks = limitTicks > 0 ? limitTicks : (deps.market.mid(instrument.symbol) ?? 0) / instrument.tick;
    const minLots = minLotsAt(instrument.limits, ticks);
    if (lots < minLots) return rest;
    const reducible = wholeLots(buys > 0 ? -position - buyLots : position - sellLots);
    if (lots <= reducible) return { kind: 'order', side, lots, reduceOnly: true };
    // One-way derivatives go through zero in two steps.
    const reducesFirst = instrument.market === 'derivative' && positionSide === 'both' && reducible >= minLots;
    return { kind: 'order', side, lots: reducesFirst ? reducible : lots, reduceOnly: reducesFirst };
  }

  #parse(slot: StrategySlot, action: TargetAction): Task | Denied {
    const { symbol, positionSide = 'both', tag = slot.tag } = action;
    const instrument = this.#core.instrument(symbol);
    if ('reason' in instrument) return instrument;
    if (instrument.market === 'spot' && positionSide !== 'both')
      return denied('unsupported', `${symbol}: spot has no position sides`, 'positionSide');
    const lots = signedLots(instrument, action.quantity);
    if (isDenied(lots)) return lots;
    let limitTicks: number | Denied = 0;
    if (action.via !== undefined && action.via !== 'market') {
      if (typeof action.via !== 'object' || !('limit' in action.via))
        return denied('unsupported', `${symbol}: this way to a target is not supported`, 'via');
      limitTicks = priceTicks(instrument, action.via.limit.price);
      if (isDenied(limitTicks)) return limitTicks;
    }
    // In hedge mode a short target is negative, with or without a sign.
    const targetLots = positionSide === 'short' ? -Math.abs(lots) : lots;
    if (positionSide === 'long' && lots < 0)
      return denied('unsupported', `${symbol}: a long position is not negative`, 'quantity');
    const decidedAt = this.#core.now();
    return { slot, instrument, positionSide, tag, targetLots, limitTicks, decidedAt, order: undefined, leadsOn: false };
  }
}

function wholeLots(lots: number): number {
  return Math.floor(lots + EPSILON);
}

function specOf(task: Task, step: Extract<Step, { kind: 'order' }>): OrderSpec {
  return {
    slot: task.slot,
    instrument: task.instrument,
    side: step.side,
    isMarket: task.limitTicks === 0,
    timeInForce: task.limitTicks === 0 ? 'ioc' : 'gtc',
    ticks: task.limitTicks,
    lots: step.lots,
    positionSide: task.positionSide,
    reduceOnly: step.reduceOnly,
    postOnly: false,
    tag: task.tag,
    origin: 'target',
    decidedAt: task.decidedAt,
  };
}

function isSameTask(one: Task, { slot, instrument, positionSide, tag }: Task): boolean {
  return covers(one, slot.tag, instrument.symbol, tag) && one.positionSide === positionSide;
}
