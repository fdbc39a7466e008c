/** The metric of the daily loss counted what this session had lost, so the alert on it stayed silent while the limit denied. */
import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { utcDay } from '../../src/model/time.ts';
import { lostBeforeRow } from '../../src/risk/losses/account-equity.ts';
import { riskSchema } from '../../src/risk/options.ts';
import { usedLimits } from '../../src/session/view/used-limits.ts';
import { denials, makeRig, START, type Rig } from '../execution/rig.ts';

const DAY_MS = 86_400_000;
const risk = riskSchema.parse({ dailyLossFraction: 0.2, maxOpenOrders: 10 });
const order = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

/** A session after one that has lost so much: the account holds 1,600,005 USDT. */
function after(lost: number): Rig {
  const journal = createMemoryJournal();
  journal.append(START, [lostBeforeRow(utcDay(START), lost)]);
  return makeRig({ journal, risk });
}

function used({ executor, clock }: Rig): unknown {
  return Object.fromEntries(usedLimits(executor, risk, 3, clock.now()).map(({ name, used: part }) => [name, part]));
}

it('session/used-limits/daily-loss-counts-earlier-sessions-of-the-day', () => {
  const rig = after(400_010);
  expect(used(rig)).toEqual({ 'open orders': 0.3 });
  rig.executor.submit('maker', order);
  expect(denials(rig)).toEqual(['daily_loss']);
  expect(used(rig)).toEqual({ 'daily loss': 400_010 / 2_000_015 / 0.2, 'open orders': 0.3 });
  rig.clock.advance(DAY_MS);
  rig.executor.valueAccount();
  expect(used(rig)).toEqual({ 'daily loss': 0, 'open orders': 0.3 });
});

it('session/used-limits/are-parts-of-the-limits-in-force', () => {
  const rig = after(400_010);
  rig.executor.valueAccount();
  const until = rig.clock.now() + 60_000;
  for (const [limit, value] of [
    ['risk.dailyLossFraction', '0.5'],
    ['risk.maxOpenOrders', '30'],
  ] as const)
    rig.executor.human.overrideLimit({ id: limit, limit, value, until, reason: 'test' });
  expect(used(rig)).toEqual({ 'daily loss': 400_010 / 2_000_015 / 0.5, 'open orders': 0.1 });
});
