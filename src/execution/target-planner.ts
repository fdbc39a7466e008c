/**
 * `target`: one task per strategy × symbol × position side × tag, until the position is reached, an order ends
 * unfilled, or one is denied. An exit above the order limit is sent in sequence.
 */
import type { TargetAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import { dec, isDecimalText } from '../model/money.ts';
import type { PositionSide } from '../model/order.ts';
import type { Core, Worker } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ClosingDeps, Dust } from './dust.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isDenied, minLotsAt, priceTicks } from '../risk/normalise.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import type { OrderSpec } from './placement.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { Placement } from './placement.ts';
import { lotsMissing, planTarget, restStep, type TargetStep } from './targets.ts';

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

export class TargetPlanner implements Worker {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  readonly #dust: Dust;
  /** An early end replaces the array, so that `work` can iterate. */
  #tasks: Task[] = [];

  constructor({ core, dispatcher, placement, dust }: ClosingDeps) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
    this.#dust = dust;
  }

  target(slot: StrategySlot, action: TargetAction): void {
    const task = this.#parse(slot, action);
    if ('reason' in task) {
      this.#core.deny(slot.tag, 'target', task, action.symbol);
      return;
    }
    const at = this.#indexOf(task);
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
    this.#tasks = this.#tasks.filter(
      (task) =>
        task.slot.tag !== strategy ||
        (symbol !== undefined && task.instrument.symbol !== symbol) ||
        (tag !== undefined && task.tag !== tag),
    );
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

  #indexOf(task: Task): number {
    for (let index = 0; index < this.#tasks.length; index++) if (isSameTask(this.#tasks[index]!, task)) return index;
    return -1;
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

  #advance(task: Task, step: TargetStep): boolean {
    if (step.kind === 'done') {
      const { slot, instrument, positionSide, targetLots } = task;
      if (targetLots === 0) this.#dust.say(this.#core.state.positions.of(slot.tag, instrument.symbol, positionSide));
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

  #plan(task: Task, except: OwnOrder | undefined): TargetStep {
    const { state } = this.#core;
    const { slot, instrument, positionSide } = task;
    let buyLots = 0;
    let sellLots = 0;
    const live = state.orders.live(instrument.symbol);
    for (let index = 0; index < live.length; index++) {
      const own = live[index]!;
      if (own === except || own.strategy !== slot.tag || own.positionSide !== positionSide) continue;
      if (own.sign > 0) buyLots += reservedLots(own.progress);
      else sellLots += reservedLots(own.progress);
    }
    const { targetLots } = task;
    const positionLots = state.positions.lots(slot.tag, instrument.symbol, positionSide);
    if (lotsMissing(targetLots, positionLots, buyLots, sellLots) === 0) return restStep(buyLots, sellLots);
    return planTarget({
      targetLots,
      positionLots,
      buyLots,
      sellLots,
      minLots: minLotsAt(this.#core.grid(instrument), this.#referenceTicks(task)),
      reduceFirst: instrument.market === 'derivative' && positionSide === 'both',
    });
  }

  #referenceTicks(task: Task): number {
    if (task.limitTicks > 0) return task.limitTicks;
    const mid = this.#core.deps.market.mid(task.instrument.symbol);
    return mid === undefined ? 0 : mid / task.instrument.tick;
  }

  #parse(slot: StrategySlot, action: TargetAction): Task | Denied {
    const instrument = this.#core.deps.instruments.find(action.symbol);
    if (instrument === undefined)
      return denied('unknown_symbol', `${action.symbol} is not an instrument of this venue`, 'symbol');
    const positionSide = action.positionSide ?? 'both';
    if (instrument.market === 'spot' && positionSide !== 'both')
      return denied('unsupported', `${action.symbol}: spot has no position sides`, 'positionSide');
    const lots = signedLots(instrument, action.quantity);
    if (isDenied(lots)) return lots;
    let limitTicks = 0;
    if (action.via !== undefined && action.via !== 'market') {
      if (typeof action.via !== 'object' || action.via.limit === undefined)
        return denied('unsupported', `${action.symbol}: this way to a target is not supported`, 'via');
      const ticks = priceTicks(instrument, action.via.limit.price);
      if (isDenied(ticks)) return ticks;
      limitTicks = ticks;
    }
    // In hedge mode a short target is negative, with or without a sign.
    const targetLots = positionSide === 'short' ? -Math.abs(lots) : lots;
    if (positionSide === 'long' && lots < 0)
      return denied('unsupported', `${action.symbol}: a long position is not negative`, 'quantity');
    const tag = action.tag ?? slot.tag;
    const decidedAt = this.#core.now();
    return { slot, instrument, positionSide, tag, targetLots, limitTicks, decidedAt, order: undefined, leadsOn: false };
  }
}

function specOf(task: Task, step: Extract<TargetStep, { kind: 'order' }>): OrderSpec {
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

function isSameTask(task: Task, { slot, instrument, positionSide, tag }: Task): boolean {
  return (
    task.slot === slot &&
    task.instrument.symbol === instrument.symbol &&
    task.positionSide === positionSide &&
    task.tag === tag
  );
}

function signedLots(instrument: Instrument, quantity: TargetAction['quantity']): number | Denied {
  const lots = instrument.lotsOf(quantity);
  if (!Number.isNaN(lots)) return lots;
  if (typeof quantity === 'string' && !isDecimalText(quantity))
    return denied('not_finite', `quantity "${quantity}" is not a decimal number`, 'quantity');
  if (typeof quantity === 'number' && !Number.isFinite(quantity))
    return denied('not_finite', `quantity ${quantity} is not a decimal number`, 'quantity');
  if (dec(quantity).abs().gt(instrument.countableQuantity)) {
    const maximum = instrument.countableQuantity.toFixed();
    const message = `${instrument.symbol}: quantity ${String(quantity)} is above the maximum ${maximum}`;
    return denied('above_maximum', message, 'quantity');
  }
  const near = instrument.quantityText(instrument.lotsOf(instrument.roundQuantity(quantity, 'nearest')));
  return denied(
    'off_lot',
    `${instrument.symbol}: quantity ${String(quantity)} is not a multiple of the lot size ${instrument.spec.lotSize}; the nearest is ${near}`,
    'quantity',
  );
}
