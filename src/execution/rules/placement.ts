/** Judges and creates orders. Holds an order while own orders in its way are cancelled. */
import type { ExitOnBars } from '../../model/venue.ts';
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { CreateIntentEntry } from '../../model/entries/journal.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { OrderRequest, TimeInForce } from '../../model/trading/order.ts';
import type { Cancel } from '../../model/ports.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { exitDenial, partsOf, reducibleLots } from '../../risk/exits.ts';
import type { Candidate, JudgeOptions } from '../../risk/facts.ts';
import { minLotsAt, sizeDenial } from '../../risk/normalise.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import { isNumbered } from '../../spine/orders/refs.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { flattenKey } from '../../model/entries/order-entries.ts';
import { ownOrdersMet, passes, postOnlyDenial } from './placement-checks.ts';

/** Checked terms of an order to be judged. */
export interface OrderSpec extends Omit<Candidate, 'exits' | 'strategy'> {
  readonly slot: StrategySlot;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly tag: string;
  /** One lot less than asked for. */
  readonly shrunk: true | undefined;
  /** Ref of the first order of a split exit, in the others. */
  readonly partOf: string | undefined;
  /** Ref of the program, and which of its orders. */
  readonly parent: string | undefined;
  readonly leg: string | undefined;
  /** Unix ms of the strategy's decision, where it was earlier. */
  readonly decidedAt: number | undefined;
  readonly onBars: ExitOnBars | undefined;
}

type Wanted = 'instrument' | 'lots' | 'origin' | 'side' | 'slot' | 'ticks';

type Usual = { readonly [Name in keyof OrderSpec]?: OrderSpec[Name] | undefined };

/** Ticks 0: at market. What is not named is as usual. Always of one shape: what judges it is faster by that. */
export function orderSpec(wanted: Pick<OrderSpec, Wanted> & Usual): OrderSpec {
  const { slot, ticks } = wanted;
  const isMarket = ticks === 0;
  return {
    slot,
    instrument: wanted.instrument,
    side: wanted.side,
    isMarket,
    ticks,
    lots: wanted.lots,
    timeInForce: wanted.timeInForce ?? (isMarket ? 'ioc' : 'gtc'),
    positionSide: wanted.positionSide ?? 'both',
    reduceOnly: wanted.reduceOnly ?? false,
    postOnly: wanted.postOnly ?? false,
    tag: wanted.tag ?? slot.tag,
    origin: wanted.origin,
    shrunk: wanted.shrunk,
    partOf: wanted.partOf,
    parent: wanted.parent,
    leg: wanted.leg,
    decidedAt: wanted.decidedAt,
    onBars: wanted.onBars,
  };
}

const AS_IT_STANDS: JudgeOptions = Object.freeze({ ignoreCanceling: false });

interface Held {
  readonly order: OwnOrder;
  readonly spec: OrderSpec;
  readonly blockers: readonly OwnOrder[];
  readonly stopTimer: Cancel;
}

export class Placement {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  /** Bounded by the limit of open orders. */
  #held: Held[] = [];
  readonly #warned = new Set<string>();

  constructor(core: Core, dispatcher: Dispatcher) {
    this.#core = core;
    this.#dispatcher = dispatcher;
  }

  /** Why the order is forbidden now. Own orders in its way do not count. */
  judge(spec: OrderSpec, options: JudgeOptions = AS_IT_STANDS): Denied | null {
    const core = this.#core;
    const { instrument } = spec;
    const exits = this.#exits(spec, options);
    const grid = instrument.limits;
    // The exit is sent in parts.
    const lots = exits ? Math.min(spec.lots, grid.maxLots) : spec.lots;
    const candidate = candidateOf(spec, exits);
    const { symbol } = instrument;
    const { stopping, flattening } = core.state;
    const { tag } = spec.slot;
    const policy = stopping.get(tag);
    const isLeft = policy === 'leave' && spec.origin === 'program';
    if (policy !== undefined && !isLeft && spec.origin !== 'flatten') return denied('stopping', `${tag} is stopping`);
    if (flattening.size > 0 && flattening.has(flattenKey(tag, symbol)) && spec.origin !== 'flatten')
      return denied('flattening', `${tag} is closing its position in ${symbol}`);
    return (
      core.exitRoom.denial(spec) ??
      sizeDenial(instrument, grid, spec.ticks, lots) ??
      core.gates.denial(symbol, exits ? instrument.market : null) ??
      core.kill.denial(exits) ??
      postOnlyDenial(core.deps.market, spec) ??
      this.#riskDenial(candidate, options) ??
      (exits ? null : core.surveillance.denial(tag, symbol, core.now())) ??
      this.#exitDenial(spec, candidate)
    );
  }

