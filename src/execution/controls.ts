/**
 * The journal's word on what controls a session: limits, and the strategies with their versions, as one row at the first
 * start and whenever they are others than before, so that a change is on record. Every order
 * names its strategy; the newest row before it says which version that was.
 */
import type { RecordEntry } from '../model/journal.ts';
import type { ExecutorDeps } from './executor-types.ts';
import { CONTROLS } from '../spine/trials.ts';
import { plainJson } from '../model/canonical.ts';

export function controlsEntry({ options, strategies }: ExecutorDeps): RecordEntry {
  const slots = strategies.map(({ tag, name, version, limits, onTrial }) => ({
    tag,
    name,
    version: version ?? null,
    limits,
    ...(onTrial === true ? { trial: true } : {}),
  }));
  return { kind: 'record', name: CONTROLS, data: plainJson({ risk: options.risk, strategies: slots }) };
}
