/**
 * Alarms of programs. After the end of one: held lots without protection, and late fills of its last orders, also in a
 * later process. After a restart: a trigger or a time limit that was passed meanwhile.
 */
import type { UnprotectedAbout } from '../../model/entries/journal.ts';
import { flattenKey } from '../../model/entries/order-entries.ts';
import type { Side } from '../../model/trading/order.ts';
import type { ProgramEnd, TriggerSource } from '../../model/trading/program.ts';
import type { Step } from '../../programs/rule.ts';
import { ruleOf } from '../../programs/rules.ts';
import { priceNow } from '../../programs/trigger.ts';
import { isUnresolved } from '../../spine/orders/order-machine.ts';
import type { HeldPosition } from '../../spine/positions.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';
import type { Core } from '../core.ts';
import { sharedOf } from './program-terms.ts';
import { childrenOf, coverOf, stepIfAny, stepOf, type ProgramWorld } from './program-view.ts';
import { bareLots, exitSide } from './protection.ts';

export class ProgramEnds {
  readonly #core: Core;
  readonly #world: ProgramWorld;
  /** Lots of ended programs that were alarmed. */
  readonly #named = new WeakMap<ProgramState, number>();

  constructor(core: Core, world: ProgramWorld) {
    this.#core = core;
    this.#world = world;
  }

