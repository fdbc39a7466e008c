/**
 * Determinism of a backtest: time, randomness and the outside are the session's, with a warning, or refused. Traps also
 * cover imports, where files keep references.
 *
 *   const { value } = await trapImport({ files, graph }, () => importFresh(file, graph));
 *   const traps = installTraps({ clock, random, warn });
 *   while (clock.step()) if (traps.promisePending) await traps.drain();
 *   const changed = traps.remove();
 */
import { strategyErrors } from './errors.ts';
import { trapFiles } from './traps/file-inputs.ts';
import { ImportHandler, type Importing } from './traps/import-handler.ts';
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
  /** Then `await drain()` before time advances. */
  readonly promisePending: boolean;
  drain(): Promise<void>;
  /** Restores globals; returns changed shared state by name. */
  remove(): readonly string[];
}

/** What a file did during import. */
export interface TrappedImport<T> {
  readonly value: T;
  /** Replaced uses, one sentence a kind, without tag. */
  readonly warnings: readonly string[];
  /** New `globalThis` names; a session restores them. */
  readonly ownNames: OwnNames;
}

const importing = new ImportHandler();
let standing: StandingTraps | undefined;
let shared: SharedObjects | undefined;
/** Not restorable: later strategies are refused. */
let spoilt: readonly string[] = [];

/** Once a thread, as libraries keep references. */
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

/** Returns the changed shared state. */
function lifted(traps: StandingTraps): Restored {
  const replaced = traps.lift();
  syncNamedImports();
  if (traps.isLaid || shared === undefined) return NOTHING;
  const objects = shared;
  // Test runners swap process functions.
  const names = replaced
    .filter(({ target }) => target !== process)
    .map(({ target, name }) => objects.nameOf(target, name));
  const restored = objects.restore();
  const changed = [...names, ...restored.changed];
  if (changed.length > 0 && !objects.isClean) spoilt = changed;
  return { changed, ownNames: restored.ownNames };
}

const NAMED_MAX = 5;

export function sharedState(who: string, changed: readonly string[]): Error {
  const more = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
  const what = `${who} changed ${changed.slice(0, NAMED_MAX).join(', ')}${more}, which all code of the process shares`;
  return strategyErrors.make('strategy_shared_state', what, { changed });
}

/** Changed for good: further loads are refused. */
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

/** A class, as an own getter makes V8 objects slow. */
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
