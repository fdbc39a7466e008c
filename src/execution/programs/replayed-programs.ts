/** Order programs of a state replayed from a journal: the steps of their rules while no price is known. */
import type { ProgramUpdate } from '../../model/trading/program.ts';
import type { Prices, Step } from '../../programs/rule.ts';
import { minLotsAt } from '../../risk/normalise.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';
import type { Replay } from '../../spine/replay.ts';
import { bareLots, exitSide } from './protection.ts';
import { armedOf, stepIfAny, updateOf, type ProgramWorld } from './program-view.ts';

type Replayed = Pick<Replay, 'instruments' | 'state'>;

const NO_PRICES: Prices = Object.freeze({
  bid: Number.NaN,
  ask: Number.NaN,
  mid: Number.NaN,
  last: Number.NaN,
  mark: Number.NaN,
});

function worldOf({ state, instruments }: Replayed): ProgramWorld {
  return {
    state,
    instruments,
    now: () => state.lastTs,
    prices: () => NO_PRICES,
    since: () => 0,
    printed: () => 0,
    isStale: () => true,
    isProvedOver: () => true,
    isGivenUp: () => false,
  };
}

/** Undefined for an ended program, or if its rule needs what the journal does not contain. */
function workingStep(replayed: Replayed, program: ProgramState): Step<unknown> | undefined {
  return program.state === 'working' ? stepIfAny(worldOf(replayed), program) : undefined;
}

export function replayedProgram(replayed: Replayed, program: ProgramState): ProgramUpdate {
  return updateOf(worldOf(replayed), program, workingStep(replayed, program));
}

/** Oldest first, ended ones included. */
export function replayedPrograms(replayed: Replayed): readonly ProgramUpdate[] {
  return [...replayed.state.programs.all()].map((program) => replayedProgram(replayed, program));
}

/** Lots of the strategy's positions in the symbol without an exit; 0 if an order could not close them. */
export function replayedBare(replayed: Replayed, strategy: string, symbol: string): number {
  const { state } = replayed;
  const steps = [...state.programs.working].flatMap((program) =>
    program.strategy === strategy && program.symbol === symbol ? (workingStep(replayed, program) ?? []) : [],
  );
  let bare = 0;
  for (const held of state.positions.all()) {
    if (held.strategy !== strategy || held.instrument.symbol !== symbol) continue;
    const covered = steps.reduce((sum, step) => sum + armedOf(step, symbol, exitSide(held.lots)), 0);
    const lots = Math.floor(bareLots(state, held, covered) + 1e-9);
    if (lots >= Math.max(1, minLotsAt(held.instrument.limits, 0))) bare += lots;
  }
  return bare;
}
