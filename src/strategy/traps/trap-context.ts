/** Attributes trapped calls in a session to the current scope, else by stack. Engine code is never trapped. */
import type { Clock, Random } from '../../model/ports.ts';
import { strategyErrors } from '../errors.ts';
import { shownPath } from '../running/failure.ts';
import { captureStack, locate } from '../loading/location.ts';
import { anyScope, currentScope, inEngine, outside, ownerOf, type StrategyScope } from '../running/scope.ts';
import type { OwnNames } from './shared-objects.ts';
import type { SessionHandler } from './standing-traps.ts';

export interface TrapWarning {
  readonly tag: string;
  /** `Date`, `setTimeout`, `Math.random`. */
  readonly used: string;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
}

export interface TrapOptions {
  readonly clock: Clock;
  /** Seeds `Math.random`, one stream per strategy. */
  readonly random: Random;
  /** New `globalThis` names from loading. */
  readonly ownNames?: OwnNames;
  /** Once per strategy and kind. */
  warn(warning: TrapWarning): void;
}

export class TrapContext implements SessionHandler {
  readonly clock: Clock;
  readonly owe: () => void;
  readonly #options: TrapOptions;
  readonly #warned = new Set<string>();
  readonly #randoms = new WeakMap<StrategyScope, Random>();
  /** Source mapping may read files or time. */
  #looking = false;

  /** `owe`: called when a strategy queues a microtask. */
  constructor(options: TrapOptions, owe: () => void) {
    this.clock = options.clock;
    this.owe = owe;
    this.#options = options;
  }

  caller(): StrategyScope | undefined {
    const scope = currentScope();
    if (scope !== undefined) return this.#looking ? undefined : scope;
    if (inEngine() || this.#looking || !anyScope()) return undefined;
    return this.#look(ownerOf);
  }

  warn(scope: StrategyScope, used: string, instead: string): void {
    const key = `${scope.tag} ${used}`;
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    const place = this.#look((stack) => locate(stack, scope.files));
    const where = place === undefined ? '' : ` at ${shownPath(place.file)}:${place.line}`;
    const message = `${scope.tag}: ${used}${where} ${instead}`;
    const warning = { tag: scope.tag, used, message, file: place?.file ?? null, line: place?.line ?? null };
    outside(() => this.#options.warn(warning));
  }

  refuse(scope: StrategyScope, used: string, why: string): never {
    const error = strategyErrors.make('strategy_nondeterministic', `${used} ${why}`, { used });
    scope.fail(error);
    throw error;
  }

  randomOf(scope: StrategyScope): Random {
    let random = this.#randoms.get(scope);
    if (random === undefined) {
      random = this.#options.random.fork(`Math.random/${scope.tag}`);
      this.#randoms.set(scope, random);
    }
    return random;
  }

  #look<T>(read: (stack: string) => T): T {
    this.#looking = true;
    try {
      return read(captureStack());
    } finally {
      this.#looking = false;
    }
  }
}
