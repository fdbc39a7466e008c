/**
 * Found by reading: a transfer that never arrived stayed unknown for good once another movement of its currency had followed,
 * since the balances proved nothing then. The history proves it where it lists later own movements of the type.
 */
import { describe, expect, it } from 'vitest';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { FENCE, LATE, row, SENT, transfer, verdictOn } from '../treasury/movement-rig.ts';

const moves: Readonly<Record<string, MoneyRequest>> = {
  transfer,
  code_redeem: { kind: 'codeRedeem' },
  overdraft_repayment: { kind: 'overdraftPay', amount: '5' },
};

describe('a movement that never arrived', () => {
  it.each(Object.entries(moves))('%s is absent once later own ones of its type are listed', (type, request) => {
    expect(verdictOn(request, { rows: [row({ type })] }).kind).toBe('absent');
  });

  it.each([
    ['the request may be taken still', { rows: [row()], asOf: SENT + FENCE }],
    ['the history may lag', { rows: [row()], asOf: LATE - 2 }],
    ['the history broke off', { rows: [row()], brokeOff: 'timeout' }],
    ['only another type followed', { rows: [row({ type: 'deposit' })] }],
    ['nothing followed that is listed', { rows: [] }],
    ['one of the type is of no own command', { rows: [row(), row({ transactionId: 't8', amount: '4.99' })] }],
    ['own ones of the type were before it', { rows: [row({ createdAt: SENT - 60_000 }), row({ type: 'deposit' })] }],
  ] as const)('is unknown while %s', (_why, seen) => {
    expect(verdictOn(transfer, seen).kind).toBe('open');
  });

  it('has happened where the history shows it', () => {
    const rows = [row(), row({ transactionId: 't5', amount: '5' })];
    expect(verdictOn(transfer, { rows })).toMatchObject({ kind: 'happened', receipt: { id: 't5' } });
  });
});
