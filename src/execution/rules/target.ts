/**
 * `target`: one task per strategy × symbol × position side × tag, until the position is reached, an order ends
 * unfilled, or one is denied.
 *
 * - An exit above the order limit is sent in sequence.
 * - Orders in flight count in the worse direction, so a repeated target is not traded twice.
 * - With a program (`via: {twap}`, `{chase}`, `{pov}`) the missing quantity becomes the program's.
 * - A newer target ends the earlier program, and waits until the end of its orders is certain.
 *
 *   position − sells ──────── position ──────── position + buys        where it may end up
 *        sell while this > target          buy while this < target
 */
import type { Action, TargetAction, TargetProgram } from '../../model/trading/action.ts';
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { PositionSide, Side } from '../../model/trading/order.ts';
import type { ProgramAction } from '../../model/trading/program.ts';
import { covers, type Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import { isDenied, minLotsAt, priceTicks, signedLots } from '../../risk/normalise.ts';
import { countOfIntent } from '../../spine/intent-id.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { sayDust } from './holdings.ts';
import { orderSpec, type OrderSpec, type Placement } from './placement.ts';
import { whole } from '../../programs/terms.ts';
import { sharedOf } from '../programs/program-terms.ts';
import { childrenOf } from '../programs/program-view.ts';
import type { Programs } from '../programs/programs.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';

interface Task {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  readonly positionSide: PositionSide;
  readonly tag: string;
  readonly targetLots: number;
  /** 0: market orders. */
  readonly limitTicks: number;
  /** Undefined: by its own orders. */
  readonly via: TargetProgram | undefined;
  /** Unix ms. */
  readonly decidedAt: number;
  order: OwnOrder | undefined;
  /** Its order is cancelled to make room for the next one. */
  leadsOn: boolean;
}

type Step =
  | { readonly kind: 'done' }
  /** An order in flight must end first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'order'; readonly side: Side; readonly lots: number; readonly reduceOnly: boolean };

const DONE: Step = Object.freeze({ kind: 'done' });
/** Nothing rests, and nothing is missing at any price. */
const REACHED: Step = Object.freeze({ kind: 'done' });
const WAIT: Step = Object.freeze({ kind: 'wait' });

export class Targets {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  readonly #programs: Programs;
  /** Scope → its newest program. A cache of the state, made at the first use. */
  #newest: Map<string, ProgramState> | undefined;
  /** An early end replaces the array, so that `work` can iterate. */
  #tasks: Task[] = [];
  /** The last reached target, and the state's count of changes at that time. Unset when decisions are journalled. */
  #reached: { readonly action: TargetAction; readonly slot: StrategySlot; readonly changes: number } | undefined;

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement, programs: Programs) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
    this.#programs = programs;
  }

  /** True for a repeated target, if nothing changed since it was reached and there is no decision to journal. */
  stands(slot: StrategySlot, actions: Action | readonly Action[]): boolean {
    const { spine, turn } = this.#core;
    const reached = this.#reached;
    if (reached === undefined || reached.changes !== spine.changes || !turn.isFree) return false;
    const named = Array.isArray(actions) && actions.length === 1 ? (actions[0] as Action) : undefined;
    return named?.kind === 'target' && reached.slot === slot && isSameAction(reached.action, named);
  }

  target(slot: StrategySlot, action: TargetAction): void {
    const task = this.#parse(slot, action);
    if ('reason' in task) {
      this.#core.deny(slot.tag, 'target', task, action.symbol);
      return;
    }
    const at = this.#tasks.findIndex((known) => isSameTask(known, task));
    if (at < 0) {
      task.order = this.#leftOver(task);
      task.leadsOn = task.order !== undefined;
      this.#tasks.push(task);
    } else {
      task.order = this.#tasks[at]?.order;
      task.leadsOn = task.order?.cancelWanted ?? false;
      this.#tasks[at] = task;
    }
    const before = this.#programOf(task);
    if (before?.state === 'working') this.#programs.cancel(before.strategy, before.ref);
    if (this.#step(task)) return;
    this.#end(task);
    const { spine, writer } = this.#core;
    const isBusy = writer.keeps || this.#tasks.length > 0 || this.#programsByScope.size > 0;
    const isReached = !isBusy && this.#plan(task, undefined) === REACHED;
    this.#reached = isReached ? { action, slot, changes: spine.changes } : undefined;
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
      // It ended unfilled, so the strategy decides about another try. Otherwise two orders that make room for each
      // other would repeat without end.
      if (order.progress.state !== 'filled' && !task.leadsOn) return false;
    }
    const before = this.#programOf(task);
    if (before !== undefined && childrenOf(this.#core, before).length > 0) return true;
    if (task.via !== undefined) return this.#begin(task, task.via);
    return this.#advance(task, this.#plan(task, undefined));
  }

  get #programsByScope(): Map<string, ProgramState> {
    this.#newest ??= new Map(
      [...this.#core.state.programs.all()].flatMap((program) => {
        const { scope } = sharedOf(program);
        return scope === undefined ? [] : [[scope, program] as const];
      }),
    );
    return this.#newest;
  }

  #programOf(task: Task): ProgramState | undefined {
    const programs = this.#programsByScope;
    return programs.size === 0 ? undefined : programs.get(scopeOf(task));
  }

  /** An order of an earlier process for the same target. */
  #leftOver({ slot, instrument, positionSide, tag }: Task): OwnOrder | undefined {
    const { state, deps } = this.#core;
    return state.orders
      .live(instrument.symbol)
      .find(
        (order) =>
          order.origin === 'target' &&
          order.strategy === slot.tag &&
          order.positionSide === positionSide &&
          order.tag === tag &&
          countOfIntent(order.intentId, deps.bootId) === undefined,
      );
  }

  /** The program runs independently of the task. */
  #begin(task: Task, via: TargetProgram): false {
    const { slot, instrument, positionSide, tag, targetLots } = task;
    const { symbol } = instrument;
    const held = this.#core.state.positions.lots(slot.tag, symbol, positionSide);
    const missing = targetLots - held;
    const lots = whole(Math.abs(missing));
    if (lots < instrument.limits.minLots) return false;
    const side = missing > 0 ? 'buy' : 'sell';
    const reduceOnly = held * missing < 0 && lots <= Math.abs(held);
    const terms = { symbol, side, quantity: instrument.quantityText(lots), positionSide, reduceOnly, tag };
    // One of the three kinds, with its own terms.
    const scope = scopeOf(task);
    const begun = this.#programs.start(slot, { ...kindOf(via), ...terms } as ProgramAction, scope);
    if (begun !== undefined) this.#programsByScope.set(scope, begun);
    return false;
  }

  /** The order stays if a new plan would be the same order. */
  #keepOrReplace(task: Task, order: OwnOrder): boolean {
    if (order.cancelWanted || order.isMarket) return true;
    const step = this.#plan(task, order);
    const left = reservedLots(order.progress);
    const isIt =
      task.via === undefined && step.kind === 'order' && step.side === order.side && order.ticks === task.limitTicks;
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
    const part: OrderSpec = lots === spec.lots ? spec : { ...spec, lots };
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
    const isWorking = buyLots > 0 || sellLots > 0;
    const buys = whole(targetLots - (position + buyLots));
    const lots = buys > 0 ? buys : whole(position - sellLots - targetLots);
    if (lots <= 0) return isWorking ? WAIT : REACHED;
    const side = buys > 0 ? 'buy' : 'sell';
    const ticks = limitTicks > 0 ? limitTicks : (deps.market.mid(instrument.symbol) ?? 0) / instrument.tick;
    const minLots = minLotsAt(instrument.limits, ticks);
    if (lots < minLots) return isWorking ? WAIT : DONE;
    const reducible = whole(buys > 0 ? -position - buyLots : position - sellLots);
    if (lots <= reducible) return { kind: 'order', side, lots, reduceOnly: true };
    // Through zero in two steps: a closing part always passes, and an opening part may be denied.
    const reducesFirst = positionSide === 'both' && reducible >= minLots;
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
    let via: TargetProgram | undefined;
    if (action.via !== undefined && action.via !== 'market') {
      if (typeof action.via !== 'object' || action.via === null)
        return denied('unsupported', `${symbol}: this way to reach a target is not supported`, 'via');
      if (!('limit' in action.via)) via = action.via;
      else limitTicks = priceTicks(instrument, action.via.limit.price);
      if (isDenied(limitTicks)) return limitTicks;
    }
    // In hedge mode a short target is negative, with or without a sign.
    const targetLots = positionSide === 'short' ? -Math.abs(lots) : lots;
    if (positionSide === 'long' && lots < 0)
      return denied('unsupported', `${symbol}: a long position is not negative`, 'quantity');
    return {
      slot,
      instrument,
      positionSide,
      tag,
      targetLots,
      limitTicks,
      via,
      decidedAt: this.#core.now(),
      order: undefined,
      leadsOn: false,
    };
  }
}

function specOf(task: Task, { side, lots, reduceOnly }: Extract<Step, { kind: 'order' }>): OrderSpec {
  const { slot, instrument, positionSide, tag, limitTicks: ticks, decidedAt } = task;
  return orderSpec({ slot, instrument, side, ticks, lots, positionSide, reduceOnly, tag, decidedAt, origin: 'target' });
}

function kindOf(via: TargetProgram): object {
  if ('twap' in via) return { kind: 'twap', ...via.twap };
  if ('chase' in via) return { kind: 'chase', ...via.chase };
  return { kind: 'pov', ...via.pov };
}

function scopeOf({ slot, instrument, positionSide, tag }: Task): string {
  return `${slot.tag} ${instrument.symbol} ${positionSide} ${tag}`;
}

function isSameAction(one: TargetAction, { symbol, quantity, positionSide, tag, via }: TargetAction): boolean {
  const isSame = one.symbol === symbol && one.quantity === quantity && one.positionSide === positionSide;
  return isSame && one.tag === tag && one.via === via;
}

function isSameTask(one: Task, { slot, instrument, positionSide, tag }: Task): boolean {
  return covers(one, slot.tag, instrument.symbol, tag) && one.positionSide === positionSide;
}
