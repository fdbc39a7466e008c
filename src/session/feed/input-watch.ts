/**
 * Watches the input files of strategies (`file()`). After a change the session continues with the content that it read,
 * and reports the change.
 */
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { PreparedStrategy } from '../strategies.ts';

const LOOK_MS = 60_000;

/** A sentence a file. */
export function changedInputs(strategies: readonly Pick<PreparedStrategy, 'tag' | 'loaded'>[]): readonly string[] {
  return strategies.flatMap(({ tag, loaded }) =>
    loaded.inputs.changed.map((name) => `${tag}: ${name} has changed; what was read at the start is still in use`),
  );
}

/** Warns once a file. */
export function watchInputs(
  strategies: readonly Pick<PreparedStrategy, 'tag' | 'loaded'>[],
  clock: Pick<Clock, 'every'>,
  logger: Pick<Logger, 'warn'>,
): Cancel {
  const told = new Set<string>();
  return clock.every(LOOK_MS, () => {
    for (const sentence of changedInputs(strategies)) {
      if (told.has(sentence)) continue;
      told.add(sentence);
      logger.warn({}, sentence);
    }
  });
}
