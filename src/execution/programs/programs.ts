/**
 * Order programs: starts, wakes and ends them. A program runs when it starts, when one of its orders changes, at each
 * price event that it follows, and at its due time. Its rule (`programs/`) says which orders should work.
 */
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { Side } from '../../model/trading/order.ts';
import type { ArmedStop, ProgramAction, ProgramUpdate } from '../../model/trading/program.ts';
import { messageOf } from '../../model/errors.ts';
import { plainJson } from '../../model/text/canonical.ts';
import type { ProgramOver, Step } from '../../programs/rule.ts';
import { ruleOf } from '../../programs/rules.ts';
import { parsed } from '../../programs/terms.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import { startedBy, type ProgramState } from '../../spine/programs/programs.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { Placement } from '../rules/placement.ts';
import { ProgramEnds, sayLate } from './program-alarms.ts';
import { ProgramOrders } from './program-orders.ts';
import { ProgramPrices } from './program-prices.ts';
import { ProgramWakes } from './program-wakes.ts';
import {
  gridsOf,
  hedgeDenial,
  isHedged,
  movedGrid,
  sharedOf,
  sharedTerms,
  symbolsOf,
  termsFrom,
  touches,
  withoutEntries,
  type Asked,
} from './program-terms.ts';
import { armedOf, atBest, childrenOf, stepOf, updateOf, type FiredAtOpen, type ProgramWorld } from './program-view.ts';

/** Changes of its data within one run. More show a rule that does not progress. */
const STEPS_MAX = 100;

/** Working programs of one strategy. */
const WORKING_MAX = 1_000;

interface Followed extends FiredAtOpen {
  /** Unix ms. */
  readonly since: number;
  /** Continued from an earlier process, until its first fresh price. */
  isResumed: boolean;
  isStaleSaid: boolean;
  /** Lots printed before this program began to follow the symbol. */
  readonly printedBefore: number;
  /** The same without own ones. */
  readonly volumeBefore: number;
}

export class Programs {
  readonly #core: Core;
  readonly #orders: ProgramOrders;
  readonly #prices: ProgramPrices;
  readonly #world: ProgramWorld;
  readonly #wakes: ProgramWakes;
  readonly #ends: ProgramEnds;
  readonly #asked: Asked;
  /** Working programs whose strategy runs. */
  readonly #followed = new Map<ProgramState, Followed>();
  readonly #flatten: (slot: StrategySlot, symbol: string) => void;

