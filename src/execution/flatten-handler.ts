/**
 * `flatten`: everything of a strategy on a symbol is cancelled, then, once that is proved and all fills are booked, its
 * own position is closed by reduce-only market orders. What a thin book leaves over is tried again, a few times without
 * getting anywhere. Closing what a strategy holds against another one adds to the account: that is new risk, and where it is
 * denied as much is closed as reduces the account.
 */
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide } from '../model/order.ts';
import type { Core, Worker } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ClosingDeps, Dust } from './dust.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { closableLots } from './holdings.ts';
import type { OrderSpec } from './order-spec.ts';
import type { Placement } from './placement.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 1_000;
const SIDES = ['both', 'long', 'short'] as const;

interface Task {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  /** In a row that closed nothing. */
  attempts: number;
  /** Lots that were to be closed by the last one. */
  left: number;
  /** Why something was not sent. */
  denial: Denied | null;
  /** A retry is waiting for its time. */
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

  /** One symbol, or every symbol in which the strategy holds or works something. */
  flatten(slot: StrategySlot, symbol?: string): void {
    const instruments = this.#instruments(slot.tag, symbol);
    if (symbol !== undefined && instruments.length === 0) {
      const reason = denied('unknown_symbol', `${symbol} is not an instrument of this venue`, 'symbol');
      this.#core.deny(slot.tag, 'flatten', reason, symbol);
    }
    for (const instrument of instruments) {
      const key = `${slot.tag} ${instrument.symbol}`;
      if (!this.#tasks.has(key))
        this.#tasks.set(key, { slot, instrument, attempts: 0, left: 0, denial: null, resting: false });
      const orders = this.#core.state.orders
        .live(instrument.symbol)
        .filter((order) => order.strategy === slot.tag && order.origin !== 'flatten');
      this.#dispatcher.cancel(orders, true);
    }
    this.work();
  }

  /** True while something of the strategy is still being closed. */
  busy(strategy: string): boolean {
    for (const task of this.#tasks.values()) if (task.slot.tag === strategy) return true;
    return false;
  }

  work(): void {
    if (this.#tasks.size === 0) return;
    for (const [key, task] of this.#tasks) if (!task.resting && !this.#step(task)) this.#tasks.delete(key);
  }

  /** True while there is something to wait for. */
  #step(task: Task): boolean {
    if (this.#isWorking(task)) return true;
    const specs = this.#closings(task);
    if (specs.length === 0) return this.#closed(task);
    if (isStuck(task, specs)) return this.#giveUp(task);
    return task.attempts > 0 ? this.#rest(task) : this.#send(task, specs);
  }

  /** Orders that may still trade, or whose trades are not all booked: what is held is not known. */
  #isWorking({ slot, instrument }: Task): boolean {
    return this.#core.state.orders.live(instrument.symbol).some((order) => order.strategy === slot.tag);
  }

  /** One order for each side that is still held. */
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

  /** All that an order can close. */
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

  /** One try: an order for each side. */
  #send(task: Task, specs: readonly OrderSpec[]): boolean {
    const lots = lotsOf(specs);
    task.attempts = lots < task.left ? 1 : task.attempts + 1;
    task.left = lots;
    task.denial = null;
    for (const spec of specs) task.denial = this.#sendOne(spec) ?? task.denial;
    return task.denial === null ? true : this.#rest(task);
  }

  /** Answers why not all of it was sent. */
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
      this.#tasks.delete(key);
      this.#closed(task);
    } else if (isStuck(task, specs)) {
      this.#tasks.delete(key);
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
    // What the venue does not list any more may still be held.
    return symbol === undefined ? [...found] : [...found].filter((instrument) => instrument.symbol === symbol);
  }
}

function lotsOf(specs: readonly OrderSpec[]): number {
  return specs.reduce((sum, { lots }) => sum + lots, 0);
}

function isStuck({ attempts, left }: Task, specs: readonly OrderSpec[]): boolean {
  return attempts >= ATTEMPTS_MAX && lotsOf(specs) >= left;
}
