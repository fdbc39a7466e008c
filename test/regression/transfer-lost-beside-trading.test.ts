/**
 * Found by the simulator (seed 81000071): a transfer that never arrived stayed unknown for as long as its strategy traded, since
 * each fee moved the currency. The account on the other side had not moved.
 */
import { expect, it } from 'vitest';
import { row, SENT, transfer, verdictOn } from '../treasury/movement-rig.ts';

const fee = row({ transactionId: 'f1', type: 'trade_fee', amount: '0.1' });

it.each([
  ['fees of the other account', [fee], true, 'absent'],
  ['and none of its own', [], true, 'absent'],
  ['both accounts moved', [fee], false, 'open'],
  ['it moved otherwise, and back', [fee, row({ type: 'deposit', account: 'funding' })], true, 'open'],
  ['another transfer may have gone there', [fee, row({ transactionId: 't8', amount: '9' })], true, 'open'],
  ['it is listed', [fee, row({ transactionId: 't5', amount: '5' })], true, 'open'],
] as const)('money/a-transfer-that-is-not-listed: %s', (_, rows, isFundingQuiet, kind) => {
  expect(verdictOn(transfer, { rows, isFundingQuiet }).kind).toBe(kind);
});

it('money/a-transfer-that-is-not-listed: not before it can be', () => {
  expect(verdictOn(transfer, { rows: [fee], isFundingQuiet: true, asOf: SENT + 1_000 }).kind).toBe('open');
});
