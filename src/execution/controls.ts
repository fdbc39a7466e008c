/** The journal row of limits, strategies and versions, written when they change. It holds for the orders after it. */
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
