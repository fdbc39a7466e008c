/** Commands of P2P. */
import fc from 'fast-check';
import { PICK_MAX } from './setting.ts';

/** Mostly one that is good in itself, so that commands come far. */
function mostly<Value>(good: readonly Value[], bad: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
}

const who = fc.nat(1);
const pick = fc.nat(PICK_MAX);
const move = fc.constantFrom<TradeMove>('start', 'pay', 'cancel', 'confirm', 'dispute');
const reason = fc.constantFrom('no money came', 'no money came', 'sandbox-complete', 'sandbox-cancel');
export type TradeMove = 'start' | 'pay' | 'cancel' | 'confirm' | 'dispute';

export const p2pStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('advertise' as const),
      who,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      amount: mostly(['1', '50', '700.5', '3000', '9000'], ['20000', '0.5', '50.00001', '2000000']),
      price: mostly(['85.5', '95', '95.1234', '104.5'], ['104.5001', '85.4', '95.12345']),
      minLimit: mostly(['10', '10', '5000'], ['9.99']),
      maxLimit: mostly(['50000', '10000000'], ['200000000', '9']),
      methods: mostly([['1'], ['1', '2'], ['1', '3']], [['9'], []]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move-advertisement' as const),
      who,
      pick,
      move: fc.constantFrom('activate' as const, 'deactivate' as const, 'deactivate' as const, 'delete' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      who,
      pick,
      amount: fc.constantFrom(null, '1', '70', '9000', '0'),
      price: fc.constantFrom(null, null, '100', '90.0001', '120'),
      minLimit: fc.constantFrom(null, null, '20', '1'),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('respond' as const),
      who,
      pick,
      part: mostly(['1', '20', '20.1234', 'half', 'all', 'all'], ['over', '0', '1.00001']),
      method: mostly(['1'], ['2']),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move-trade' as const), who, pick, move, reason }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('go-on' as const), who, pick, appeals: fc.boolean(), reason }),
  },
);
export type P2pStep = typeof p2pStep extends fc.Arbitrary<infer Step> ? Step : never;
