/** A movement of unknown outcome, and what is read of it. */
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import type { TransactionRow } from '../../src/model/funds/money-records.ts';
import type { Reading } from '../../src/model/result.ts';
import { MoneyState, type MoneyRecord } from '../../src/spine/money/state.ts';
import type { MoneyEvidence } from '../../src/treasury/evidence.ts';
import { judge } from '../../src/treasury/proofs.ts';

export const SENT = 10_000_000;
export const FENCE = 38_000;
const MARGIN = 8_000;
export const LAG = 30_000;
export const LATE = SENT + FENCE + LAG + 1;

export const transfer: MoneyRequest<'transfer'> = {
  kind: 'transfer',
  from: 'unified-trading',
  to: 'funding',
  currency: 'USDT',
  amount: '5',
};
export function row(more: Partial<TransactionRow> = {}): TransactionRow {
  const terms = { type: 'transfer', status: 'completed', currency: 'USDT', amount: '7', fee: '0' } as const;
  const at = SENT + 5_000;
  return { transactionId: 't7', ...terms, account: 'unified-trading', createdAt: at, updatedAt: at, ...more };
}

export interface Seen {
  readonly rows: readonly TransactionRow[];
  readonly asOf?: number;
  readonly brokeOff?: string;
  /** Neither total has moved. */
  readonly isQuiet?: boolean;
  /** That of `funding` has not. */
  readonly isFundingQuiet?: boolean;
  readonly marginMs?: number;
  readonly rivals?: readonly MoneyRecord[];
}

/** Both totals have moved since; `t7` is of another own command. */
export function verdictOn(
  request: MoneyRequest,
  { rows, asOf = LATE, brokeOff, isQuiet = false, isFundingQuiet = isQuiet, marginMs = MARGIN, rivals = [] }: Seen,
): ReturnType<typeof judge> {
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
    balances: complete([
      total('unified-trading', isQuiet ? '1000' : '993'),
      total('funding', isFundingQuiet ? '10' : '17'),
    ]),
    transactions: brokeOff === undefined ? complete(rows) : { kind: 'partial', asOf, items: rows, reason: brokeOff },
    codes: none,
    advertisements: none,
    trades: none,
    orders: none,
    fills: none,
    positions: none,
  } as unknown as MoneyEvidence;
  const rules = {
    fenceMs: FENCE,
    historyLagMs: LAG,
    fenceMarginMs: marginMs,
    clientOrderIds: true,
    claimed: new Set(['transactions/t7']),
    rivals,
  };
  return judge(record, evidence, rules);
}
