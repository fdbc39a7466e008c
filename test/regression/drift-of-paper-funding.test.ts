/**
 * Found by a stranger: a paper journal keeps a funding payment twice, as the entry of the session and as a record of the simulated
 * venue, and `drift` counted both. 0.31 USDT received stood there as 0.63, and half of the gap was called funding.
 */
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { FUNDING_RECORD } from '../../src/session/paper-venue/venue-records.ts';
import { sessionTrace } from '../../src/session/drift/session-trace.ts';

const paid = { symbol: 'BTCUSDTPERP', positionSide: 'both', currency: 'USDT', amount: '0.3125360255' } as const;

it('counts a payment once', () => {
  const entries: readonly JournalEntry[] = [
    { kind: 'record', name: FUNDING_RECORD, data: { ...paid, ts: 1000 } },
    { kind: 'funding', id: 'f1', strategy: 'fwd', ...paid, paidAt: 1000 },
  ];
  const rows = entries.map((entry, index) => ({ seq: index + 1, ts: 1000, entry }));
  expect(sessionTrace(rows, 0).funding).toEqual([{ currency: 'USDT', amount: '0.3125360255' }]);
});
