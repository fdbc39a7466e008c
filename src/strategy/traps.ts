/**
 * Determinism of a backtest: while a session holds the traps, strategy code that uses the time, chance or the outside
 * world gets the session's instead, with a warning, or a typed error (strategy API, "random()"). They lie around the
 * import of its file, too, since what it takes to itself there it keeps. For backtests alone; the engine takes time and
 * chance through its ports and is not touched. Sessions in real time install nothing.
 *
 *   const { value } = await trapImport({ files, graph }, () => importFresh(file, graph));
 *   const traps = installTraps({ clock, random, warn });
 *   while (clock.step()) if (traps.promisePending) await traps.drain();
 *   const changed = traps.remove();
 */
import { strategyErrors } from './errors.ts';
import { trapFiles } from './traps/file-inputs.ts';
import { ImportDesk, type Importing } from './traps/import-desk.ts';
import { trapLocalTime } from './traps/local-time.ts';
import { OutsideWork } from './traps/outside-work.ts';
import { PromiseWatch } from './traps/promises.ts';
import { syncNamedImports, trapRefusedGlobals } from './traps/refused-globals.ts';
import { trapSessionGlobals } from './traps/session-globals.ts';
import { SharedObjects, type OwnNames, type Restored } from './traps/shared-objects.ts';
import { StandingTraps } from './traps/standing-traps.ts';
import { trapSurroundings } from './traps/surroundings.ts';
import { TrapContext, type TrapOptions } from './traps/trap-context.ts';

export type { TrapOptions, TrapWarning } from './traps/trap-context.ts';

export interface Traps {
  /** True when a promise of a strategy was made or settled: `await drain()` before time goes on. Two plain reads. */
  readonly promisePending: boolean;
  drain(): Promise<void>;
  /** Puts every global back. Answers the names of what strategies have changed of what all code of the process shares. */
  remove(): readonly string[];
}

/** What a file did with them while it was imported. */
export interface TrappedImport<T> {
  readonly value: T;
  /** What was used that a backtest replaces, one sentence a kind, without the strategy's tag. */
  readonly warnings: readonly string[];
  /** Names of globalThis that it made; a session of the strategy has them again. */
  readonly ownNames: OwnNames;
}

const importing = new ImportDesk();
let standing: StandingTraps | undefined;
let shared: SharedObjects | undefined;
/** What could not be put back, by name: no strategy after it would run as it does alone. */
let spoilt: readonly string[] = [];

/** Made once a thread: what a library keeps from the first import must be what every later session is asked by. */
function laid(): StandingTraps {
  shared ??= new SharedObjects();
  if (standing === undefined) {
    standing = new StandingTraps(importing);
    trapSessionGlobals(standing);
    trapLocalTime(standing);
    trapSurroundings(standing);
    trapFiles(standing);
    trapRefusedGlobals(standing);
    for (const [trapped, target, name] of standing.functions) shared.watch(trapped, shared.nameOf(target, name));
  }
  if (!standing.isLaid) shared.adopt();
  standing.lay();
  syncNamedImports();
  return standing;
}

const NOTHING: Restored = { changed: [], ownNames: new Map() };

/** Answers what was changed while they lay, of what all code of the thread shares. */
function lifted(traps: StandingTraps): Restored {
  const replaced = traps.lift();
  syncNamedImports();
  if (traps.isLaid || shared === undefined) return NOTHING;
  const objects = shared;
  // A test runner swaps functions of the process while it reports.
  const names = replaced
    .filter(({ target }) => target !== process)
    .map(({ target, name }) => objects.nameOf(target, name));
  const restored = objects.restore();
  const changed = [...names, ...restored.changed];
  if (changed.length > 0 && !objects.isClean) spoilt = changed;
  return { changed, ownNames: restored.ownNames };
}

const NAMED_MAX = 5;

/** Of what a strategy, or several that ran together, changed. */
export function sharedState(who: string, changed: readonly string[]): Error {
  const more = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
  const what = `${who} changed ${changed.slice(0, NAMED_MAX).join(', ')}${more}, which all code of the process shares`;
  return strategyErrors.make('strategy_shared_state', what, { changed });
}

/** A strategy has changed this thread for good: what is loaded in it from now on is refused. */
export function isSpoilt(): boolean {
  return spoilt.length > 0;
}

/**
 * Imports a strategy's file with the traps around it.
 * @throws what `run` throws; strategy_nondeterministic for what was refused, also when the file caught it;
 * strategy_shared_state
 */
export async function trapImport<T>(strategy: Importing, run: () => Promise<T>): Promise<TrappedImport<T>> {
  if (isSpoilt()) throw sharedState('an earlier strategy', spoilt);
  const traps = laid();
  const watch = importing.open(strategy);
  let value: T;
  let restored = NOTHING;
  try {
    value = await run();
    if (watch.refused !== undefined) throw watch.refused;
  } finally {
    importing.close(watch);
    restored = lifted(traps);
  }
  const { changed, ownNames } = restored;
  if (changed.length > 0) throw sharedState(`${[...strategy.files][0]}, or a package that it imports,`, changed);
  return { value, warnings: watch.warnings, ownNames };
}

/** A class: V8 keeps an object with a getter of its own as a slow dictionary, and a backtest asks at each step. */
class InstalledTraps implements Traps {
  readonly #promises: PromiseWatch;
  readonly #lift: () => readonly string[];
  #isRemoved = false;

  constructor(promises: PromiseWatch, lift: () => readonly string[]) {
    this.#promises = promises;
    this.#lift = lift;
  }

  get promisePending(): boolean {
    return this.#promises.pending;
  }

  drain(): Promise<void> {
    return this.#promises.drain();
  }

  remove(): readonly string[] {
    if (this.#isRemoved) return [];
    this.#isRemoved = true;
    return this.#lift();
  }
}

export function installTraps(options: TrapOptions): Traps {
  const work = new OutsideWork();
  const promises = new PromiseWatch(work);
  const context = new TrapContext(options, () => promises.owe());
  const traps = laid();
  for (const [name, property] of options.ownNames ?? []) Reflect.defineProperty(globalThis, name, property);
  traps.begin(context);
  promises.start();
  work.start();
  return new InstalledTraps(promises, () => {
    work.stop();
    promises.stop();
    traps.end(context);
    return lifted(traps).changed;
  });
}
