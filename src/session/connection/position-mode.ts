/** The position mode, from a journal: a rerun in the other mode would have every order refused. */
import { readJournal } from '../../journal/verify.ts';
import type { Config } from '../config/schema.ts';

function modeOf(path: string): 'hedge' | 'one-way' | null {
  for (const { entry } of readJournal(path)) {
    if (entry.kind !== 'intent' || entry.command !== 'create' || entry.order.market !== 'derivative') continue;
    const { positionSide = 'both' } = entry.order;
    return positionSide === 'both' ? 'one-way' : 'hedge';
  }
  return null;
}

export function inModeOf(path: string, config: Config): Config {
  const mode = modeOf(path);
  const { simulation } = config;
  if (mode === null || mode === simulation.perpetuals.mode) return config;
  return { ...config, simulation: { ...simulation, perpetuals: { ...simulation.perpetuals, mode } } };
}
