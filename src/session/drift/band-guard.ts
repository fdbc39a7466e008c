/** What a session does with `strategies[].band`: an alarm and a page, and a pause where that is configured. */
import { isDeepStrictEqual } from 'node:util';
import type { Cancel, Logger } from '../../model/ports.ts';
import type { StrategyEntry } from '../config/schema.ts';
import { sessionErrors } from '../errors.ts';
import type { RunningSession } from '../store/running-session.ts';
import type { PreparedStrategy } from '../strategies.ts';
import { systemClock } from '../clock/system-clock.ts';
import { readBand, type Band } from './band.ts';
import { watchBand } from './band-watch.ts';

export interface Guard {
  readonly band: Band;
  readonly action: 'alarm' | 'pause';
  readonly tag: string;
  readonly warnings: readonly string[];
}

/** `entries` and `strategies` in the same order. Throws `band_unusable`. */
export function guardOf(
  entries: readonly Pick<StrategyEntry, 'band'>[],
  strategies: readonly Pick<PreparedStrategy, 'tag' | 'params' | 'loaded'>[],
): Guard | null {
  const at = entries.findIndex(({ band }) => band !== undefined);
  const [wanted, strategy] = [entries[at]?.band, strategies[at]];
  if (wanted === undefined || strategy === undefined) return null;
  if (strategies.length > 1)
    throw sessionErrors.make('band_unusable', 'a band is of one strategy, and the session runs several');
  const { tag, params, loaded } = strategy;
  const { name } = loaded.definition;
  const band = readBand(wanted.validation);
  if (band.strategy !== name)
    throw sessionErrors.make('band_unusable', `${wanted.validation} validates ${band.strategy}, not ${name}`);
  const warnings = isDeepStrictEqual(band.params, JSON.parse(JSON.stringify(params)))
    ? []
    : [`${wanted.validation} validates ${name} with other parameters`];
  return { band, action: wanted.action, tag, warnings };
}

export function keepBand(guard: Guard | null, session: RunningSession, logger: Logger): Cancel {
  if (guard === null) return () => {};
  const { band, action, tag, warnings } = guard;
  const { recorder, engine, clock, options } = session;
  for (const warning of warnings) logger.warn({}, warning);
  return watchBand({
    band,
    clock: systemClock,
    startedAt: options.folder.record.startedAt,
    capital: () => recorder.equity.capital,
    netPnl: () => recorder.figures?.netPnl.toNumber() ?? null,
    logger,
    left: (standing, text) =>
      clock.deliver(options.connection.clock.nowUs(), () => {
        const message = `${tag}: ${text}`;
        engine.executor.alarm('left_band', message);
        if (action === 'pause' && standing === 'below') engine.executor.human.pause(tag, true, message);
      }),
  });
}
