/**
 * Brings the orders of a program to what its rule wants.
 *
 * - An order with another price or quantity is cancelled. The next order of its group waits until the cancel is
 *   confirmed. So no lot has two exits, and an order of unknown outcome is never doubled.
 * - An order that would rest waits for own orders in its way. Otherwise two programs could cancel each other without
 *   end.
 */
import { denied, type Denied, type DenyReason } from '../../model/trading/deny-reason.ts';
import { NO_MARKET_DATA, type PositionSide, type Side } from '../../model/trading/order.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';
import type { ProgramOver, Step, Want } from '../../programs/rule.ts';
import { ruleOf } from '../../programs/rules.ts';
import { whole } from '../../programs/terms.ts';
import { minLotsAt } from '../../risk/normalise.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { orderSpec, type OrderSpec, type Placement } from '../rules/placement.ts';
import { isEntering } from './program-terms.ts';
import { childrenOf, endedByItself, endsByItself, isRefused, isUnsent, newestOf, type Child } from './program-view.ts';

/** Denials or refusals in a row, without a fill between, after which no more is sent. */
const TRIES_MAX = 5;
const RETRY_MS = 1_000;
/** Time to the next look at whether the lists confirm the end of an order that ended by itself. */
const PROOF_MS = 500;
/** Newest orders of a program, which include all that no list can have confirmed yet. */
const CALLED_OVER_MAX = 50;

/** Denials that pass by themselves. The program waits, and does not count them. */
const PASSING: ReadonlySet<DenyReason> = new Set<DenyReason>([
  'stale_data',
  'no_market',
  'not_reconciled',
  'stream_down',
  'loop_lag',
  'clock_doubt',
  'would_cross',
  // A far exit leaves once the price is near enough.
  'price_collar',
  'duplicate_order',
  'message_rate',
  'repeated_rejects',
  'flattening',
  'strategy_paused',
  'trading_hours',
  'cooldown',
]);

interface Try {
  count: number;
  /** Booked lots of the leg at the last try. */
  filled: number;
  /** Unix ms before which nothing is sent again. */
  until: number;
  last: OwnOrder | undefined;
  /** Unix ms at which it was seen that `last` had ended by itself; 0: not yet. */
  endSeenAt: number;
  told: DenyReason | undefined;
  /** The venue ended its last order for want of a market. */
  isBlind: boolean;
  /** Lots by which its newest order is smaller than wanted, because less could be reduced. */
  cut: number;
}

export interface Brought {
  /** Unix ms of the next try. */
  readonly retryAt?: number;
  /** An exit, or the whole program, cannot be sent. */
  readonly end?: ProgramOver;
}

const NOTHING: Brought = Object.freeze({});
const GONE: Brought = { end: { state: 'canceled', reason: 'its strategy holds nothing that it could close' } };

export class ProgramOrders {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;
  readonly #heldByPrograms: (strategy: string, symbol: string) => number;
  readonly #tries = new WeakMap<ProgramState, Map<string, Try>>();

  /** `heldByPrograms`: signed lots. */
  constructor(
    core: Core,
    dispatcher: Dispatcher,
    placement: Placement,
    heldByPrograms: (strategy: string, symbol: string) => number,
  ) {
    this.#heldByPrograms = heldByPrograms;
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
  }

