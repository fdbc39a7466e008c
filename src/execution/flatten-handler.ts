/**
 * `flatten`: cancels a strategy's orders on a symbol; once all are closed and booked, closes its position by
 * reduce-only market orders, with retries. Where closing would add to the account's position, that is new risk: when it
 * is denied, only the part that reduces the account is closed. Until it is done, quotes and targets of the strategy on
 * the symbol wait, and what it places there is denied (`flattening`).
 */
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide } from '../model/order.ts';
import type { Core, Worker } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ClosingDeps, Dust } from './dust.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { closableLots } from './holdings.ts';
import type { OrderSpec } from './placement.ts';
import type { Placement } from './placement.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 1_000;
const SIDES = ['both', 'long', 'short'] as const;

interface Task {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  /** Tries in a row that closed nothing. */
  attempts: number;
  /** At the last try. */
  left: number;
  denial: Denied | null;
  resting: boolean;
}

export class FlattenHandler implements Worker {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  readonly #dust: Dust;
  readonly #tasks = new Map<string, Task>();

  constructor({ core, dispatcher, placement, dust }: ClosingDeps) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
    this.#dust = dust;
  }

  /** Without a symbol: all in which the strategy has orders or a position. */
  flatten(slot: StrategySlot, symbol?: string): void {
    const instruments = this.#instruments(slot.tag, symbol);
    if (symbol !== undefined && instruments.length === 0) {
      const reason = denied('unknown_symbol', `${symbol} is not an instrument of this venue`, 'symbol');
      this.#core.deny(slot.tag, 'flatten', reason, symbol);
    }
    for (const instrument of instruments) {
      const key = `${slot.tag} ${instrument.symbol}`;
      this.#core.flattening.add(key);
      if (!this.#tasks.has(key))
        this.#tasks.set(key, { slot, instrument, attempts: 0, left: 0, denial: null, resting: false });
      const orders = this.#core.state.orders
        .live(instrument.symbol)
        .filter((order) => order.strategy === slot.tag && order.origin !== 'flatten');
      this.#dispatcher.cancel(orders, true);
    }
    this.work();
  }

  busy(strategy: string): boolean {
    for (const task of this.#tasks.values()) if (task.slot.tag === strategy) return true;
    return false;
  }

  work(): void {
    if (this.#tasks.size === 0) return;
    for (const [key, task] of this.#tasks) if (!task.resting && !this.#step(task)) this.#end(key);
  }

  /** What waited for it goes on. */
  #end(key: string): void {
    this.#tasks.delete(key);
    this.#core.flattening.delete(key);
    this.#core.workWanted = true;
  }

  /** False when the task has ended. */
  #step(task: Task): boolean {
    if (this.#isWorking(task)) return true;
    const specs = this.#closings(task);
    if (specs.length === 0) return this.#closed(task);
    if (isStuck(task, specs)) return this.#giveUp(task);
    return task.attempts > 0 ? this.#rest(task) : this.#send(task, specs);
  }

  /** While an order is live, what is held is not known. */
  #isWorking({ slot, instrument }: Task): boolean {
    return this.#core.state.orders.live(instrument.symbol).some((order) => order.strategy === slot.tag);
  }

  #closings(task: Task): readonly OrderSpec[] {
    return SIDES.flatMap((positionSide) => this.#closing(task, positionSide) ?? []);
  }

  #closing(task: Task, positionSide: PositionSide): OrderSpec | undefined {
    const { slot, instrument } = task;
    const held = this.#core.state.positions.lots(slot.tag, instrument.symbol, positionSide);
    const lots = closableLots(this.#core, { instrument, lots: held });
    if (lots === 0) return undefined;
    return {
      slot,
      instrument,
      side: held > 0 ? 'sell' : 'buy',
      isMarket: true,
      timeInForce: 'ioc',
      ticks: 0,
      lots,
      positionSide,
      reduceOnly: true,
      postOnly: false,
      tag: slot.tag,
      origin: 'flatten',
    };
  }

  #closed({ slot, instrument }: Task): false {
    for (const side of SIDES) this.#dust.say(this.#core.state.positions.of(slot.tag, instrument.symbol, side));
    return false;
  }

  #giveUp({ slot, instrument, denial }: Task): boolean {
    const why = denial === null ? '' : `: ${denial.message}`;
    const what = `${slot.tag}: ${instrument.symbol} could not be closed in ${ATTEMPTS_MAX} tries${why}`;
    this.#core.alarm('flatten_stuck', what);
    return false;
  }

  #send(task: Task, specs: readonly OrderSpec[]): boolean {
    const lots = lotsOf(specs);
    task.attempts = lots < task.left ? 1 : task.attempts + 1;
    task.left = lots;
    task.denial = null;
    for (const spec of specs) task.denial = this.#sendOne(spec) ?? task.denial;
    return task.denial === null ? true : this.#rest(task);
  }

  /** Returns why not all of it was sent. */
  #sendOne(spec: OrderSpec): Denied | null {
    const whole = this.#placement.fit(spec);
    if (!('reason' in whole)) {
      this.#placement.place(whole, () => undefined);
      return null;
    }
    this.#core.deny(spec.slot.tag, 'flatten', whole, spec.instrument.symbol);
    const lots = this.#placement.reducible(spec);
    if (lots === 0 || lots >= spec.lots) return whole;
    const part = this.#placement.fit({ ...spec, lots });
    if (!('reason' in part)) this.#placement.place(part, () => undefined);
    return whole;
  }

  #rest(task: Task): boolean {
    const core = this.#core;
    task.resting = true;
    core.deps.clock.after(RETRY_MS, () =>
      core.turn.run(() => {
        this.#again(task);
      }),
    );
    return true;
  }

  #again(task: Task): void {
    const key = `${task.slot.tag} ${task.instrument.symbol}`;
    if (this.#tasks.get(key) !== task) return;
    task.resting = false;
    if (this.#isWorking(task)) return;
    const specs = this.#closings(task);
    if (specs.length === 0) {
      this.#end(key);
      this.#closed(task);
    } else if (isStuck(task, specs)) {
      this.#end(key);
      this.#giveUp(task);
    } else {
      this.#send(task, specs);
    }
    this.#core.workWanted = true;
  }

  #instruments(strategy: string, symbol: string | undefined): readonly Instrument[] {
    const { state, deps } = this.#core;
    const found = new Set<Instrument>();
    const named = symbol === undefined ? undefined : deps.instruments.find(symbol);
    if (named !== undefined) return [named];
    for (const order of state.orders.allLive()) if (order.strategy === strategy) found.add(order.instrument);
    for (const held of state.positions.all())
      if (held.strategy === strategy && held.lots !== 0) found.add(held.instrument);
    // A symbol that is no longer listed may still be held.
    return symbol === undefined ? [...found] : [...found].filter((instrument) => instrument.symbol === symbol);
  }
}

function lotsOf(specs: readonly OrderSpec[]): number {
  return specs.reduce((sum, { lots }) => sum + lots, 0);
}

function isStuck({ attempts, left }: Task, specs: readonly OrderSpec[]): boolean {
  return attempts >= ATTEMPTS_MAX && lotsOf(specs) >= left;
}
