/**
 * `flatten` and the end of a strategy.
 *
 * - A flatten cancels the strategy's orders in a symbol. Once all are closed and booked, it closes the position by
 *   reduce-only market orders, with retries.
 * - Where closing would add to the account's position, it is new risk. If that is denied, only the part that reduces
 *   the account is closed.
 * - Until it is done, quotes and targets of the strategy in the symbol wait, and its placements are denied
 *   (`flattening`), also after a crash.
 * - A stop policy ends in `stopped`: `leave` at once, the others when nothing works and all reported trades are booked.
 *   Unknown orders are left to the reconciler.
 */
import type { StopPolicy } from '../../model/trading/action.ts';
import type { Denied } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { NO_MARKET_DATA, POSITION_SIDES } from '../../model/trading/order.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { flattenKey } from '../../model/entries/order-entries.ts';
import type { TreasuryService } from '../../treasury/service.ts';
import { closableLots, sayDust } from './holdings.ts';
import { orderSpec, type OrderSpec, type Placement } from './placement.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 1_000;
interface Task {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  /** Tries in a row that closed nothing. */
  attempts: number;
  /** Lots left at the last try. */
  left: number;
  denial: Denied | null;
  /** How the exchange ended an order of the last try that closed nothing, or a part. */
  ended: string | null;
  /** Orders of the last try. */
  sent: readonly OwnOrder[];
  /** The venue ended them for want of a market: no try, and none until there is a price. */
  isBlind: boolean;
  resting: boolean;
}

