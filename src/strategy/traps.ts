/**
 * Determinism of a backtest: while the traps stand, strategy code that uses the time, chance or the outside world gets
 * the session's instead, with a warning, or a typed error (strategy API, "random()"). Installed by the backtest alone;
 * the engine takes time and chance through its ports and is not touched. Other modes install nothing.
 *
 *   const traps = installTraps({ clock, random, warn });
 *   while (clock.step()) if (traps.promisePending) await traps.drain();
 *   traps.remove();
 */
import { trapLocalTime } from './traps/local-time.ts';
import { OutsideWork } from './traps/outside-work.ts';
import { PromiseWatch } from './traps/promises.ts';
import { syncNamedImports, trapRefusedGlobals } from './traps/refused-globals.ts';
import { trapMicrotasks, trapSessionGlobals } from './traps/session-globals.ts';
import { TrapContext, type TrapOptions } from './traps/trap-context.ts';

export type { TrapOptions, TrapWarning } from './traps/trap-context.ts';

export interface Traps {
  /** True when a promise of a strategy was made or settled: `await drain()` before time goes on. Two plain reads. */
  readonly promisePending: boolean;
  drain(): Promise<void>;
  /** Puts every global back. */
  remove(): void;
}

export function installTraps(options: TrapOptions): Traps {
  const context = new TrapContext(options);
  const work = new OutsideWork();
  const promises = new PromiseWatch(work);
  trapSessionGlobals(context);
  trapMicrotasks(context, () => promises.owe());
  trapLocalTime(context);
  trapRefusedGlobals(context);
  promises.start();
  work.start();
  return {
    get promisePending() {
      return promises.pending;
    },
    drain: () => promises.drain(),
    remove: () => {
      work.stop();
      promises.stop();
      context.restore();
      syncNamedImports();
    },
  };
}
