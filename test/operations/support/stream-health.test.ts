/** How often gates were closed and for how long, over restarts. */
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { streamHealth } from '../../../src/operations/support/stream-health.ts';

function gate(state: 'open' | 'closed', symbol = 'BTCUSDT'): JournalEntry {
  const reason = state === 'open' ? null : 'stale_data';
  return { kind: 'gate', gate: 'freshness', symbol, state, reason, message: 'silent' };
}

it('counts what was closed, ends it with the process, and says what still is', () => {
  const start: JournalEntry = { kind: 'session', event: 'start', boot: 1, bootId: 'b' };
  const alarm: JournalEntry = { kind: 'alarm', code: 'late_fill', message: '' };
  const entries: readonly (readonly [ts: number, JournalEntry])[] = [
    [0, start],
    [100, gate('closed')],
    [150, gate('closed')],
    [300, gate('open')],
    [400, gate('closed')],
    [500, alarm],
    [900, start],
    [950, gate('closed', '')],
    [999, alarm],
  ];
  const rows = entries.map(([ts, entry], index) => ({ seq: index + 1, ts, entry }));
  const { gates, ...rest } = streamHealth(rows);
  expect(rest).toEqual({ from: 0, to: 999, alarms: { late_fill: 2 } });
  expect(gates).toMatchObject([
    { symbol: 'BTCUSDT', closed: 2, closedMs: 300, since: null },
    { symbol: '', closed: 1, closedMs: 0, since: 950 },
  ]);
});
