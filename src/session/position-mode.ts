/**
 * The position mode that a session traded in, out of its journal. It is the account's and no setting of the session: a
 * live session of a hedge account, run again in one-way mode, would have every order refused. Used by what runs a session
 * again (`rerun`, `drift`).
 */
import { readJournal } from '../execution/journal/verify.ts';
import type { Config } from './config/schema.ts';

function modeOf(path: string): 'hedge' | 'one-way' | null {
  for (const { entry } of readJournal(path)) {
    if (entry.kind !== 'intent' || entry.command !== 'create' || entry.order.market !== 'derivative') continue;
    const { positionSide = 'both' } = entry.order;
    return positionSide === 'both' ? 'one-way' : 'hedge';
  }
  return null;
}

/** The configuration with the mode of the session's perpetual orders; as it is where there were none. */
export function inModeOf(path: string, config: Config): Config {
  const mode = modeOf(path);
  const { simulation } = config;
  if (mode === null || mode === simulation.perpetuals.mode) return config;
  return { ...config, simulation: { ...simulation, perpetuals: { ...simulation.perpetuals, mode } } };
}
