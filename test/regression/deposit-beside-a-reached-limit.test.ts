/**
 * A deposit lifted `dailyLossFraction` and `drawdownFraction` from the push of the balance until it was recognised, up to half a
 * minute later: a bot whose limit was reached went on trading, and the deposit was a new highest equity.
 */
import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { denials, makeRig, trading, type Rig } from '../execution/rig.ts';

const DAY_MS = 86_400_000;
const BUY = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.001' } as const;
const reconcile = { historyLagMs: 30_000, intervalMs: 1_000, urgentIntervalMs: 1_000 };

async function lives(risk: object): Promise<Rig> {
  const rig = makeRig({ reconcile, risk });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(1_000);
  buy(rig);
  await rig.clock.advanceAsync(12_000);
  return rig;
}

function buy({ executor, market }: Rig): void {
  executor.submit('maker', { ...BUY, price: String(market.bid / 100 - 10) });
}

/** The account had 1,000,000 USDT and 10 BTC of 60,000. */
function deposit({ venue }: Rig, usdt: string): void {
  venue.balancesNow = [trading('USDT', usdt), trading('BTC', '10')];
  venue.emit({ kind: 'balances', balances: venue.balancesNow, whole: true });
}

function flows({ events }: Rig): number {
  return events.filter(({ kind }) => kind === 'cash-flow').length;
}

/** Of an order now. */
function deniedNow(rig: Rig): string | undefined {
  const before = denials(rig).length;
  buy(rig);
  return denials(rig)[before];
}

describe.each([
  ['daily_loss', { dailyLossFraction: 0.1 }],
  ['drawdown', { dailyLossFraction: 0, drawdownFraction: 0.1 }],
])('%s', (reason, risk) => {
  it('that is reached stays so while money comes in, and when it is recognised', async () => {
    const rig = await lives(risk);
    rig.market.move(43_000);
    await rig.clock.advanceAsync(2_000);
    expect(deniedNow(rig)).toBe(reason);
    deposit(rig, '1500000');
    for (let second = 0; second < 60; second++) {
      await rig.clock.advanceAsync(1_000);
      expect(deniedNow(rig), `after ${second} s`).toBe(reason);
    }
    expect(flows(rig)).toBe(1);
    // What was lost came back: the deposit did not move the limit the other way either.
    rig.market.move(60_000);
    await rig.clock.advanceAsync(2_000);
    expect(deniedNow(rig)).toBeUndefined();
  });
});

it('a day that begins before the money is recognised begins without it, and with it afterwards', async () => {
  const rig = await lives({ dailyLossFraction: 0.1 });
  const loss = (): number => Math.round(rig.executor.lossOfDay()?.amount ?? Number.NaN);
  rig.clock.advance(DAY_MS - (rig.clock.now() % DAY_MS) - 3_000);
  await rig.clock.advanceAsync(1_000);
  deposit(rig, '1500000');
  await rig.clock.advanceAsync(10_000);
  buy(rig);
  expect([flows(rig), loss()]).toEqual([0, 0]);
  await rig.clock.advanceAsync(60_000);
  buy(rig);
  expect([flows(rig), loss()]).toEqual([1, 0]);
  expect(Number(rig.executor.state.day?.equity)).toBeCloseTo(2_100_005, 0);
});
