/**
 * Determinism of a backtest: while a session holds the traps, strategy code that uses the time, chance or the outside
 * world gets the session's instead, with a warning, or a typed error (strategy API, "random()"). They lie around the
 * import of its file, too, since what it takes to itself there it keeps. For backtests alone; the engine takes time and
 * chance through its ports and is not touched. Sessions in real time install nothing.
 *
 *   const { value } = await trapImport(files, () => import(file));
 *   const traps = installTraps({ clock, random, warn });
 *   while (clock.step()) if (traps.promisePending) await traps.drain();
 *   traps.remove();
 */
import { ImportDesk } from './traps/import-desk.ts';
import { trapLocalTime } from './traps/local-time.ts';
import { OutsideWork } from './traps/outside-work.ts';
import { PromiseWatch } from './traps/promises.ts';
import { syncNamedImports, trapRefusedGlobals } from './traps/refused-globals.ts';
import { trapSessionGlobals } from './traps/session-globals.ts';
import { StandingTraps } from './traps/standing-traps.ts';
import { TrapContext, type TrapOptions } from './traps/trap-context.ts';

export type { TrapOptions, TrapWarning } from './traps/trap-context.ts';

export interface Traps {
  /** True when a promise of a strategy was made or settled: `await drain()` before time goes on. Two plain reads. */
  readonly promisePending: boolean;
  drain(): Promise<void>;
  /** Puts every global back. */
  remove(): void;
}

/** What a file did with them while it was imported. */
export interface TrappedImport<T> {
  readonly value: T;
  /** What was used that a backtest replaces, one sentence a kind, without the strategy's tag. */
  readonly warnings: readonly string[];
}

const importing = new ImportDesk();
let standing: StandingTraps | undefined;

/** Made once a thread: what a library keeps from the first import must be what every later session is asked by. */
function laid(): StandingTraps {
  if (standing === undefined) {
    standing = new StandingTraps(importing);
    trapSessionGlobals(standing);
    trapLocalTime(standing);
    trapRefusedGlobals(standing);
  }
  standing.lay();
  syncNamedImports();
  return standing;
}

function lifted(traps: StandingTraps): void {
  traps.lift();
  syncNamedImports();
}

/**
 * Imports a strategy's file with the traps around it.
 * @param files absolute paths of the strategy's file and of its own that it imports
 * @throws what `run` throws; strategy_nondeterministic for what was refused, also when the file caught it
 */
export async function trapImport<T>(files: ReadonlySet<string>, run: () => Promise<T>): Promise<TrappedImport<T>> {
  const traps = laid();
  const watch = importing.open(files);
  try {
    const value = await run();
    if (watch.refused !== undefined) throw watch.refused;
    return { value, warnings: watch.warnings };
  } finally {
    importing.close(watch);
    lifted(traps);
  }
}

export function installTraps(options: TrapOptions): Traps {
  const work = new OutsideWork();
  const promises = new PromiseWatch(work);
  const context = new TrapContext(options, () => promises.owe());
  const traps = laid();
  let isRemoved = false;
  traps.begin(context);
  promises.start();
  work.start();
  return {
    get promisePending() {
      return promises.pending;
    },
    drain: () => promises.drain(),
    remove: () => {
      if (isRemoved) return;
      isRemoved = true;
      work.stop();
      promises.stop();
      traps.end(context);
      lifted(traps);
    },
  };
}
