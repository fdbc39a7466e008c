/** Attributes uncaught errors to a strategy; any other ends the process. */
import { messageOf } from '../model/errors.ts';
import type { Cancel, Logger } from '../model/ports.ts';
import { claimUncaught } from '../strategy/running/scope.ts';

export function guardUncaught(logger: Logger): Cancel {
  const onError = (thrown: unknown): void => {
    if (claimUncaught(thrown)) return;
    logger.error({ stack: thrown instanceof Error ? thrown.stack : undefined }, `internal error: ${messageOf(thrown)}`);
    process.exit(1);
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  return () => {
    process.off('uncaughtException', onError);
    process.off('unhandledRejection', onError);
  };
}
