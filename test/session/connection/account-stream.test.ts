/** What screens, API and metrics show of the private stream. */
import { expect, it } from 'vitest';
import type { GateClosure } from '../../../src/model/ports.ts';
import { accountStreamOf, type AccountStream } from '../../../src/session/connection/account-stream.ts';
import type { RunningSession } from '../../../src/session/store/running-session.ts';

function shown(reason: GateClosure['reason'] | null, privateAgeMs?: () => number | null): AccountStream {
  const closure = reason === null ? null : { reason, message: '' };
  const reconciler = { streamLosses: 2, gate: { closedBecause: () => closure } };
  return accountStreamOf({ reconciler, privateAgeMs } as unknown as RunningSession);
}

it('has the age of the last message of its connection, and is stale when no ping is answered', () => {
  const of = (reason: GateClosure['reason'] | null, ageMs: number | null): readonly unknown[] => {
    const { state, ageMs: told } = shown(reason, () => ageMs);
    return [state, told];
  };
  expect(of(null, 21_000)).toEqual(['fresh', 21_000]);
  expect(of(null, 24_500)).toEqual(['stale', 24_500]);
  expect(of('not_reconciled', 300)).toEqual(['waiting', 300]);
  expect(of('stream_down', 90_000)).toEqual(['down', 90_000]);
  expect(of('stream_down', null)).toEqual(['down', null]);
  expect(shown(null, () => 0).gaps).toBe(2);
});

it('has no age to be late by where the exchange is simulated', () => {
  expect(shown(null)).toEqual({ state: 'fresh', ageMs: 0, staleAfterMs: null, gaps: 2 });
  expect(shown('stream_down')).toMatchObject({ state: 'down', ageMs: null });
});
