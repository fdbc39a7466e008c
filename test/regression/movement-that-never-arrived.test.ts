/**
 * Found by reading: a transfer that never arrived stayed unknown for good once another movement of its currency had followed,
 * since the balances proved nothing then. The history proves it where it lists later own movements of the type.
 */
import { describe, expect, it } from 'vitest';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import type { TransactionRow } from '../../src/model/funds/money-records.ts';
import type { Reading } from '../../src/model/result.ts';
import { MoneyState } from '../../src/spine/money/state.ts';
import type { MoneyEvidence } from '../../src/treasury/evidence.ts';
import { judge } from '../../src/treasury/proofs.ts';

const SENT = 10_000_000;
const FENCE = 38_000;
const LAG = 30_000;
const LATE = SENT + FENCE + LAG + 1;

const transfer: MoneyRequest<'transfer'> = {
  kind: 'transfer',
  from: 'unified-trading',
  to: 'funding',
  currency: 'USDT',
  amount: '5',
};
const moves: Readonly<Record<string, MoneyRequest>> = {
  transfer,
  code_redeem: { kind: 'codeRedeem' },
  overdraft_repayment: { kind: 'overdraftPay', amount: '5' },
};

function row(more: Partial<TransactionRow> = {}): TransactionRow {
  const terms = { type: 'transfer', status: 'completed', currency: 'USDT', amount: '7', fee: '0' } as const;
  const at = SENT + 5_000;
  return { transactionId: 't7', ...terms, account: 'unified-trading', createdAt: at, updatedAt: at, ...more };
}

interface Seen {
  readonly rows: readonly TransactionRow[];
  readonly asOf?: number;
  readonly brokeOff?: string;
}

/** Both totals have moved since by what followed, whose id was answered. */
function verdictOn(request: MoneyRequest, { rows, asOf = LATE, brokeOff }: Seen): ReturnType<typeof judge> {
  const totals = { 'unified-trading/USDT': '1000', 'funding/USDT': '10' };
  const before = { at: SENT - 20, totals };
  const state = new MoneyState();
  const record = state.open({ kind: 'money-intent', intentId: 'b1-m1', strategy: '', request, before }, SENT);
  state.sending('b1-m1', SENT);
  const total = (account: 'unified-trading' | 'funding', amount: string) =>
    ({ account, currency: 'USDT', available: amount, locked: '0', total: amount }) as const;
  const complete = <T>(items: readonly T[]): Reading<T> => ({ kind: 'complete', asOf, items });
  const none: Reading<never> = { kind: 'failed', asOf, reason: 'not asked for' };
  const evidence = {
    balances: complete([total('unified-trading', '993'), total('funding', '17')]),
    transactions: brokeOff === undefined ? complete(rows) : { kind: 'partial', asOf, items: rows, reason: brokeOff },
    codes: none,
    advertisements: none,
    trades: none,
    orders: none,
    fills: none,
    positions: none,
  } as unknown as MoneyEvidence;
  const rules = { fenceMs: FENCE, historyLagMs: LAG, clientOrderIds: true, claimed: new Set(['t7']) };
  return judge(record, evidence, rules);
}

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
