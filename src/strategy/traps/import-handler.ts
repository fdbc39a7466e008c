/**
 * Strategy files during import, before clock and seed exist. `Date` is 1970 and `Math.random` fixed, with a warning.
 * Reading files is allowed.
 *
 * The caller is the innermost stack frame in a file or package of the strategy.
 */
import { Subscription } from 'rxjs';
import type { Random } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import { strategyErrors } from '../errors.ts';
import { shownPath } from '../running/failure.ts';
import { captureStack, framesOf, type SourceLocation } from '../loading/location.ts';
import type { ModuleGraph } from '../inputs/module-graph.ts';
import { inEngine, type StrategyScope } from '../running/scope.ts';
import type { TrapHandler } from './trap-handler.ts';

const OWN_FOLDER = new URL('../', import.meta.url).pathname;

const INSTEAD: Readonly<Record<string, string>> = {
  Date: 'says 1970 while the file is loaded, before there is a session; clock.now() in setup says the time',
  'Math.random':
    'gives the same numbers in every run while the file is loaded, before there is a session; use random() of the context',
};

/** Outside these files, the language and `promisify`. */
export function callerIn(stack: string): SourceLocation | undefined {
  for (const line of stack.split('\n').slice(1)) {
    if (/\(node:|at (?:async )?node:/.test(line) && !line.includes('node:internal/util:')) return undefined;
    const [frame] = framesOf(line);
    if (frame !== undefined && !frame.file.startsWith(OWN_FOLDER)) return frame;
  }
  return undefined;
}

/** A strategy that is to be imported. */
export interface Importing {
  /** Absolute paths of its file and local imports. */
  readonly files: ReadonlySet<string>;
  readonly graph: ModuleGraph;
}

export class ImportWatch {
  readonly scope: StrategyScope;
  readonly random: Random = seededRandom(0);
  readonly #warnings = new Map<string, string>();
  /** Also when the file caught it. */
  refused: Error | undefined;

  constructor({ files, graph }: Importing) {
    this.scope = {
      tag: '',
      files,
      modules: graph.files,
      inputs: graph.inputs,
      lifetime: new Subscription(),
      allowAsync: false,
      eventName: 'import',
      eventValue: undefined,
      closed: false,
      fail: (thrown) => {
        if (thrown instanceof Error) this.refused ??= thrown;
      },
    };
  }

  /** One sentence per kind used, without tag. */
  get warnings(): readonly string[] {
    return [...this.#warnings.values()];
  }

  warn(used: string, instead: string, place: SourceLocation | undefined): void {
    if (this.#warnings.has(used)) return;
    const where = place === undefined ? '' : ` at ${shownPath(place.file)}:${place.line}`;
    this.#warnings.set(used, `${used}${where} ${INSTEAD[used] ?? instead}`);
  }
}

export class ImportHandler implements TrapHandler {
  readonly clock = undefined;
  readonly #watches = new Map<StrategyScope, ImportWatch>();
  /** Source mapping may read the time. */
  #looking = false;
  #place: SourceLocation | undefined;

  get isIdle(): boolean {
    return this.#watches.size === 0;
  }

  open(importing: Importing): ImportWatch {
    const watch = new ImportWatch(importing);
    this.#watches.set(watch.scope, watch);
    return watch;
  }

  close({ scope }: ImportWatch): void {
    this.#watches.delete(scope);
  }

  caller(): StrategyScope | undefined {
    if (this.#looking || inEngine()) return undefined;
    this.#looking = true;
    try {
      const place = callerIn(captureStack());
      this.#place = place;
      if (place === undefined) return undefined;
      return [...this.#watches.keys()].find(({ files, modules }) => (modules ?? files).has(place.file));
    } finally {
      this.#looking = false;
    }
  }

  warn(scope: StrategyScope, used: string, instead: string): void {
    this.#watches.get(scope)?.warn(used, instead, this.#place);
  }

  refuse(scope: StrategyScope, used: string, why: string): never {
    const error = strategyErrors.make('strategy_nondeterministic', `${used} ${why}`, { used });
    scope.fail(error);
    throw error;
  }

  randomOf(scope: StrategyScope): Random {
    return this.#watches.get(scope)?.random ?? seededRandom(0);
  }
}
