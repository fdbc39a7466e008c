/** When a backtest checks for positions without an exit: a second after each event of the executor, until the alarm. */
import type { Executor } from '../../execution/executor.ts';
import type { Cancel, Clock } from '../../model/ports.ts';

const LOOK_MS = 1_000;

export function lookAtProtection(
  executor: Pick<Executor, 'listen' | 'lookAtProtection'>,
  clock: Pick<Clock, 'after'>,
): Cancel {
  let cancel: Cancel | undefined;
  const arm = (): void => {
    cancel ??= clock.after(LOOK_MS, look);
  };
  const look = (): void => {
    cancel = undefined;
    if (executor.lookAtProtection()) arm();
  };
  const unlisten = executor.listen(arm);
  return () => {
    unlisten();
    cancel?.();
  };
}
