/** A call that would end the process, such as `process.exit`, stops the strategy that made it alone, in every mode. */
import type { Cancel } from '../../model/ports.ts';
import { strategyErrors } from '../errors.ts';
import { captureStack } from '../loading/location.ts';
import { currentScope, inEngine, ownerOf, type StrategyScope } from '../running/scope.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Fail = Pick<StrategyScope, 'fail'>;

/** Not `reallyExit`: the supervisor uses it to end a process whose strategy blocks. */
const NAMES = ['abort', 'exit', 'kill'];

/** `caller`: who is stopped; undefined where the call is the engine's. */
export function endings(caller: () => Fail | undefined): readonly (readonly [name: string, trapped: AnyFunction])[] {
  return NAMES.map((name) => {
    const real = Reflect.get(process, name) as AnyFunction;
    const trapped: AnyFunction = function trapped(this: unknown, ...args) {
      const strategy = caller();
      if (strategy === undefined) return Reflect.apply(real, this, args);
      const error = strategyErrors.make('strategy_ends_process', `process.${name}() would end the process`);
      // Also where the strategy catches it.
      strategy.fail(error);
      throw error;
    };
    return [name, Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real))] as const;
  });
}

function laid(caller: () => Fail | undefined): Cancel {
  const undo = endings(caller).map(([name, trapped]) => {
    const real: unknown = Reflect.get(process, name);
    Reflect.set(process, name, trapped);
    return () => {
      if (Reflect.get(process, name) === trapped) Reflect.set(process, name, real);
    };
  });
  return () => {
    for (const put of undo) put();
  };
}

function runningStrategy(): StrategyScope | undefined {
  return currentScope() ?? (inEngine() ? undefined : ownerOf(captureStack()));
}

/** While a session runs in real time. */
export function keepProcess(): Cancel {
  return laid(runningStrategy);
}

/** Around an import in real time. `isOwn`: whether a stack is of the strategy. Throws also what the file caught. */
export async function keepProcessAtImport<T>(isOwn: (stack: string) => boolean, run: () => Promise<T>): Promise<T> {
  let refused: unknown;
  const fail = (error: unknown): void => void (refused ??= error);
  const put = laid(() => (isOwn(captureStack()) ? { fail } : undefined));
  try {
    const value = await run();
    if (refused !== undefined) throw refused;
    return value;
  } finally {
    put();
  }
}
