/** Whether a session can do its work: reconciled, streams up, journal, kill switch and strategies as they should be. */
import type { RunningSession } from '../store/running-session.ts';

type Looked = Pick<RunningSession, 'symbols'> & {
  readonly engine: Pick<RunningSession['engine'], 'failures'> & {
    readonly executor: Pick<RunningSession['engine']['executor'], 'journalFailure' | 'state'>;
  };
  readonly reconciler: Pick<RunningSession['reconciler'], 'gate'>;
  readonly stream: Pick<RunningSession['stream'], 'gate'>;
};

/** Null: healthy; else why not. */
export function unhealthyBecause({ engine, reconciler, stream, symbols }: Looked): string | null {
  const { journalFailure, state } = engine.executor;
  const { killReason } = state;
  if (journalFailure !== undefined) return journalFailure.message;
  if (killReason !== undefined) return `the kill switch is on: ${killReason}`;
  for (const gate of [reconciler.gate, stream.gate])
    for (const symbol of ['', ...symbols]) {
      const closure = gate.closedBecause(symbol);
      if (closure !== null) return `${symbol === '' ? 'the account' : symbol}: ${closure.message}`;
    }
  for (const { message } of engine.failures.values()) return `a strategy has stopped: ${message}`;
  return null;
}
