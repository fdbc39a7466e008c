/** The private stream as screens, API and metrics show it, beside the public channels. */
import { QUIET_MS_MAX } from '../../exchange/client/sockets/link-health.ts';
import type { RunningSession } from '../store/running-session.ts';

export interface AccountStream {
  readonly state: 'fresh' | 'stale' | 'down' | 'waiting';
  /** Since the last message of its connection, an answer to a ping too; null: none yet. */
  readonly ageMs: number | null;
  /** Null: simulated in this process, so that nothing can be late. */
  readonly staleAfterMs: number | null;
  readonly gaps: number;
}

export function accountStreamOf({
  reconciler,
  privateAgeMs,
}: Pick<RunningSession, 'reconciler' | 'privateAgeMs'>): AccountStream {
  const { streamLosses: gaps } = reconciler;
  const closed = reconciler.gate.closedBecause('');
  const isDown = closed?.reason === 'stream_down';
  const rest = closed === null ? 'fresh' : 'waiting';
  if (privateAgeMs === undefined)
    return { state: isDown ? 'down' : rest, ageMs: closed === null ? 0 : null, staleAfterMs: null, gaps };
  const ageMs = privateAgeMs();
  const isStale = ageMs !== null && ageMs > QUIET_MS_MAX;
  return { state: isDown ? 'down' : isStale ? 'stale' : rest, ageMs, staleAfterMs: QUIET_MS_MAX, gaps };
}
