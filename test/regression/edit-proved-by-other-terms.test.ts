/**
 * Found by reading: an edit of comment or payment methods, of unknown outcome, was proved by any row of its advertisement,
 * since only price, limits and amount were compared.
 */
import { expect, it } from 'vitest';
import type { Advertisement } from '../../src/model/funds/p2p.ts';
import type { Reading } from '../../src/model/result.ts';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { SIMULATED_USER } from '../../src/simulation/money/advertisements.ts';
import { p2pMarketsOf, p2pOptions } from '../../src/simulation/money/p2p-markets.ts';
import { fingerprintOf } from '../../src/spine/money/content.ts';
import { judge } from '../../src/treasury/proofs.ts';

type Edit = MoneyRequest<'editAdvertisement'>;

const SENT = 10_000_000;
const FENCE = 38_000;
const [market] = p2pMarketsOf(p2pOptions.parse(undefined));
const row: Advertisement = {
  advertisementId: 'a1',
  idNumber: '1',
  side: 'sell',
  status: 'deactivated',
  base: 'USDT',
  quote: 'RUB',
  price: '95',
  availableAmount: '500',
  minLimit: '500',
  maxLimit: '5000',
  maker: SIMULATED_USER,
  paymentMethods: [{ id: '1', name: 'one' }],
  comment: 'old',
  market: market!,
  trades: [],
  createdAt: SENT - 5000,
  updatedAt: SENT - 5000,
};

function verdict(change: Partial<Edit>, shown: Partial<Advertisement>, asOf: number): string {
  const request: Edit = { kind: 'editAdvertisement', advertisementId: 'a1', ...change };
  const none: Reading<never> = { kind: 'failed', asOf: 0, reason: 'not asked for' };
  const advertisements = { kind: 'complete', asOf, items: [{ ...row, ...shown }] } as const;
  const record = {
    intentId: 'm1',
    strategy: 'maker',
    ref: 'one',
    request,
    fingerprint: fingerprintOf(request, undefined),
    before: null,
    createdAt: SENT,
    sentAt: SENT,
    endedAt: SENT,
    fate: 'unknown',
    receipt: null,
    reason: null,
  } as const;
  return judge(
    record,
    {
      balances: none,
      transactions: none,
      codes: none,
      advertisements,
      trades: none,
      orders: none,
      fills: none,
      positions: none,
      spotOrders: none,
      spotFills: none,
    },
    {
      fenceMs: FENCE,
      historyLagMs: 0,
      fenceMarginMs: 1_000,
      clientOrderIds: true,
      claimed: new Set<string>(),
      rivals: [],
    },
  ).kind;
}

const changes: readonly (readonly [Partial<Edit>, Partial<Advertisement>])[] = [
  [{ comment: 'new' }, { comment: 'new' }],
  [
    { paymentMethodIds: ['2', '1'] },
    {
      paymentMethods: [
        { id: '1', name: 'one' },
        { id: '2', name: 'two' },
      ],
    },
  ],
];

for (const [change, shown] of changes) {
  const [field] = Object.keys(change);
  it(`treasury/proofs/edit-of-${field}-needs-a-row-that-shows-it`, () => {
    expect(verdict(change, {}, SENT + 1000)).toBe('open');
    expect(verdict(change, {}, SENT + FENCE + 1)).toBe('absent');
    expect(verdict(change, shown, SENT + 1000)).toBe('happened');
  });
}

it('treasury/proofs/an-empty-comment-is-none', () => {
  expect(verdict({ comment: '' }, { comment: null }, SENT + 1000)).toBe('happened');
});
