/**
 * `target` by a program (`via: {twap}`, `{chase}`, `{pov}`): what is missing to the target becomes the quantity of one. A
 * newer target of the scope ends the program before, and waits until its orders are proved closed.
 */
import type { TargetAction, TargetProgram } from '../model/action.ts';
import type { Denied } from '../model/deny-reason.ts';
import type { ProgramAction } from '../model/program.ts';
import { isDenied, signedLots } from '../risk/normalise.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { ProgramState } from '../spine/programs/programs.ts';
import type { Core } from './core.ts';
import { childrenOf } from './program-view.ts';
import type { Programs } from './programs.ts';

interface Pending {
  readonly slot: StrategySlot;
  readonly action: TargetAction;
  readonly via: TargetProgram;
  readonly before: ProgramState | undefined;
}

export function programOf({ via }: TargetAction): TargetProgram | undefined {
  if (typeof via !== 'object' || via === null || 'limit' in via) return undefined;
  return via;
}

export class ProgramTargets {
  readonly #core: Core;
  readonly #programs: Programs;
  #pending: readonly Pending[] = [];
  /** Scope → its newest program. */
  readonly #newest = new Map<string, ProgramState>();

  constructor(core: Core, programs: Programs) {
    this.#core = core;
    this.#programs = programs;
  }

  target(slot: StrategySlot, action: TargetAction, via: TargetProgram): void {
    const scope = scopeOf(slot, action);
    this.#pending = this.#pending.filter((each) => scopeOf(each.slot, each.action) !== scope);
    const before = this.#newest.get(scope);
    if (before?.state === 'working') this.#programs.cancel(before.strategy, before.ref);
    const next = { slot, action, via, before };
    if (this.#isOver(before)) this.#start(next);
    else this.#pending = [...this.#pending, next];
  }

  /** Forgets what waits. */
  clear(strategy: string, symbol?: string, tag?: string): void {
    this.#pending = this.#pending.filter(
      ({ slot, action }) =>
        slot.tag !== strategy ||
        (symbol !== undefined && action.symbol !== symbol) ||
        (tag !== undefined && (action.tag ?? slot.tag) !== tag),
    );
  }

  work(): void {
    for (const next of this.#pending) {
      if (!this.#isOver(next.before)) continue;
      this.#pending = this.#pending.filter((each) => each !== next);
      this.#start(next);
    }
  }

  #isOver(program: ProgramState | undefined): boolean {
    return program === undefined || childrenOf(this.#core, program).length === 0;
  }

  #start({ slot, action, via }: Pending): void {
    const core = this.#core;
    const { symbol, positionSide = 'both', tag } = action;
    const deny = (denial: Denied): void => core.deny(slot.tag, 'target', denial, symbol);
    const instrument = core.instrument(symbol);
    if ('reason' in instrument) return deny(instrument);
    const lots = signedLots(instrument, action.quantity);
    if (isDenied(lots)) return deny(lots);
    const missing = lots - core.state.positions.lots(slot.tag, symbol, positionSide);
    const whole = Math.floor(Math.abs(missing) + 1e-9);
    if (whole < instrument.limits.minLots) return undefined;
    const held = core.state.positions.lots(slot.tag, symbol, positionSide);
    const program = {
      ...kindOf(via),
      symbol,
      side: missing > 0 ? 'buy' : 'sell',
      quantity: instrument.quantityText(whole),
      positionSide,
      reduceOnly: held * missing < 0 && whole <= Math.abs(held),
      ...(tag === undefined ? {} : { tag }),
      // One of the three, with the terms of its own.
    } as ProgramAction;
    const begun = this.#programs.start(slot, program);
    if (begun !== undefined) this.#newest.set(scopeOf(slot, action), begun);
    return undefined;
  }
}

function kindOf(via: TargetProgram): object {
  if ('twap' in via) return { kind: 'twap', ...via.twap };
  if ('chase' in via) return { kind: 'chase', ...via.chase };
  return { kind: 'pov', ...via.pov };
}

function scopeOf(slot: StrategySlot, { symbol, positionSide = 'both', tag = slot.tag }: TargetAction): string {
  return `${slot.tag} ${symbol} ${positionSide} ${tag}`;
}
