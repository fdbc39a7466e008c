/**
 * Found by the simulator (seed 71000053): a transfer whose answer was lost, and that the history dates before its sending since
 * another clock of the exchange stamps it, was concluded not to have happened, and could be sent again.
 */
import { describe, expect, it } from 'vitest';
import { row, SENT, transfer, verdictOn } from '../treasury/movement-rig.ts';

function dated(beforeMs: number) {
  return row({ transactionId: 't5', amount: '5', createdAt: SENT - beforeMs });
}

/** A later one of another own command is listed, too. */
const later = row();

describe('a transfer that is dated before its sending', () => {
  it('has happened where both balances moved and the clocks may differ by so much', () => {
    const verdict = verdictOn(transfer, { rows: [later, dated(1_400)] });
    expect(verdict).toMatchObject({ kind: 'happened', receipt: { id: 't5' } });
  });

  it.each([60_000, 300_000, 3_600_000])('by %i ms, may have happened', (beforeMs) => {
    expect(verdictOn(transfer, { rows: [later, dated(beforeMs)] })).toMatchObject({ kind: 'open', seen: true });
  });

  it('has not where neither balance moved: it is an earlier one', () => {
    expect(verdictOn(transfer, { rows: [dated(60_000)], isQuiet: true }).kind).toBe('absent');
  });

  it('has not where the earlier one is of another own command', () => {
    const rows = [later, { ...dated(60_000), transactionId: 't7' }];
    expect(verdictOn(transfer, { rows }).kind).toBe('absent');
  });
});
