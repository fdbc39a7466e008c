/** `paper --watch`: a session after the other, each with the strategy as it is then. A broken file leaves the last one running. */
import { resolve } from 'node:path';
import { loadConfig } from '../../session/config/load.ts';
import { entriesOf, prepareStrategies } from '../../session/strategies.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { parseParamTexts } from '../../strategy/loading/params.ts';
import { sayError, type CliIo, type CommandResult } from '../command.ts';
import { configSource, durationOption } from '../config-option.ts';
import { runSession, type RealtimeCommandOptions, type RealtimeMode } from './realtime-command.ts';
import { refuseJson, watchSources, type SourceWatch } from './source-watch.ts';

export async function watchedSession(
  io: CliIo,
  file: string | undefined,
  options: RealtimeCommandOptions,
  mode: RealtimeMode,
): Promise<CommandResult> {
  refuseJson(options);
  const { config } = loadConfig(configSource(io, options.config));
  const choice = { file, params: parseParamTexts(options.param ?? []), entries: config.strategies, inRealTime: true };
  const files = entriesOf(choice).map((entry) => resolve(entry.file));
  const forMs = durationOption('for', options.for);
  const endsAt = systemClock.now() + (forMs ?? Number.POSITIVE_INFINITY);
  let isInterrupted = false;
  void io.interrupted.then(() => (isInterrupted = true));
  const watch = watchSources(files, systemClock);
  try {
    for (;;) {
      const left = forMs === undefined ? {} : { for: `${Math.max(1, Math.ceil(endsAt - systemClock.now()))}ms` };
      const reload = reloading(io, watch, () => prepareStrategies(choice));
      const result = await attempt(io, () => runSession(io, file, { ...options, ...left }, mode, reload.loaded));
      reload.stop();
      const isOver = isInterrupted || systemClock.now() >= endsAt;
      if (isOver) return result ?? { json: null, text: '', exit: 1 };
      if (result !== null) io.out(`${result.text}\n`);
      // It ended by itself, or never began.
      if (!reload.isLoaded()) await Promise.race([watch.changed(), io.interrupted]);
      if (isInterrupted) return { json: null, text: '', exit: result?.exit ?? 1 };
      io.err('the strategy has changed: a new session begins with it\n');
    }
  } finally {
    watch.stop();
  }
}

async function attempt(io: CliIo, run: () => Promise<CommandResult>): Promise<CommandResult | null> {
  try {
    return await run();
  } catch (thrown) {
    sayError(io, thrown, 'waiting for a change of the strategy');
    return null;
  }
}

interface Reload {
  /** Resolves when a change has come that loads. */
  readonly loaded: Promise<void>;
  readonly isLoaded: () => boolean;
  readonly stop: () => void;
}

function reloading(io: CliIo, watch: SourceWatch, load: () => Promise<unknown>): Reload {
  let isLoaded = false;
  let isStopped = false;
  const loaded = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    await watch.changed();
    if (isStopped) return;
    try {
      await load();
      isLoaded = true;
      loaded.resolve();
    } catch (thrown) {
      sayError(io, thrown, 'the running strategy continues unchanged; waiting for a change that loads');
      await look();
    }
  };
  look().catch(loaded.reject);
  return { loaded: loaded.promise, isLoaded: () => isLoaded, stop: () => (isStopped = true) };
}
