/**
 * Who called a trapped global, and what becomes of it. In a strategy's scope it is that strategy; outside of any scope
 * the stack is asked, since code after an `await` runs there; engine code, also when a strategy called it, is never
 * trapped. Patches are undone in reverse order.
 */
import type { Clock, Random } from '../../model/ports.ts';
import { strategyErrors } from '../errors.ts';
import { shownPath } from '../failure.ts';
import { captureStack, locate } from '../location.ts';
import { anyScope, currentScope, inEngine, outside, ownerOf, type StrategyScope } from '../scope.ts';

export interface TrapWarning {
  readonly tag: string;
  /** What was used: `Date`, `setTimeout`, `Math.random`. */
  readonly used: string;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
}

export interface TrapOptions {
  readonly clock: Clock;
  /** Seeds `Math.random`; each strategy has a stream of its own. */
  readonly random: Random;
  /** Once per strategy and kind. */
  warn(warning: TrapWarning): void;
}

export class TrapContext {
  readonly clock: Clock;
  readonly #options: TrapOptions;
  readonly #undo: (() => void)[] = [];
  readonly #warned = new Set<string>();
  readonly #randoms = new WeakMap<StrategyScope, Random>();
  /** Taking a stack may itself read files or the time, where a tool maps sources. */
  #looking = false;

  constructor(options: TrapOptions) {
    this.clock = options.clock;
    this.#options = options;
  }

  /** The strategy that called, or undefined when the caller is not a strategy. */
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

  /** Stops the strategy, also when it catches what is thrown. */
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

  /** Sets a property for as long as the traps stand. Answers false when the property cannot be set. */
  patch(target: object, name: PropertyKey, value: unknown): boolean {
    const before = Object.getOwnPropertyDescriptor(target, name);
    const configurable = before?.configurable ?? true;
    return this.#define(target, name, { value, writable: true, configurable, enumerable: before?.enumerable ?? true });
  }

  /** The same for a property that is computed when it is read. */
  patchGetter(target: object, name: PropertyKey, get: (this: unknown) => unknown): boolean {
    return this.#define(target, name, { get, configurable: true, enumerable: false });
  }

  #define(target: object, name: PropertyKey, patched: PropertyDescriptor): boolean {
    const before = Object.getOwnPropertyDescriptor(target, name);
    if (before !== undefined && before.configurable !== true && before.writable !== true) return false;
    if (before === undefined && !Object.isExtensible(target)) return false;
    Object.defineProperty(target, name, patched);
    this.#undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, before);
    });
    return true;
  }

  restore(): void {
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo();
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
