/** Limits that a session passes from its start on, in the words of `plan`: limits do not cancel what rests. */
import { refusedByLimits } from '../../operations/plan/refusals.ts';
import { standingLimits } from '../../operations/plan/standing-limits.ts';
import type { RunningSession } from '../../session/store/running-session.ts';

export function limitWarnings({ engine, options }: RunningSession): readonly string[] {
  const { config, strategies } = options;
  const limits = standingLimits(engine.executor.state, {
    risk: config.risk,
    strategies: new Map(strategies.map(({ tag, limits: own }) => [tag, own])),
    reporting: config.account.reporting,
  });
  return refusedByLimits(limits).map(
    ({ reason, message }) => `${reason}: ${message}; it stays, and nothing is cancelled for it`,
  );
}
