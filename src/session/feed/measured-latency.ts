/** Latency pairs of model `measured` from a session's journal (rule T3). */
import { resolve } from 'node:path';
import { readJournal } from '../../journal/verify.ts';
import type { SimulationOptions } from '../../simulation/options.ts';
import type { Config } from '../config/schema.ts';
import { sessionErrors } from '../errors.ts';
import { latencyPairs, sentCommands } from '../paper-venue/sent-commands.ts';
import { findSession } from '../store/store.ts';

/** Throws `session_not_found`, `bad_option`, and journal errors. */
export function measuredSimulation(config: Config): SimulationOptions {
  const { simulation, journal } = config;
  const { model, session, pairs } = simulation.latency;
  if (model !== 'measured' || session === undefined || pairs !== undefined) return simulation;
  const folder = findSession(resolve(journal.dir), session);
  const measured = latencyPairs(sentCommands(readJournal(folder.path)));
  if (measured.length === 0) {
    throw sessionErrors.make('bad_option', `simulation.latency.session: ${folder.record.id} has no answered order`, {
      option: 'simulation.latency.session',
    });
  }
  return { ...simulation, latency: { ...simulation.latency, pairs: [...measured] } };
}
