/**
 * What a program leaves when it ends: held lots that nothing protects any more. An order that was on its way out may still
 * fill after the end, also in a later process; what that brings is named, too.
 */
import type { ProgramEnd } from '../model/program.ts';
import { ruleOf } from '../programs/rules.ts';
import type { ProgramState } from '../spine/programs/programs.ts';
import type { Core } from './core.ts';
import { childrenOf, coverOf, viewOf, type ViewSources } from './program-view.ts';
import { exitSide } from './protection.ts';

export class ProgramEnds {
  readonly #core: Core;
  readonly #sources: ViewSources;
  /** Lots that were named, of ended programs whose orders are not proved closed. */
  readonly #named = new Map<ProgramState, number>();

  constructor(core: Core, sources: ViewSources) {
    this.#core = core;
    this.#sources = sources;
  }

  /** Ends it; its orders are for the caller. */
  end(program: ProgramState, state: ProgramEnd, reason: string): void {
    const core = this.#core;
    const { strategy, ref } = program;
    const bare = state === 'done' ? 0 : this.#bareLots(program);
    core.spine.commit({ kind: 'program', event: 'end', strategy, ref, state, reason });
    this.#keep(program, bare);
    // A flatten closes what is held, and rings where it cannot.
    if (reason === 'flattened') return;
    const left = bare > 0 ? `; ${this.#about(program, bare).quantity} of ${program.symbol} are unprotected` : '';
    const about = bare > 0 ? this.#about(program, bare) : undefined;
    if (state === 'failed') core.alarm('program_failed', `${ref} failed: ${reason}${left}`, about);
    else if (bare > 0) core.alarm('unprotected', `${ref} ended (${reason})${left}`, about);
  }

  /** An order of an ended program has changed. */
  changed(program: ProgramState): void {
    if (program.state === 'done') return;
    const bare = this.#bareLots(program);
    const before = this.#named.get(program) ?? 0;
    if (bare > before) {
      const about = this.#about(program, bare);
      const what = `${about.quantity} of ${about.symbol} are unprotected: an order of it filled after its end`;
      this.#core.alarm('unprotected', `${program.ref} has ended; ${what}`, about);
    }
    this.#keep(program, bare);
  }

  /** Once all its orders are closed nothing more can come. */
  #keep(program: ProgramState, bare: number): void {
    if (childrenOf(this.#core, program).length > 0) this.#named.set(program, bare);
    else this.#named.delete(program);
  }

  #about({ strategy, symbol, ref }: ProgramState, lots: number) {
    const quantity = this.#core.deps.instruments.find(symbol)?.quantityText(lots) ?? String(lots);
    return { strategy, symbol, quantity, ref };
  }

  /** Held lots that it protects or protected; 0 where its rule cannot say. */
  #bareLots(program: ProgramState): number {
    const { strategy, symbol } = program;
    try {
      const step = ruleOf(program.kind).step(viewOf(this.#sources, program));
      const lots = this.#core.state.positions
        .all()
        .filter((held) => held.strategy === strategy && held.instrument.symbol === symbol)
        .reduce((sum, held) => sum + Math.min(Math.abs(held.lots), coverOf(step, exitSide(held.lots))), 0);
      return Math.floor(lots);
    } catch {
      return 0;
    }
  }
}
