/** Commands that move money without orders. */
import fc from 'fast-check';
import { amountChoice } from './choice.ts';
import { PICK_MAX } from './setting.ts';

const accounts = ['funding', 'unified-trading', 'p2p', 'referral-program', 'overdraft'] as const;
const who = fc.nat(1);
const pick = fc.nat(PICK_MAX);
const currency = fc.constantFrom('USDT', 'USDT', 'BTC', 'ETH', 'RUB');
const main = fc.constantFrom('funding', 'unified-trading', 'p2p');
const account = fc.constantFrom('funding', 'funding', 'unified-trading', 'unified-trading', ...accounts);

export const moneyStep = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      who,
      from: account,
      to: account,
      currency,
      amount: amountChoice,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      who,
      from: main,
      to: main,
      currency,
      amount: amountChoice,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('draw' as const), who, amount: amountChoice }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay-loan' as const), who, amount: amountChoice }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('create-code' as const),
      who,
      currency,
      amount: amountChoice,
      recipient: fc.constantFrom(null, null, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('redeem' as const), who, pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      who,
      type: fc.constantFrom('deposit' as const, 'withdrawal' as const),
      currency: fc.constantFrom('RUB', 'RUB', 'RUB', 'USDT'),
      amount: amountChoice,
      method: fc.constantFrom('bank', 'bank', 'sandbox-reject', 'sandbox-fail'),
      submit: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move-application' as const),
      who,
      pick,
      move: fc.constantFrom('confirm' as const, 'delete' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('new-address' as const), who, route: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      who,
      route: fc.nat(4),
      amount: amountChoice,
      to: fc.constantFrom('outside' as const, 'fail' as const, 'own' as const, 'own' as const),
      pick,
      code: fc.constantFrom(null, null, 0, 1, 3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel-withdrawal' as const), who, pick }) },
);
export type MoneyStep = typeof moneyStep extends fc.Arbitrary<infer Step> ? Step : never;
export type StepOf<Kind extends MoneyStep['kind']> = Extract<MoneyStep, { readonly kind: Kind }>;
