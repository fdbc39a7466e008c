/**
 * A share of nothing is no limit: a day that begins with no equity, or with less, takes no new risk until there is something
 * that a share can be lost of. What has no price yet is not nothing.
 */
import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import {
  BTC,
  denials,
  FixedMarket,
  makeRig,
  trading,
  TestVenue,
  HandClock,
  type Rig,
  type RigOptions,
} from '../execution/rig.ts';

const order = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.001' } as const;

function rigWith(usdt: string, btc: string, options: RigOptions = {}): Rig {
  const clock = new HandClock();
  const venue = new TestVenue(clock);
  venue.balancesNow = [trading('USDT', usdt), trading('BTC', btc)];
  return makeRig({ clock, venue, specs: [BTC], ...options });
}

function tell(rig: Rig, usdt: string, btc: string): void {
  rig.venue.balancesNow = [trading('USDT', usdt), trading('BTC', btc)];
  rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
}

function move(rig: Rig, mid: number): void {
  rig.market.bid = mid * 100 - 50;
  rig.market.ask = mid * 100 + 50;
  rig.clock.advance(2_000);
}

function messages(rig: Rig): string[] {
  return rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
}

function days(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'day' ? [entry.equity] : []));
}

describe('a day that begins with less than nothing', () => {
  it('takes no new risk, however much its assets have gained since, and says why', () => {
    const rig = rigWith('-1000', '0.01');
    tell(rig, '-1000', '0.01');
    expect(rig.executor.equity()).toBeCloseTo(-400, 0);
    move(rig, 200_000);
    rig.executor.submit('maker', { ...order, price: '199000' });
    expect(denials(rig)).toEqual(['daily_loss']);
    expect(messages(rig)[0]).toMatch(/began the UTC day with an equity of -400\.\d\d, so no loss can be measured/);
  });

  it('is over with the UTC day', () => {
    const rig = rigWith('-1000', '0.01');
    tell(rig, '-1000', '0.01');
    rig.executor.equity();
    move(rig, 200_000);
    rig.clock.advance(86_400_000);
    expect(rig.executor.equity()).toBeCloseTo(1_000, 0);
    tell(rig, '-500', '0.01');
    rig.executor.submit('maker', { ...order, price: '199000' });
    expect(denials(rig)).toEqual(['insufficient_balance']);
  });

  it('has no limit where none is set', () => {
    const rig = rigWith('-1000', '0.01', { risk: { dailyLossFraction: 0 } });
    tell(rig, '-1000', '0.01');
    rig.executor.equity();
    move(rig, 200_000);
    rig.executor.submit('maker', { ...order, price: '199000' });
    expect(denials(rig)).toEqual(['insufficient_balance']);
  });
});

describe('a day that begins with nothing', () => {
  const reconcile = { historyLagMs: 5_000, intervalMs: 1_000, urgentIntervalMs: 1_000 };

  it('begins with what comes in, which is no gain when it is recognised later, and has a limit from then on', async () => {
    const rig = rigWith('0', '0', { reconcile, risk: { dailyLossFraction: 0.1 } });
    tell(rig, '0', '0');
    // The reconciler looks at currencies that were traded alone.
    rig.executor.submit('maker', { ...order, price: '59990', ref: 'nothing' });
    expect(denials(rig)).toEqual(['max_order_value']);
    tell(rig, '1000', '0');
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...order, price: '59990', ref: 'allowed' });
    expect(denials(rig)).toEqual(['max_order_value']);
    const reconciler = createReconciler(rig.executor, { markets: ['spot'] });
    reconciler.start();
    await rig.clock.advanceAsync(60_000);
    expect(days(rig)).toEqual(['1000']);
    reconciler.stop();
    tell(rig, '850', '0');
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...order, price: '59980', ref: 'beyond' });
    expect(messages(rig).at(-1)).toMatch(/has lost 150\.00 today, the limit is 100\.00/);
  });

  it('again, after all was taken out, is limited by what came in then', async () => {
    const rig = rigWith('10000', '0', { reconcile, risk: { dailyLossFraction: 0.1, drawdownFraction: 0.5 } });
    tell(rig, '10000', '0');
    const reconciler = createReconciler(rig.executor, { markets: ['spot'] });
    reconciler.start();
    await rig.clock.advanceAsync(1_000);
    rig.executor.submit('maker', { ...order, price: '59000', ref: 'first' });
    await rig.clock.advanceAsync(12_000);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    const ts = rig.clock.now();
    rig.venue.movementsNow = [
      { id: 'tx1', type: 'withdrawal', account: 'unified-trading', currency: 'USDT', amount: '10000', ts },
    ];
    tell(rig, '0', '0');
    await rig.clock.advanceAsync(40_000);
    tell(rig, '2000', '0');
    await rig.clock.advanceAsync(40_000);
    expect(days(rig)).toEqual(['10000', '0', '2000']);
    rig.executor.submit('maker', { ...order, price: '59990', ref: 'allowed' });
    expect(denials(rig)).toEqual([]);
    reconciler.stop();
    tell(rig, '1790', '0');
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...order, price: '59980', ref: 'beyond' });
    expect(messages(rig)[0]).toMatch(/has lost 210\.00 today, the limit is 200\.00/);
  });
});

describe('what has no price yet', () => {
  it('does not begin the day as nothing', () => {
    const rig = rigWith('0', '1');
    rig.market.open = false;
    tell(rig, '0', '1');
    expect(rig.executor.equity()).toBe(0);
    rig.market.open = true;
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...order, side: 'sell', price: '60010' });
    expect(denials(rig)).toEqual([]);
    // A fifth of 60,000 is gone.
    move(rig, 47_000);
    rig.executor.submit('maker', { ...order, side: 'sell', price: '47010', ref: 'late' });
    expect(denials(rig)).toEqual(['daily_loss']);
  });
});

describe('a restart within the day', () => {
  it('loses nothing by an asset whose first price has not come yet', () => {
    const first = rigWith('1000', '1');
    tell(first, '1000', '1');
    expect(first.executor.equity()).toBeGreaterThan(50_000);
    first.executor.close();
    const { clock, journal, venue } = first;
    const market = new FixedMarket();
    market.open = false;
    const again = makeRig({ clock, venue, journal, market, specs: [BTC], bootId: 'b2' });
    tell(again, '1000', '1');
    expect(again.executor.equity()).toBe(1_000);
    expect(again.executor.lossOfDay()).toBeUndefined();
    again.executor.submit('maker', { ...order, price: '60000' });
    expect(denials(again)).toEqual(['no_market']);
    market.open = true;
    clock.advance(2_000);
    expect(again.executor.equity()).toBeGreaterThan(50_000);
    expect(again.executor.lossOfDay()?.amount).toBeCloseTo(0, 6);
  });
});