export class Closing {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  readonly #treasury: TreasuryService;
  /** The tasks of this process among `state.flattening`. */
  readonly #tasks = new Map<string, Task>();
  readonly #ending = new Set<string>();

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement, treasury: TreasuryService) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
    this.#treasury = treasury;
  }

  /** Without a symbol: all in which the strategy has orders or a position. */
  flatten(slot: StrategySlot, symbol?: string): void {
    const { state, spine } = this.#core;
    const { tag: strategy } = slot;
    const instruments = this.#instruments(strategy, symbol);
    if (symbol !== undefined && instruments.length === 0) {
      const unknown = this.#core.instrument(symbol);
      if ('reason' in unknown) this.#core.deny(strategy, 'flatten', unknown, symbol);
    }
    for (const instrument of instruments) {
      const key = flattenKey(strategy, instrument.symbol);
      if (!state.flattening.has(key)) spine.commit({ kind: 'flatten', strategy, symbol: instrument.symbol, on: true });
      if (!this.#tasks.has(key))
        this.#tasks.set(key, {
          slot,
          instrument,
          attempts: 0,
          left: 0,
          denial: null,
          ended: null,
          sent: [],
          isBlind: false,
          resting: false,
        });
      this.#cancel(strategy, state.orders.live(instrument.symbol));
    }
    this.#stepAll();
  }

  /** Continues what a dead process left unfinished. */
  goOn(slot: StrategySlot): void {
    for (const { strategy, symbol } of this.#core.state.flattening.values())
      if (strategy === slot.tag) this.flatten(slot, symbol);
  }

  stop(slot: StrategySlot, policy: StopPolicy): void {
    const core = this.#core;
    const { tag } = slot;
    if (!core.state.stopping.has(tag)) core.spine.commit({ kind: 'stop', strategy: tag, policy });
    this.#ending.add(tag);
    if (policy === 'leave') {
      this.#finish(tag);
      return;
    }
    this.#cancel(tag, core.state.orders.allLive());
    this.#treasury.advertisements.withdraw(tag);
    if (policy === 'flatten') this.flatten(slot);
    core.workWanted = true;
  }

  work(): void {
    this.#stepAll();
    for (const tag of this.#ending) if (!this.#works(tag)) this.#finish(tag);
  }

  #stepAll(): void {
    for (const task of this.#tasks.values()) if (!task.resting) this.#step(task, false);
  }

  #works(tag: string): boolean {
    if ([...this.#tasks.values()].some(({ slot }) => slot.tag === tag) || this.#treasury.advertisements.busy(tag))
      return true;
    for (const order of this.#core.state.orders.allLive()) {
      if (order.strategy === tag && order.progress.state !== 'unknown') return true;
    }
    return false;
  }

  #finish(tag: string): void {
    this.#ending.delete(tag);
    this.#core.turn.emit({ kind: 'stopped', strategy: tag });
  }

  #cancel(strategy: string, orders: readonly OwnOrder[]): void {
    this.#dispatcher.cancel(
      orders.filter((order) => order.strategy === strategy && order.origin !== 'flatten'),
      true,
    );
  }

  /** While an order is live, the held quantity is uncertain. */
  #step(task: Task, hasRested: boolean): void {
    const { slot, instrument } = task;
    if (this.#core.state.orders.live(instrument.symbol).some(({ strategy }) => strategy === slot.tag)) return;
    const specs = this.#closings(task);
    const lots = specs.reduce((sum, spec) => sum + spec.lots, 0);
    this.#lookBack(task);
    if (lots === 0) this.#closed(task);
    else if (task.isBlind && (!hasRested || this.#core.deps.market.mid(instrument.symbol) === undefined))
      this.#rest(task);
    else if (task.attempts >= ATTEMPTS_MAX && lots >= task.left) this.#giveUp(task, specs);
    else if (task.attempts > 0 && !hasRested) this.#rest(task);
    else this.#send(task, specs, lots);
  }

  #lookBack(task: Task): void {
    const { sent, slot, instrument } = task;
    if (sent.length === 0) return;
    task.sent = [];
    task.ended = sent.find(({ reason }) => reason !== undefined)?.reason ?? null;
    task.isBlind = sent.every(({ reason }) => reason === NO_MARKET_DATA);
    if (!task.isBlind) return;
    task.attempts--;
    const what = 'there is no market; it is tried again at the next price';
    this.#core.alarm('flatten_stuck', `${slot.tag}: ${instrument.symbol} could not be closed: ${what}`);
  }

  /** Waiting quotes and targets continue. */
  #end({ slot, instrument: { symbol } }: Task): void {
    this.#tasks.delete(flattenKey(slot.tag, symbol));
    this.#core.spine.commit({ kind: 'flatten', strategy: slot.tag, symbol, on: false });
    this.#core.workWanted = true;
  }

  #closings({ slot, instrument }: Task): readonly OrderSpec[] {
    const { positions } = this.#core.state;
    return POSITION_SIDES.flatMap((positionSide): readonly OrderSpec[] => {
      const held = positions.lots(slot.tag, instrument.symbol, positionSide);
      const lots = closableLots(this.#core, { instrument, lots: held });
      if (lots === 0) return [];
      const side = held > 0 ? 'sell' : 'buy';
      return [orderSpec({ slot, instrument, side, ticks: 0, lots, positionSide, reduceOnly: true, origin: 'flatten' })];
    });
  }

  #closed(task: Task): void {
    const { slot, instrument } = task;
    for (const side of POSITION_SIDES)
      sayDust(this.#core, this.#core.state.positions.of(slot.tag, instrument.symbol, side));
    this.#end(task);
  }

  #giveUp(task: Task, specs: readonly OrderSpec[]): void {
    const { slot, instrument, denial, ended } = task;
    const reason = denial?.message ?? ended;
    const why = reason === null ? '' : `: ${reason}`;
    const what = `${slot.tag}: ${instrument.symbol} could not be closed in ${ATTEMPTS_MAX} attempts${why}`;
    const lots = specs.reduce((sum, spec) => sum + spec.lots, 0);
    this.#core.alarm('flatten_stuck', [what, ...specs.map((spec) => this.#byHand(spec))].join('; '), {
      strategy: slot.tag,
      symbol: instrument.symbol,
      quantity: instrument.quantityText(lots),
    });
    this.#end(task);
  }

  /** What of it a human may close without opening a position of the account. */
  #byHand(spec: OrderSpec): string {
    const { instrument, side, lots } = spec;
    const most = this.#placement.reducible(spec);
    const left = `${instrument.quantityText(lots)} is left to ${side}`;
    if (most >= lots) return `${left}, which the exchange’s pages can do`;
    const amount = most === 0 ? 'nothing' : `at most ${instrument.quantityText(most)}`;
    return `${left}, but ${side} ${amount} on the exchange’s pages: more would open a position of the account, since other strategies hold against it or others have closed it`;
  }

  #send(task: Task, specs: readonly OrderSpec[], lots: number): void {
    task.attempts = lots < task.left ? 1 : task.attempts + 1;
    task.left = lots;
    task.denial = null;
    task.isBlind = false;
    for (const spec of specs) task.denial = this.#sendOne(spec) ?? task.denial;
    const { symbol } = task.instrument;
    task.sent = this.#core.state.orders.live(symbol).filter(({ strategy }) => strategy === task.slot.tag);
    if (task.denial !== null) this.#rest(task);
  }

  /** Returns why not all of it was sent. */
  #sendOne(spec: OrderSpec): Denied | null {
    const whole = this.#placement.fit(spec);
    if (!('reason' in whole)) {
      this.#placement.place(whole);
      return null;
    }
    this.#core.deny(spec.slot.tag, 'flatten', whole, spec.instrument.symbol);
    const lots = this.#placement.reducible(spec);
    if (lots === 0 || lots >= spec.lots) return whole;
    const part = this.#placement.fit({ ...spec, lots });
    if (!('reason' in part)) this.#placement.place(part);
    return whole;
  }

  #rest(task: Task): void {
    const core = this.#core;
    task.resting = true;
    core.deps.clock.after(RETRY_MS, () =>
      core.turn.run(() => {
        if (this.#tasks.get(flattenKey(task.slot.tag, task.instrument.symbol)) !== task) return;
        task.resting = false;
        this.#step(task, true);
        core.workWanted = true;
      }),
    );
  }

  #instruments(strategy: string, symbol: string | undefined): readonly Instrument[] {
    const { state, deps } = this.#core;
    const named = symbol === undefined ? undefined : deps.instruments.find(symbol);
    if (named !== undefined) return [named];
    const found = new Set<Instrument>();
    for (const order of state.orders.allLive()) if (order.strategy === strategy) found.add(order.instrument);
    for (const held of state.positions.all())
      if (held.strategy === strategy && held.lots !== 0) found.add(held.instrument);
    // A symbol that is no longer listed may still be held.
    return symbol === undefined ? [...found] : [...found].filter((instrument) => instrument.symbol === symbol);
  }
}