  #exits(order: OrderSpec, options: JudgeOptions = AS_IT_STANDS): boolean {
    return order.reduceOnly && order.lots <= reducibleLots(order, this.#core.state, options);
  }

  #riskDenial(candidate: Candidate, options: JudgeOptions): Denied | null {
    const core = this.#core;
    const denial = core.risk.judge(candidate, core.now(), options);
    if (denial === null || core.deps.explains !== true) return denial;
    return { ...denial, figures: core.risk.figures(candidate, core.now(), options) };
  }

  /** In mode `warn` there is one warning per strategy and symbol. */
  #exitDenial(spec: OrderSpec, candidate: Candidate): Denied | null {
    const core = this.#core;
    const { risk } = core.deps.options;
    if (risk.exitCheck === 'off' || spec.reduceOnly) return null;
    const { slot, instrument, positionSide } = spec;
    const held = core.state.positions.of(slot.tag, instrument.symbol, positionSide)?.lots ?? 0;
    const denial = exitDenial(candidate, instrument.limits, held, risk, core.deps.market);
    if (denial === null || risk.exitCheck === 'deny') return denial;
    const key = `${slot.tag}/${instrument.symbol}`;
    if (this.#warned.has(key)) return null;
    this.#warned.add(key);
    core.deps.logger.warn({ strategy: slot.tag }, denial.message);
    core.put({ kind: 'note', strategy: slot.tag, text: denial.message });
    return null;
  }

  /** Lots by which the order can reduce the account's position. */
  reducible(spec: OrderSpec): number {
    return Math.floor(reducibleLots(spec, this.#core.state, AS_IT_STANDS));
  }

  fit(spec: OrderSpec): OrderSpec | Denied {
    const denial = this.judge(spec);
    return denial === null ? spec : (this.shrunk(spec, denial) ?? denial);
  }

  /** A spot sell smaller by one lot; null when that is denied too. */
  shrunk(spec: OrderSpec, { reason }: Denied): OrderSpec | null {
    if (reason !== 'insufficient_balance' || spec.instrument.market !== 'spot' || spec.side !== 'sell') return null;
    const less: OrderSpec = { ...spec, lots: spec.lots - 1, shrunk: true };
    return this.judge(less) === null ? less : null;
  }

  /** Lots of each order: one, or the parts of an exit above the order limit. */
  parts(spec: OrderSpec): readonly number[] {
    if (!this.#exits(spec)) return [spec.lots];
    const { limits, symbol, tick } = spec.instrument;
    const ticks = spec.ticks > 0 ? spec.ticks : (this.#core.deps.market.mid(symbol) ?? 0) / tick;
    return partsOf(spec.lots, this.partLots(spec), minLotsAt(limits, ticks));
  }

  /** Most lots of one exit order. */
  partLots(spec: OrderSpec): number {
    const core = this.#core;
    return Math.min(spec.instrument.limits.maxLots, core.risk.partLots(candidateOf(spec, true), core.now()));
  }

  /** Creates a judged order, in parts if needed. `refOf` counts them from 1. Returns the lots left out. */
  place(spec: OrderSpec, refOf?: (part: number) => string): number {
    const blockers = this.blockers(spec);
    const [first = spec.lots, ...parts] = this.parts(spec);
    let left = spec.lots - first;
    const { ref: partOf } = this.create(left === 0 ? spec : { ...spec, lots: first }, blockers, refOf?.(1));
    for (const [index, lots] of parts.entries()) {
      this.create({ ...spec, lots, partOf }, blockers, refOf?.(index + 2));
      left -= lots;
    }
    return left;
  }

  blockers(spec: OrderSpec): readonly OwnOrder[] {
    const { deps, state } = this.#core;
    return ownOrdersMet(deps.market, spec, state.orders.live(spec.instrument.symbol), this.#exits(spec));
  }

  /** Sends it at once, or when the end of the blockers is certain. */
  create(spec: OrderSpec, blockers: readonly OwnOrder[], ref?: string): OwnOrder {
    const core = this.#core;
    const { tag, name } = spec.slot;
    const order = this.#open(spec, ref ?? core.state.refs.next(tag, name), ref === undefined || isNumbered(ref, name));
    if (blockers.length === 0) {
      this.#dispatcher.send(order);
      return order;
    }
    core.surveillance.crossed(tag, spec.instrument.symbol, core.now());
    const { intentTtlMs } = core.deps.options.risk;
    const stopTimer = core.deps.clock.after(intentTtlMs, () => core.turn.run(() => this.#expire(order)));
    this.#held.push({ order, spec, blockers, stopTimer });
    this.#dispatcher.cancel(blockers, false);
    return order;
  }

  #open(spec: OrderSpec, ref: string, auto: boolean): OwnOrder {
    const core = this.#core;
    const { instrument } = spec;
    const intentId = core.nextIntentId();
    const exits = this.#exits(spec);
    const request: Mutable<OrderRequest> = {
      market: instrument.market,
      symbol: instrument.symbol,
      side: spec.side,
      type: spec.isMarket ? 'market' : 'limit',
      timeInForce: spec.timeInForce,
      price: spec.isMarket ? null : instrument.priceText(spec.ticks),
      quantity: instrument.quantityText(spec.lots),
      clientOrderId: clientOrderIdOf(intentId),
    };
    if (instrument.market === 'derivative') {
      request.positionSide = spec.positionSide;
      request.reduceOnly = exits;
    }
    const entry: Mutable<CreateIntentEntry> = {
      kind: 'intent',
      command: 'create',
      intentId,
      strategy: spec.slot.tag,
      ref,
      auto,
      tag: spec.tag,
      origin: spec.origin,
      order: request,
      reduceOnly: spec.reduceOnly,
      postOnly: spec.postOnly,
    };
    if (spec.reduceOnly && !exits) entry.newRisk = true;
    if (spec.partOf !== undefined) entry.partOf = spec.partOf;
    if (spec.parent !== undefined) entry.parent = spec.parent;
    if (spec.leg !== undefined) entry.leg = spec.leg;
    if (spec.shrunk === true) {
      entry.shrunk = true;
      core.counters(spec.slot.tag).shrunk++;
    }
    if (core.deps.explains === true && !exits) entry.risk = core.risk.figures(candidateOf(spec, exits), core.now());
    core.putInstrument(instrument);
    const mid = core.deps.market.mid(instrument.symbol) ?? null;
    const order = core.spine.create(entry, instrument, spec.ticks, spec.lots, mid);
    order.createdWall = core.deps.wall?.() ?? 0;
    if (spec.decidedAt !== undefined) order.decidedAt = spec.decidedAt;
    order.onBars = spec.onBars;
    core.tell(order);
    return order;
  }

  work(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    for (const entry of held) if (!this.#finish(entry)) this.#held.push(entry);
  }

  /** True when done. The time to live also runs in a lane of the venue. */
  #finish({ order, spec, blockers, stopTimer }: Held): boolean {
    if (isClosed(order.progress) || order.progress.sent) {
      stopTimer();
      return true;
    }
    if (order.handed) return false;
    const exits = this.#exits(spec);
    if (!blockers.every((blocker) => isClosed(blocker.progress) || passes(spec, exits, blocker))) return false;
    // New own orders may rest in its way. The timer bounds the repetitions.
    const more = this.blockers(spec);
    if (more.length > 0) {
      this.#dispatcher.cancel(more, false);
      return false;
    }
    const denial = this.judge(spec, { ignoreCanceling: false, except: order });
    if (denial === null) {
      this.#dispatcher.send(order);
      return false;
    }
    stopTimer();
    this.#dispatcher.drop(order, denial);
    return true;
  }

  #expire(order: OwnOrder): void {
    if (order.progress.sent || isClosed(order.progress)) return;
    const why = order.handed
      ? 'no request could leave in time after own orders in its way were cancelled'
      : 'own orders in its way could not be cancelled in time';
    this.#dispatcher.drop(order, denied('expired', `${order.ref}: ${why}`));
  }
}

/** `exits`: no new risk (`risk/exits.ts`). */
function candidateOf(spec: OrderSpec, exits: boolean): Candidate {
  return {
    strategy: spec.slot.tag,
    instrument: spec.instrument,
    side: spec.side,
    isMarket: spec.isMarket,
    ticks: spec.ticks,
    lots: spec.lots,
    positionSide: spec.positionSide,
    reduceOnly: spec.reduceOnly,
    exits,
    origin: spec.origin,
  };
}