  isGivenUp(program: ProgramState, leg: string): boolean {
    return (this.#tries.get(program)?.get(leg)?.count ?? 0) >= TRIES_MAX;
  }

  cancelAll(program: ProgramState): void {
    this.#dispatcher.cancel(
      childrenOf(this.#core, program).map(({ order }) => order),
      true,
    );
  }

  /** First denial of the orders that the program sends at its start. An exit may wait for the entry before it. */
  denialAtStart(slot: StrategySlot, program: ProgramState, step: Step<unknown>): Denied | null {
    for (const want of step.wants) {
      const spec = this.#placement.fit(this.#specOf(slot, program, want));
      if ('reason' in spec && !this.#awaitsEntry(program, step, want, spec)) return spec;
    }
    return null;
  }

  /**
   * There is too little to reduce, and a working order of the strategy will bring it. A program's own entry needs no
   * wait: it was filled, and external trades closed it.
   */
  #awaitsEntry(
    { strategy, symbol }: ProgramState,
    { held = 0 }: Step<unknown>,
    want: Want,
    { reason }: Denied,
  ): boolean {
    const { side, reduceOnly, positionSide = 'both', symbol: own = symbol } = want;
    if (held !== 0 || !reduceOnly || (reason !== 'reduce_only' && reason !== 'insufficient_balance')) return false;
    return isEntering(this.#core.state, strategy, { symbol: own, side, positionSide });
  }

  bring(slot: StrategySlot, program: ProgramState, step: Step<unknown>): Brought {
    this.#core.exitRoom.release(program);
    const children = childrenOf(this.#core, program);
    const byLeg = Map.groupBy(children, ({ leg }) => leg);
    const unwanted: OwnOrder[] = [];
    const missing: Want[] = [];
    for (const want of step.wants)
      if (!this.#stands(program, byLeg.get(want.leg) ?? [], want, unwanted)) missing.push(want);
    const wanted = new Set(step.wants.map(({ leg }) => leg));
    for (const { order, leg } of children)
      if (!wanted.has(leg) && !isClosed(order.progress) && !endsByItself(order)) unwanted.push(order);
    if (unwanted.length > 0) this.#dispatcher.cancel(unwanted, false);
    let retryAt: number | undefined;
    for (const want of missing) {
      if (byLeg.has(want.leg)) continue;
      // Its own leaving order would match it. The end of that order wakes the program.
      if (children.some(({ order }) => meets(program, want, order))) continue;
      const placed = this.#place(slot, program, step, want);
      if (placed.end !== undefined) return placed;
      if (placed.retryAt !== undefined) retryAt = Math.min(placed.retryAt, retryAt ?? placed.retryAt);
    }
    return retryAt === undefined ? NOTHING : { retryAt };
  }

  /** Whether the leg's orders (`children`) are what is wanted. Others are added to `unwanted`. */
  #stands(program: ProgramState, children: readonly Child[], want: Want, unwanted: OwnOrder[]): boolean {
    const { cut } = this.#attemptOf(program, want.leg);
    let less = cut;
    let lots = 0;
    const same: OwnOrder[] = [];
    let isAny = false;
    for (const { order } of children) {
      if (isClosed(order.progress)) continue;
      isAny = true;
      if (order.request.timeInForce === 'ioc') {
        lots = want.lots;
        continue;
      }
      if (order.cancelWanted) continue;
      if (order.ticks !== want.ticks || order.side !== want.side) unwanted.push(order);
      else {
        same.push(order);
        lots += reservedLots(order.progress);
        less = Math.max(less, order.shrunk ? 1 : 0);
      }
    }
    const isWhole = lots <= want.lots && lots + less >= want.lots;
    if (!isWhole) unwanted.push(...same);
    return isAny && isWhole;
  }

  #place(slot: StrategySlot, program: ProgramState, step: Step<unknown>, want: Want): Brought {
    if (this.isGivenUp(program, want.leg)) return NOTHING;
    const rule = ruleOf(program.kind);
    const group = rule.groupOf(want.leg);
    const { used, isWorking } = this.#usedOf(program, group);
    if (used + want.lots > (step.most[group] ?? 0) + 1e-9) {
      // A leaving order still holds its lots.
      if (isWorking) return NOTHING;
      return failed(`${want.leg} would fill ${used + want.lots} lots where ${step.most[group] ?? 0} are allowed`);
    }
    const attempt = this.#attemptOf(program, want.leg);
    const now = this.#core.now();
    const filled = program.legs.get(want.leg)?.lots ?? 0;
    if (filled !== attempt.filled) Object.assign(attempt, { count: 0, filled, until: 0, told: undefined });
    const { last } = attempt;
    if (endedByItself(last)) {
      if (attempt.endSeenAt === 0) attempt.endSeenAt = now;
      if (!this.#isOver(last, attempt.endSeenAt)) {
        this.#core.doubt(`whether ${last.ref} is over`);
        return { retryAt: now + PROOF_MS };
      }
      Object.assign(attempt, { last: undefined, endSeenAt: 0, isBlind: last.reason === NO_MARKET_DATA });
      if (attempt.isBlind) return this.#wait(attempt);
      return this.#tried(program, step, want, attempt, last.message ?? `${last.ref} ended unfilled`);
    }
    if (now < attempt.until) return { retryAt: attempt.until };
    if (attempt.isBlind && this.#core.deps.market.mid(want.symbol ?? program.symbol) === undefined)
      return this.#wait(attempt);
    const asked = this.#specOf(slot, program, want);
    if (asked.reduceOnly && asked.isMarket) {
      const blockers = this.#core.exitRoom.blockers(program, asked);
      if (blockers.length > 0) {
        this.#dispatcher.cancel(blockers, false);
        return { retryAt: now + RETRY_MS };
      }
    }
    const spec = this.#fit(asked, step);
    if ('reason' in spec) return this.#denied(program, step, want, attempt, spec);
    const [inTheWay] = spec.isMarket || spec.timeInForce === 'ioc' ? [] : this.#placement.blockers(spec);
    if (inTheWay !== undefined) {
      const what = `${want.leg} of ${program.ref} would trade with ${inTheWay.ref}, an own order`;
      return this.#denied(program, step, want, attempt, denied('would_cross', what));
    }
    Object.assign(attempt, { told: undefined, isBlind: false, cut: want.lots - spec.lots });
    if (want.reduceOnly) this.#cancelCalledOver(program, want);
    const before = program.children.length;
    this.#placement.place(spec);
    const ref = program.children[before];
    attempt.last = ref === undefined ? undefined : this.#core.state.orders.byRef(program.strategy, ref);
    return NOTHING;
  }

  /** A refusal may be false, so lists must have been read since. An exit does not wait for that. */
  #isOver(order: OwnOrder, endSeenAt: number): boolean {
    const { isCompared, state } = this.#core;
    if (!isCompared || order.reduceOnly || order.orderId !== undefined || !isRefused(order))
      return this.#core.isProvedOver(order);
    return state.heard.comparedFrom >= endSeenAt;
  }

  /**
   * Cancels other exits whose end only the exchange's report shows. If the report is false, two exits would work on the
   * same lots.
   */
  #cancelCalledOver({ strategy, kind, children }: ProgramState, { leg }: Want): void {
    const core = this.#core;
    if (!core.isCompared) return;
    const rule = ruleOf(kind);
    for (const ref of children.slice(-CALLED_OVER_MAX)) {
      const order = core.state.orders.byRef(strategy, ref);
      if (order?.leg === undefined || order.leg === leg || rule.groupOf(order.leg) !== rule.groupOf(leg)) continue;
      if (order.request.timeInForce === 'ioc' || !endedByItself(order) || core.isProvedOver(order)) continue;
      this.#dispatcher.cancelCalledOver(order);
    }
  }

  /**
   * On spot a program may close its own entry even if other programs of the strategy hold the opposite, so that the
   * strategy's total does not shrink by it. What the strategy itself has closed counts first. If less is left than the
   * exit would close, the exit closes that. Only an exit at market leaves lots to other closing orders.
   */
  #fit(spec: OrderSpec, { held = 0 }: Step<unknown>): OrderSpec | Denied {
    const fitted = this.#placement.fit(spec);
    if (!('reason' in fitted) || fitted.reason !== 'reduce_only') return fitted;
    const { slot, instrument, lots, positionSide } = spec;
    const { symbol, market } = instrument;
    const isRest = spec.timeInForce !== 'ioc';
    const closable = whole(this.#closable(slot.tag, symbol, positionSide, spec.side));
    let most = isRest ? closable : Math.min(closable, this.#placement.reducible(spec));
    const hasEntered = market === 'spot' && held !== 0;
    if (hasEntered) {
      const beside = this.#core.state.positions.lots(slot.tag, symbol, 'both') - this.#heldByPrograms(slot.tag, symbol);
      const closed = Math.max(0, -Math.sign(held) * beside);
      most = Math.max(most, whole(Math.abs(held) - (closed < 1 ? 0 : closed)));
    }
    if (most < lots && most < minLotsAt(instrument.limits, spec.ticks)) return fitted;
    const less = { ...spec, lots: Math.min(most, lots) };
    const again = this.#placement.fit(less);
    return 'reason' in again && hasEntered ? this.#placement.fit({ ...less, reduceOnly: false }) : again;
  }

  /** Lots of the strategy's position that this side closes. */
  #closable(strategy: string, symbol: string, positionSide: PositionSide, side: Side): number {
    const held = this.#core.state.positions.lots(strategy, symbol, positionSide);
    return side === 'sell' ? held : -held;
  }

  #denied(program: ProgramState, step: Step<unknown>, want: Want, attempt: Try, denial: Denied): Brought {
    const core = this.#core;
    const { strategy, kind, ref } = program;
    const { side, positionSide = 'both', symbol = program.symbol } = want;
    if (this.#awaitsEntry(program, step, want, denial)) return this.#wait(attempt);
    if (attempt.told !== denial.reason) core.deny(strategy, kind, denial, symbol, ref, true);
    attempt.told = denial.reason;
    const isLast = want.ticks === 0 || step.trigger === undefined;
    // A pair stays unhedged by what it cannot undo, which must ring.
    const isOfNothing = denial.reason === 'reduce_only' || denial.reason === 'liquidated';
    if (isOfNothing && isLast && this.#closable(strategy, symbol, positionSide, side) < 1)
      return kind === 'pair' ? failed(`${want.leg} cannot leave: ${denial.message}`) : GONE;
    if (PASSING.has(denial.reason)) return this.#wait(attempt);
    return this.#tried(program, step, want, attempt, denial.message);
  }

  /** Without a counted try. */
  #wait(attempt: Try): Brought {
    attempt.until = this.#core.now() + RETRY_MS;
    return { retryAt: attempt.until };
  }

  #tried(
    program: ProgramState,
    { covers = 0, trigger, isAnswered = false }: Step<unknown>,
    want: Want,
    attempt: Try,
    why: string,
  ): Brought {
    attempt.count++;
    attempt.until = this.#core.now() + RETRY_MS * 2 ** (attempt.count - 1);
    if (attempt.count < TRIES_MAX) return { retryAt: attempt.until };
    const told = `${want.leg} in ${TRIES_MAX} tries: ${why}`;
    // Held lots stay protected if more of them could not be bought, or if an exit beside an armed stop cannot rest.
    const isBeside = ruleOf(program.kind).isEntry?.(want.leg) === true || (want.ticks > 0 && trigger !== undefined);
    if (!isAnswered && (!isBeside || covers <= 0)) return failed(told);
    this.#core.alarm('program_stuck', `${program.ref} gives up ${told}`);
    return { retryAt: this.#core.now() };
  }

  #attemptOf(program: ProgramState, leg: string): Try {
    let byLeg = this.#tries.get(program);
    if (byLeg === undefined) this.#tries.set(program, (byLeg = new Map()));
    let attempt = byLeg.get(leg);
    if (attempt === undefined) byLeg.set(leg, (attempt = this.#triedBefore(program, leg)));
    return attempt;
  }

  /** Tries of an earlier process: the end of its last order must be certain, and its refusals in a row count. */
  #triedBefore(program: ProgramState, leg: string): Try {
    const filled = program.legs.get(leg)?.lots ?? 0;
    const attempt: Try = {
      count: 0,
      filled,
      until: 0,
      last: undefined,
      endSeenAt: 0,
      told: undefined,
      isBlind: false,
      cut: 0,
    };
    for (const order of newestOf(this.#core, program, leg)) {
      const isOpen = !isClosed(order.progress);
      if (isUnsent(order)) continue;
      if (attempt.last === undefined && (isOpen || endedByItself(order))) attempt.last = order;
      else if (isRefused(order)) attempt.count++;
      if (!(isOpen || isRefused(order)) || attempt.count === TRIES_MAX - 1) return attempt;
    }
    return attempt;
  }

  /** Booked and reserved lots of a group. */
  #usedOf(program: ProgramState, group: string): { readonly used: number; readonly isWorking: boolean } {
    const rule = ruleOf(program.kind);
    let used = 0;
    let isWorking = false;
    for (const [leg, { lots }] of program.legs) if (rule.groupOf(leg) === group) used += lots;
    for (const { order, leg } of childrenOf(this.#core, program)) {
      if (rule.groupOf(leg) !== group) continue;
      used += reservedLots(order.progress);
      isWorking = true;
    }
    return { used, isWorking };
  }

  #specOf(slot: StrategySlot, { ref, tag, symbol }: ProgramState, want: Want): OrderSpec {
    const instrument = this.#core.deps.instruments.find(want.symbol ?? symbol);
    if (instrument === undefined) throw new RangeError(`${ref}: ${want.symbol ?? symbol} is no instrument any more`);
    const { side, ticks, lots, reduceOnly, postOnly, ioc = false, positionSide, leg, onBars } = want;
    const terms = { side, ticks, lots, reduceOnly, postOnly, positionSide, leg, onBars, tag };
    const timeInForce = ioc ? 'ioc' : undefined;
    return orderSpec({ ...terms, slot, instrument, timeInForce, origin: 'program', parent: ref });
  }
}

function failed(reason: string): Brought {
  return { end: { state: 'failed', reason } };
}

function meets({ symbol: own }: ProgramState, { side, ticks, symbol = own }: Want, order: OwnOrder): boolean {
  if (isClosed(order.progress) || order.side === side || order.instrument.symbol !== symbol) return false;
  if (ticks === 0 || order.ticks === 0) return false;
  return side === 'buy' ? ticks >= order.ticks : ticks <= order.ticks;
}
