/** What a session in real time does with its own journal beside trading: the weekly check, and snapshots. */
import { join } from 'node:path';
import { integrityRow } from '../../journal/integrity.ts';
import type { JournalStore } from '../../model/entries/journal.ts';
import type { Cancel, Logger } from '../../model/ports.ts';
import type { Config } from '../config/schema.ts';
import type { Connection } from '../connection/connection.ts';
import type { Engine } from '../engine.ts';
import { watchIntegrity } from './integrity-watch.ts';
import type { PacedClock } from '../clock/paced-clock.ts';
import { watchSnapshots } from './snapshot-watch.ts';
import { sessionFiles, type SessionRecord } from '../store/store.ts';

export interface JournalWatchDeps {
  /** Of the session's folder. */
  readonly path: string;
  readonly mode: SessionRecord['mode'];
  readonly connection: Connection;
  readonly config: Config;
  readonly journal: JournalStore;
  readonly engine: Engine;
  readonly clock: PacedClock;
  readonly logger: Logger;
}

export function journalWatches(deps: JournalWatchDeps): readonly Cancel[] {
  const { path, mode, connection, config, journal, engine, clock, logger } = deps;
  const real = connection.clock;
  return [
    watchIntegrity({
      file: join(path, sessionFiles.journal),
      clock: real,
      failed: (reason) => logger.error({ reason }, 'the weekly check of the journal could not be made'),
      told: (found) =>
        clock.deliver(real.nowUs(), () => {
          engine.executor.record(integrityRow(found ?? 'ok'));
          if (found !== null) engine.executor.kill(`the journal is damaged: ${found}`);
        }),
    }),
    watchSnapshots({
      about: () => ({
        file: join(path, sessionFiles.journal),
        specs: connection.instruments.all().map(({ spec }) => spec),
        reporting: config.account.reporting,
        ...(mode === 'paper' ? { fees: config.simulation.fees } : {}),
      }),
      journal,
      clock: real,
      failed: (reason) =>
        logger.warn({ reason }, 'no snapshot of the journal could be made, or its rows not be archived'),
      write: (entry) => clock.deliver(real.nowUs(), () => engine.executor.record(entry)),
    }),
  ];
}