  /** Ends the program. The caller cancels its orders. */
  end(program: ProgramState, wanted: ProgramEnd, why: string): void {
    const core = this.#core;
    const { strategy, ref } = program;
    const held = this.#heldLots(program);
    // It has nothing more to send, but still holds something.
    const isLeft = wanted === 'done' && held > 0;
    const state = isLeft ? 'failed' : wanted;
    const reason = isLeft ? `${why}, and the rest is below the smallest order` : why;
    core.spine.commit({ kind: 'program', event: 'end', strategy, ref, state, reason });
    this.#named.set(program, held);
    // A flatten closes the position, and raises its own alarm if it cannot.
    if (reason === 'flattened') return;
    const bare = held > 0 ? this.#heldLots(program, reason) : 0;
    const beside = this.#bareBeside(program, reason);
    const [about, ...others] = [...(bare > 0 ? [this.#about(program, bare)] : []), ...beside];
    const left = about === undefined ? '' : `; ${about.quantity} of ${about.symbol} are unprotected`;
    if (state === 'failed') core.alarm('program_failed', `${ref} failed: ${reason}${left}`, about);
    else if (about !== undefined) core.alarm('unprotected', `${ref} ended (${reason})${left}`, about);
    for (const other of others)
      core.alarm('unprotected', `${ref} ended; ${other.quantity} of ${other.symbol} are unprotected`, other);
  }

  /** An order of an ended program has changed. */
  changed(program: ProgramState): void {
    const { flattening } = this.#core.state;
    if (program.state === 'done' || flattening.has(flattenKey(program.strategy, program.symbol))) return;
    const held = this.#heldLots(program);
    const known = this.#named.get(program);
    const before = known ?? 0;
    const bare = held > before ? this.#heldLots(program, program.reason ?? '') : 0;
    if (bare > 0) {
      const about = this.#about(program, bare);
      const what = `${about.quantity} of ${about.symbol} are unprotected`;
      const why = known === undefined ? '' : ': an order of it filled after its end';
      this.#core.alarm('unprotected', `${program.ref} has ended; ${what}${why}`, about);
    }
    this.#named.set(program, held);
  }

  #about({ strategy, symbol: own, ref }: ProgramState, lots: number, symbol = own): UnprotectedAbout {
    const quantity = this.#core.deps.instruments.find(symbol)?.quantityText(lots) ?? String(lots);
    return { strategy, symbol, quantity, ref };
  }

  /**
   * Held lots that it protects or protected; 0 if its rule cannot say. `reason`: of its end; then less those that other
   * exits of its strategy close.
   */
  #heldLots(program: ProgramState, reason?: string): number {
    const step = stepIfAny(this.#world, program);
    return step === undefined ? 0 : this.#held(program, program.symbol, (side) => coverOf(step, side), reason);
  }

  #bareBeside(program: ProgramState, reason: string): readonly UnprotectedAbout[] {
    const { beside = [] } = stepIfAny(this.#world, program) ?? {};
    return beside.flatMap(({ symbol, lots }) => {
      const bare = this.#held(program, symbol, () => lots, reason);
      return bare > 0 ? [this.#about(program, bare, symbol)] : [];
    });
  }

  /** Held lots, bounded per position. */
  #held({ strategy }: ProgramState, symbol: string, mostOf: (side: Side) => number, reason?: string): number {
    const lots = this.#core.state.positions
      .all()
      .filter((held) => held.strategy === strategy && held.instrument.symbol === symbol)
      .reduce((sum, held) => {
        const free = Math.abs(held.lots) - (reason === undefined ? 0 : this.#closedElsewhere(held, reason));
        return sum + Math.max(0, Math.min(free, mostOf(exitSide(held.lots))));
      }, 0);
    return Math.floor(lots);
  }

  /** Lots of the position that other exits of its strategy close. A command may end those too. */
  #closedElsewhere(held: HeldPosition, reason: string): number {
    if (reason === 'killed' || reason === 'stopped') return 0;
    const { state } = this.#core;
    const { strategy, instrument, lots } = held;
    let covered = 0;
    for (const other of state.programs.working) {
      if (other.strategy !== strategy || other.symbol !== instrument.symbol) continue;
      const step = stepIfAny(this.#world, other);
      if (step !== undefined) covered += coverOf(step, exitSide(lots));
    }
    return reason === 'canceled' ? covered : Math.abs(lots) - bareLots(state, held, covered);
  }
}

/**
 * Reports by how much a trigger or a time limit was passed while no session ran. `now`: its current step; `since`: Unix
 * ms at which this process began to follow it. False: no price yet.
 */
export function sayLate(
  core: Core,
  world: ProgramWorld,
  program: ProgramState,
  now: Step<unknown>,
  since: number,
): boolean {
  const { ref, symbol } = program;
  const { trigger, wants, data, leftAt } = stepOf(world, program, true);
  if (leftAt !== undefined && leftAt < since && wants.length > 0 && data !== program.data) {
    const late = ((core.now() - leftAt) / 1000).toFixed(1);
    core.alarm('exit_late', `${ref} leaves ${late} s after its time limit, which passed while no session ran`);
    return true;
  }
  const instrument = core.deps.instruments.find(symbol);
  if (instrument === undefined || Number.isNaN(world.prices(instrument, program).mid) || world.isStale(symbol))
    return false;
  const side = now.data === data ? undefined : leavingSide(now);
  // A fill that is not booked yet may still arm the trigger.
  if (trigger === undefined && mayHoldMore(core, world, program, since)) return false;
  if (trigger === undefined || side === undefined || wants.some(({ ticks }) => ticks === 0)) return true;
  const price = priceNow(world.prices(instrument, program), sourceOf(program), side);
  const beyond = instrument.priceText(Math.round(Math.abs(price - trigger)));
  const at = instrument.priceText(Math.round(trigger));
  core.alarm('exit_late', `${ref} fires ${beyond} beyond its trigger ${at}, which was passed while no session ran`);
  return true;
}

/** At market, or once what rests is cancelled. */
function leavingSide({ wants, trigger, held = 0 }: Step<unknown>): Side | undefined {
  const exit = wants.find(({ ticks }) => ticks === 0);
  const isClearing = wants.length === 0 && held !== 0 && trigger === undefined;
  return exit?.side ?? (isClearing ? exitSide(held) : undefined);
}

/** What its trigger looks at. */
function sourceOf(program: ProgramState): TriggerSource {
  const { source } = ruleOf(program.kind).hears(sharedOf(program).terms, program.symbol).at(-1) ?? {};
  return source === undefined || source === 'printed' ? 'mid' : source;
}

function mayHoldMore(core: Core, world: ProgramWorld, program: ProgramState, since: number): boolean {
  const children = childrenOf(world, program);
  const { historyLagMs } = core.deps.options.reconcile;
  if (core.isCompared && core.state.heard.comparedFrom < since + historyLagMs) return children.length > 0;
  return children.some(
    ({ order: { progress } }) => isUnresolved(progress) || progress.reportedLots > progress.fillLots,
  );
}
