/**
 * Found by a stranger: the answer of a withdrawal was lost and the history did not list it. A submitted withdrawal locks its amount
 * and leaves the total as it was, so that the balances seemed to prove it absent, and the same command withdrew a second time.
 */
import { expect, it } from 'vitest';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import type { Balance } from '../../src/model/trading/account.ts';
import { baselineOf } from '../../src/spine/money/content.ts';
import { MoneyState } from '../../src/spine/money/state.ts';
import type { MoneyEvidence } from '../../src/treasury/evidence.ts';
import { judge } from '../../src/treasury/proofs.ts';

const SENT = 10_000_000;
const [FENCE, LAG] = [38_000, 30_000];
const LATE = SENT + FENCE + LAG + 1;

const amount = { currency: 'USDT', amount: '27' } as const;
const requests: Readonly<Record<string, MoneyRequest>> = {
  withdraw: { kind: 'withdraw', ...amount, network: 'TRC20', address: 'T' },
  'fiat withdrawal': { kind: 'fiatSubmit', type: 'withdrawal', ...amount, requisites: {} } as never,
};

function funding(available: string, locked: string): readonly Balance[] {
  return [{ account: 'funding', currency: 'USDT', available, locked, total: '1000' }];
}

function verdictOn(request: MoneyRequest, now: readonly Balance[]): ReturnType<typeof judge> {
  const before = baselineOf(request, funding('1000', '0'), SENT - 20);
  const state = new MoneyState();
  const record = state.open({ kind: 'money-intent', intentId: 'b1-m1', strategy: '', request, before }, SENT);
  state.sending('b1-m1', SENT);
  const complete = (items: readonly unknown[]) => ({ kind: 'complete', asOf: LATE, items }) as const;
  const evidence = { balances: complete(now), transactions: complete([]) } as unknown as MoneyEvidence;
  return judge(record, evidence, {
    fenceMs: FENCE,
    historyLagMs: LAG,
    fenceMarginMs: 1_000,
    clientOrderIds: true,
    claimed: new Set<string>(),
    rivals: [],
  });
}

it.each(Object.entries(requests))(
  '%s is unknown while something is locked, and absent where nothing is',
  (_, request) => {
    expect(verdictOn(request, funding('972', '28'))).toEqual({
      kind: 'open',
      why: 'available funding/USDT was 1000 and is 972',
    });
    expect(verdictOn(request, funding('1000', '0')).kind).toBe('absent');
  },
);
