/** The areas: which commands, and how often each. `mixed` draws from all, so that they compete for the same money. */
import fc from 'fast-check';
import { futuresStep } from './futures-step.ts';
import { keysStep } from './keys-step.ts';
import { moneyStep } from './money-step.ts';
import { p2pStep } from './p2p-step.ts';
import type { Step } from './session.ts';
import { spotStep } from './spot-step.ts';

/** Short waits run on the port's clock, long ones through the control operation. */
function wait(...choices: readonly number[]): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(...choices) });
}

const resubscribe: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('resubscribe' as const),
  who: fc.nat(1),
  channel: fc.constantFrom(
    'BTCUSDT@depth',
    'ETHBTC@depth',
    'BTCUSDTPERP@depth',
    'CLNTF@my-balances',
    'HLORD@my-balances',
    'BTCUSDT@order-info',
    'position-info',
  ),
});

export const areas = {
  spot: fc.oneof(
    { weight: 20, arbitrary: spotStep },
    { weight: 1, arbitrary: resubscribe },
    { weight: 1, arbitrary: wait(7, 1500, 60_000) },
  ),
  money: fc.oneof(
    { weight: 20, arbitrary: moneyStep },
    { weight: 4, arbitrary: wait(1500, 20_000, 59_999, 89_999, 120_000, 420_000, 86_400_000) },
  ),
  p2p: fc.oneof(
    { weight: 20, arbitrary: p2pStep },
    { weight: 2, arbitrary: wait(1500, 60_000, 300_000, 599_990, 600_000, 1_800_000, 7_200_000) },
  ),
  keys: fc.oneof(
    { weight: 20, arbitrary: keysStep },
    { weight: 1, arbitrary: wait(1500, 30_000, 3_600_000, 86_400_000) },
    { weight: 1, arbitrary: wait(45 * 86_400_000, 90 * 86_400_000) },
  ),
  futures: fc.oneof(
    { weight: 20, arbitrary: futuresStep },
    { weight: 1, arbitrary: fc.oneof(spotStep, moneyStep) },
    { weight: 1, arbitrary: wait(1500, 28_800_000, 86_400_000) },
  ),
  mixed: fc.oneof(
    { weight: 8, arbitrary: spotStep },
    { weight: 8, arbitrary: moneyStep },
    { weight: 8, arbitrary: p2pStep },
    { weight: 2, arbitrary: keysStep },
    { weight: 1, arbitrary: resubscribe },
    { weight: 8, arbitrary: futuresStep },
    { weight: 2, arbitrary: wait(1500, 60_000, 120_000, 600_000, 86_400_000) },
  ),
} as const satisfies Readonly<Record<string, fc.Arbitrary<Step>>>;

export type AreaName = keyof typeof areas;
export const areaNames = Object.keys(areas) as readonly AreaName[];