  constructor(
    core: Core,
    dispatcher: Dispatcher,
    placement: Placement,
    flatten: (slot: StrategySlot, symbol: string) => void,
  ) {
    this.#core = core;
    this.#flatten = flatten;
    this.#wakes = new ProgramWakes(core.deps.clock, (program) => core.turn.run(() => this.#run(program)));
    this.#orders = new ProgramOrders(core, dispatcher, placement, (tag, symbol) => this.#heldBy(tag, symbol));
    this.#prices = new ProgramPrices(core.deps.market, (symbol) => this.#onPrice(symbol));
    this.#world = {
      get state() {
        return core.state;
      },
      instruments: core.deps.instruments,
      now: () => core.now(),
      prices: (instrument, program) => this.#prices.of(instrument, this.#followed.get(program)?.printedBefore),
      since: (program) => this.#followed.get(program)?.since ?? 0,
      printed: (program) => this.#prices.volume(program.symbol) - (this.#followed.get(program)?.volumeBefore ?? 0),
      isStale: (symbol) => this.#staleBecause(symbol) !== null,
      isProvedOver: (order) => core.isProvedOver(order),
      isGivenUp: (program, leg) => this.#orders.isGivenUp(program, leg),
    };
    this.#ends = new ProgramEnds(core, this.#world);
    this.#asked = {
      prices: (instrument) => this.#prices.of(instrument),
      works: (tag, symbol) =>
        [...this.#followed.keys()].some((program) => program.strategy === tag && touches(program, symbol)),
      entered: (tag, symbol) => this.#heldBy(tag, symbol),
    };
  }

  /** `scope`: of the target that it reaches. Undefined when denied. */
  start(slot: StrategySlot, action: ProgramAction, scope?: string): ProgramState | undefined {
    const core = this.#core;
    const { tag: strategy, name } = slot;
    const { state } = core;
    const { refs } = state;
    const { ref: chosen } = action;
    if (chosen !== undefined && !refs.choose(strategy, name, chosen)) {
      const reason = denied('duplicate_ref', `ref "${chosen}" was used before by ${strategy}`, 'ref');
      core.deny(strategy, action.kind, reason, undefined, chosen);
      return undefined;
    }
    const ref = chosen ?? refs.next(strategy, `${name}-${action.kind}`);
    const denial = this.#begin(slot, action, ref, scope);
    if (denial !== null) core.deny(strategy, action.kind, denial, symbolsOf(action)[0], ref, chosen === undefined);
    return state.programs.of(strategy, ref);
  }

  /** Undefined: the strategy has no such program. False: it had ended. */
  cancel(strategy: string, ref: string): boolean | undefined {
    const program = this.#core.state.programs.of(strategy, ref);
    if (program === undefined) return undefined;
    if (program.state !== 'working') return false;
    this.#end(program, { state: 'canceled', reason: 'canceled' });
    return true;
  }

  /** Ends the programs of a strategy, in one symbol or with one tag. */
  end(strategy: string, reason: string, symbol?: string, tag?: string): void {
    for (const program of this.#core.state.programs.working) {
      if (program.strategy !== strategy || (symbol !== undefined && !touches(program, symbol))) continue;
      if (tag === undefined || program.tag === tag) this.#end(program, { state: 'canceled', reason });
    }
  }

  /** Continues the programs of an earlier process. */
  goOn({ tag }: StrategySlot): void {
    for (const program of this.#core.state.programs.working) {
      if (program.strategy !== tag || this.#followed.has(program)) continue;
      this.#follow(program, true);
      this.#run(program);
    }
  }

  /** Unsubscribes and stops timers. The programs stay as they are. */
  leave(strategy: string): void {
    for (const program of this.#followed.keys()) if (program.strategy === strategy) this.#unfollow(program);
  }

  work(): void {
    const { programs, taken } = this.#core.news;
    for (const [symbol, lots] of taken) this.#prices.took(symbol, lots);
    taken.clear();
    if (programs.size === 0) return;
    for (const key of programs) {
      programs.delete(key);
      const program = this.#core.state.programs.at(key);
      if (program !== undefined) this.#changed(program);
    }
  }

  /** One of its orders has changed. */
  #changed(program: ProgramState): void {
    if (program.state === 'working') {
      this.#run(program);
      if (program.state !== 'working' || !this.#followed.has(program)) return;
    } else this.#ends.changed(program);
    this.#tell(program);
  }

  /** Call about once a second, because prices that become stale make no event. */
  look(): void {
    const core = this.#core;
    for (const [program, followed] of this.#followed) {
      const why = this.#staleBecause(program.symbol);
      if (why === null) {
        if (followed.isStaleSaid) this.#run(program);
        followed.isStaleSaid = false;
        continue;
      }
      const { covers = 0 } = stepOf(this.#world, program);
      if (covers <= 0 || followed.isStaleSaid) continue;
      followed.isStaleSaid = true;
      core.alarm('program_stale', `${program.ref} cannot fire: ${why}`);
      const slot = core.slots.get(program.strategy);
      if (sharedOf(program).onStale !== 'exit' || slot === undefined) continue;
      // The price is unknown: the strategy leaves the symbol at market.
      this.#end(program, { state: 'canceled', reason: 'stale' });
      this.#flatten(slot, program.symbol);
    }
  }

  #staleBecause(symbol: string): string | null {
    const { gates, deps } = this.#core;
    return gates.staleBecause(symbol) ?? deps.staleBecause?.(symbol) ?? null;
  }

  /** All programs, or one strategy's working ones. */
  list(workingOf?: string): readonly ProgramUpdate[] {
    const { programs } = this.#core.state;
    if (workingOf === undefined) return [...programs.all()].map((program) => this.update(program));
    return [...programs.working].filter(({ strategy }) => strategy === workingOf).map((one) => this.update(one));
  }

  update(program: ProgramState): ProgramUpdate {
    const isFollowed = program.state === 'working' && this.#followed.has(program);
    return updateOf(this.#world, program, isFollowed ? stepOf(this.#world, program) : undefined);
  }

  /** Lots of the strategy's position in the symbol for which programs have an exit. `side`: of the exits. */
  covered(strategy: string, symbol: string, side: Side): number {
    return this.#sum(strategy, symbol, (step) => armedOf(step, symbol, side));
  }

  /** Of all strategies. */
  stops(of: string): readonly ArmedStop[] {
    if (this.#followed.size === 0) return [];
    const here = [...this.#followed.keys()].filter(({ symbol }) => symbol === of);
    return here.flatMap((program) => {
      const [{ trigger: ticks, covers: lots = 0, closes }, { strategy, ref }] = [stepOf(this.#world, program), program];
      return ticks === undefined || lots <= 0 ? [] : [{ strategy, program: ref, ticks, lots, closes }];
    });
  }

  /** Signed lots. */
  #heldBy(strategy: string, symbol: string): number {
    return this.#sum(strategy, symbol, ({ held = 0 }) => held);
  }

  #sum(strategy: string, symbol: string, lotsOf: (step: Step<unknown>) => number): number {
    let lots = 0;
    for (const program of this.#followed.keys())
      if (program.strategy === strategy && program.symbol === symbol) lots += lotsOf(stepOf(this.#world, program));
    return lots;
  }

  #begin(slot: StrategySlot, action: ProgramAction, ref: string, scope: string | undefined): Denied | null {
    const core = this.#core;
    const { tag: strategy } = slot;
    const { state } = core;
    if (state.stopping.has(strategy)) return denied('stopping', `${strategy} is stopping`);
    if (core.kill.on) return denied('killed', 'the kill switch is on');
    if (this.#followed.size >= WORKING_MAX)
      return denied('max_open_orders', `${strategy}: ${WORKING_MAX} programs work already`);
    const shared = parsed(() => sharedTerms(action));
    if ('reason' in shared) return shared;
    const rule = ruleOf(action.kind);
    const { deps } = core;
    for (const symbol of symbolsOf(action)) {
      const instrument = deps.instruments.find(symbol);
      if (instrument !== undefined) this.#prices.follow(instrument, 'bid-ask');
    }
    const read =
      hedgeDenial(action, (symbol) => isHedged(core, symbol)) ??
      parsed(() => rule.parse(action, termsFrom(core, this.#asked, strategy)));
    if ('reason' in read) {
      this.#unfollowUnused();
      return read;
    }
    const { symbol, spec, data, remark } = read;
    const grids = gridsOf(deps.instruments, [...symbolsOf(action), symbol]);
    const entry = {
      kind: 'program',
      event: 'start',
      strategy,
      ref,
      auto: action.ref === undefined,
      tag: action.tag ?? strategy,
      program: action.kind,
      symbol,
      spec: plainJson({ ...shared, grids, terms: spec, ...(scope === undefined ? {} : { scope }) }),
      data: plainJson(data),
    } as const;
    const program = startedBy(entry, core.now());
    const denial = this.#orders.denialAtStart(slot, program, stepOf(this.#world, program));
    if (denial !== null) {
      this.#unfollowUnused();
      return denial;
    }
    // The terms must be readable from the journal alone, even before any order.
    for (const name of new Set([symbol, ...rule.hears(spec, symbol).map((heard) => heard.symbol)])) {
      const instrument = deps.instruments.find(name);
      if (instrument !== undefined) core.putInstrument(instrument);
    }
    core.spine.commit(entry);
    const begun = state.programs.of(strategy, ref);
    if (begun === undefined) return null;
    if (remark !== undefined) core.note(strategy, `${ref}: ${remark}`);
    this.#follow(begun, false);
    this.#run(begun);
    this.#tell(begun);
    return null;
  }

  /** A rule that throws ends only its own program. */
  #run(program: ProgramState): void {
    if (program.state !== 'working' || !this.#followed.has(program)) return;
    try {
      this.#look(program);
    } catch (thrown) {
      this.#end(program, { state: 'failed', reason: messageOf(thrown) });
    }
  }

  #look(program: ProgramState): void {
    const core = this.#core;
    const slot = core.slots.get(program.strategy);
    if (slot === undefined || (core.state.stopping.get(program.strategy) ?? 'leave') !== 'leave') return;
    const doubt = this.#doubt(program);
    if (doubt !== undefined) return this.#end(program, { state: 'failed', reason: doubt });
    const { expire } = sharedOf(program);
    const expiresAt = program.startedAt + expire;
    const isExpired = expire > 0 && core.now() >= expiresAt;
    const settled = this.#settle(program);
    const legs = isExpired ? childrenOf(core, program).map(({ leg }) => leg) : [];
    const wanted = isExpired ? withoutEntries(program, settled, legs) : settled;
    const followed = this.#followed.get(program);
    const step = followed === undefined ? wanted : atBest(followed, wanted, this.#prices.open(program.symbol));
    if (step.end !== undefined) return this.#end(program, step.end);
    const { retryAt = Infinity, end } = this.#orders.bring(slot, program, step);
    if (end !== undefined) return this.#end(program, end);
    const endsAt = expire > 0 && !isExpired ? expiresAt : Infinity;
    this.#wakes.at(program, Math.min(retryAt, step.wakeAt ?? Infinity, endsAt));
  }

  /** Why its data are void (docs/fault-model.md, class B). */
  #doubt(program: ProgramState): string | undefined {
    const { restored, acknowledgedAt } = this.#core.state;
    if (restored !== undefined || acknowledgedAt >= program.startedAt)
      return 'the journal has lost rows, so the fills of its orders are unknown';
    const moved = movedGrid(this.#core.deps.instruments, sharedOf(program));
    return moved === undefined ? undefined : `the exchange has changed the steps of ${moved}`;
  }

  /** Steps until the data stop changing. Each change is an entry. */
  #settle(program: ProgramState): Step<unknown> {
    for (let round = 0; ; round++) {
      if (round > STEPS_MAX) throw new RangeError(`the steps of program ${program.ref} never come to an end`);
      const step = stepOf(this.#world, program);
      const followed = this.#followed.get(program);
      if (followed?.isResumed === true)
        followed.isResumed = !sayLate(this.#core, this.#world, program, step, followed.since);
      if (step.data === program.data) return step;
      const { strategy, ref } = program;
      this.#core.spine.commit({ kind: 'program', event: 'step', strategy, ref, data: plainJson(step.data) });
      this.#tell(program);
    }
  }

  #end(program: ProgramState, { state, reason }: ProgramOver): void {
    this.#ends.end(program, state, reason);
    this.#unfollow(program);
    this.#orders.cancelAll(program);
    this.#tell(program);
    this.#core.workWanted = true;
  }

  #follow(program: ProgramState, isResumed: boolean): void {
    this.#followed.set(program, {
      since: this.#core.now(),
      isResumed,
      isStaleSaid: false,
      printedBefore: this.#prices.printed(program.symbol),
      volumeBefore: this.#prices.volume(program.symbol),
      firedAtOpen: undefined,
    });
    for (const { symbol, source } of ruleOf(program.kind).hears(sharedOf(program).terms, program.symbol)) {
      const instrument = this.#core.deps.instruments.find(symbol);
      if (instrument !== undefined) this.#prices.follow(instrument, source);
    }
  }

  #unfollow(program: ProgramState): void {
    this.#followed.delete(program);
    this.#wakes.stop(program);
    this.#unfollowUnused();
  }

  #unfollowUnused(): void {
    const followed = [...this.#followed.keys()];
    const unused = this.#prices.followed.filter((symbol) => !followed.some((program) => touches(program, symbol)));
    for (const symbol of unused) this.#prices.unfollow(symbol);
  }

  #onPrice(symbol: string): void {
    if (this.#followed.size === 0) return;
    this.#core.turn.run(() => {
      for (const program of this.#followed.keys()) if (touches(program, symbol)) this.#run(program);
    });
  }

  #tell(program: ProgramState): void {
    const { turn } = this.#core;
    if (!turn.heard) return;
    turn.emit({ kind: 'program', strategy: program.strategy, program: this.update(program) });
  }
}
