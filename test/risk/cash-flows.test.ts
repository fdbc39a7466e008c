/**
 * Money that is moved in or out is no profit and no loss: the limits on losses neither trip because of it nor are hidden
 * or widened by it, whenever it is recognised, and a withdrawal by hand is no unexplained difference.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Balances } from '../../src/spine/balances.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { AccountEquity } from '../../src/risk/losses/account-equity.ts';
import { Valuation } from '../../src/risk/losses/valuation.ts';
import { TradingState } from '../../src/spine/trading-state.ts';
import type { AccountMovement } from '../../src/model/trading/account.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import { alarms, BTC, denials, FixedMarket, makeRig, PERP, START, trading, type Rig } from '../execution/rig.ts';

const limit = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59990',
  quantity: '0.001',
} as const;

class Account {
  readonly balances = new Balances();
  readonly equity: AccountEquity;
  total = 10_000;

  constructor() {
    const market = new FixedMarket();
    const state = new TradingState();
    this.equity = new AccountEquity({
      state,
      balances: this.balances,
      instruments: new Instruments([BTC]),
      valuation: new Valuation('USDT', new Instruments([BTC]), market),
      onDay: () => {},
      mark: (name, value) => state.marks.set(name, value),
      hasPeak: () => true,
    });
  }

  change(amount: number): void {
    this.total += amount;
    this.balances.apply([trading('USDT', String(this.total))], true);
  }
}

const step = fc.record({
  profit: fc.integer({ min: -300, max: 300 }),
  flow: fc.integer({ min: -2_000, max: 5_000 }),
  /** Until it is recognised. */
  lateMs: fc.constantFrom(0, 1_000, 12_000, 29_000),
  pauseMs: fc.integer({ min: 31_000, max: 90_000 }),
});

describe('a flow of money', () => {
  it('leaves loss of the day and fall from the highest what trading made of them (law)', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const account = new Account();
        let now = START;
        let profit = 0;
        let best = 0;
        const look = (): number => account.equity.at(now);
        account.change(0);
        look();
        for (const { profit: made, flow, lateMs, pauseMs } of steps) {
          const at = now;
          if (account.total + flow > 1_000 && flow !== 0) {
            account.change(flow);
            for (let waited = 0; waited <= lateMs; waited += 1_000, now += 1_000) look();
            account.equity.flowed(flow, at);
          }
          now += pauseMs;
          look();
          account.change(made);
          profit += made;
          best = Math.max(best, profit);
          look();
        }
        expect(account.equity.dayStart - account.equity.at(now)).toBeCloseTo(-profit, 6);
        const fall = account.equity.peak - account.equity.at(now);
        expect(fall).toBeCloseTo(best - profit, 6);
      }),
      { numRuns: 200 },
    );
  });

  it('that comes in widens no limit, one that goes out tightens it', () => {
    const account = new Account();
    account.change(0);
    account.equity.at(START);
    account.change(5_000);
    account.equity.flowed(5_000, START + 1);
    expect([account.equity.dayStart, account.equity.dayBase, account.equity.peakBase]).toEqual([
      15_000, 10_000, 10_000,
    ]);
    account.change(-7_000);
    account.equity.flowed(-7_000, START + 2);
    expect([account.equity.dayStart, account.equity.dayBase]).toEqual([8_000, 3_000]);
  });
});

const reconcile = { historyLagMs: 5_000, intervalMs: 1_000, urgentIntervalMs: 1_000 };

/** `end` is the end of its process: nothing compares any more. */
async function traded(options: Parameters<typeof makeRig>[0] = {}): Promise<Rig & { readonly end: () => void }> {
  const rig = makeRig({ reconcile, risk: { dailyLossFraction: 0.1, drawdownFraction: 0.1 }, ...options });
  const reconciler = createReconciler(rig.executor, { markets: ['spot'] });
  reconciler.start();
  // Only currencies of traded symbols are taken over.
  await rig.clock.advanceAsync(1_000);
  rig.executor.submit('maker', { ...limit, price: '59000' });
  await rig.clock.advanceAsync(12_000);
  return { ...rig, end: () => reconciler.stop() };
}

function flows(rig: Rig): unknown[] {
  return rig.events.flatMap((event) =>
    event.kind === 'cash-flow' ? [[event.flow.cause, event.flow.currency, event.flow.amount]] : [],
  );
}

describe('money that a human moves while a session runs', () => {
  it('out is booked by the list of movements: no alarm, no closed gate, no loss of the day', async () => {
    const rig = await traded();
    rig.venue.balancesNow = [trading('USDT', '500000'), trading('BTC', '10')];
    rig.venue.movementsNow = [
      {
        id: 'tx1',
        type: 'withdrawal',
        account: 'unified-trading',
        currency: 'USDT',
        amount: '500000',
        ts: rig.clock.now(),
      },
      { id: 'tx2', type: 'transfer', account: 'funding', currency: 'USDT', amount: '7', ts: rig.clock.now() },
    ];
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
    await rig.clock.advanceAsync(20_000);
    expect(flows(rig)).toEqual([['movement', 'USDT', '-500000']]);
    expect(alarms(rig)).toEqual([]);
    rig.executor.submit('maker', { ...limit, ref: 'after' });
    expect(denials(rig)).toEqual([]);
  });

  it('in is no gain that a later loss could be paid from', async () => {
    const rig = await traded();
    rig.venue.balancesNow = [trading('USDT', '2000000'), trading('BTC', '10')];
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
    await rig.clock.advanceAsync(20_000);
    expect(flows(rig)).toEqual([['credit', 'USDT', '1000000']]);
    rig.executor.submit('maker', { ...limit, ref: 'still' });
    expect(denials(rig)).toEqual([]);
    // Ten bitcoins were worth 600,000 of 1,600,000 at the start of the day.
    rig.market.bid = 4_300_000;
    rig.market.ask = 4_300_100;
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...limit, price: '43000', ref: 'loss' });
    expect(denials(rig)).toEqual(['daily_loss']);
  });

  it('that nothing lists still closes the gate', async () => {
    const rig = await traded();
    rig.venue.balancesNow = [trading('USDT', '500000'), trading('BTC', '10')];
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
    await rig.clock.advanceAsync(20_000);
    expect(flows(rig)).toEqual([]);
    expect(alarms(rig)).toEqual(['balance_residual']);
  });

  it('while it was down shifts the day of the journal, once over restarts', async () => {
    const first = await traded();
    const { journal, clock, venue } = first;
    venue.balancesNow = [trading('USDT', '400000'), trading('BTC', '10')];
    const again = await traded({ journal, clock, venue, bootId: 'b2' });
    expect(flows(again)).toEqual([['while down', 'USDT', '-600000']]);
    // Before it is recognised, an order is held back; afterwards none is.
    const held = denials(again).length;
    again.executor.submit('maker', { ...limit, ref: 'again' });
    expect(denials(again)).toHaveLength(held);
    const third = await traded({ journal, clock, venue, bootId: 'b3' });
    third.executor.submit('maker', { ...limit, ref: 'third' });
    expect([flows(third), denials(third)]).toEqual([[], []]);
  });

  /** Down for an hour, ten minutes into which somebody moved `rows`. */
  async function afterAnHour(
    total: string,
    rows: readonly Omit<AccountMovement, 'ts'>[],
    list: 'complete' | 'failed' = 'complete',
  ): ReturnType<typeof traded> {
    const { journal, clock, venue, end } = await traded();
    end();
    clock.advance(600_000);
    venue.movementsNow = rows.map((row) => ({ ...row, ts: clock.now() }));
    clock.advance(3_000_000);
    venue.balancesNow = [trading('USDT', total), trading('BTC', '10')];
    venue.readable.movements = list;
    return traded({ journal, clock, venue, bootId: 'b2' });
  }

  const out: Omit<AccountMovement, 'ts'> = {
    id: 'tx1',
    type: 'transfer',
    account: 'unified-trading',
    currency: 'USDT',
    amount: '600000',
  };

  it('while it was down for long is booked by its name, without an alarm, once over restarts', async () => {
    const again = await afterAnHour('400000', [out]);
    expect([flows(again), alarms(again)]).toEqual([[['movement', 'USDT', '-600000']], []]);
    const { journal, clock, venue, end } = again;
    end();
    const third = await traded({ journal, clock, venue, bootId: 'b3' });
    third.executor.submit('maker', { ...limit, ref: 'third' });
    expect([flows(third), alarms(third), denials(third)]).toEqual([[], [], []]);
  });

  it('into it while it was down for long is told by its transfer', async () => {
    const again = await afterAnHour('1600000', [{ ...out, account: 'funding' }]);
    expect([flows(again), alarms(again)]).toEqual([[['movement', 'USDT', '600000']], []]);
    const { journal, clock, venue, end } = again;
    end();
    const third = await traded({ journal, clock, venue, bootId: 'b3' });
    expect([flows(third), alarms(third)]).toEqual([[], []]);
  });

  it('while it was down is booked by its name as far as it has one; the rest is taken over, with an alarm', async () => {
    const again = await afterAnHour('390000', [out]);
    expect(flows(again)).toEqual([
      ['movement', 'USDT', '-600000'],
      ['while down', 'USDT', '-10000'],
    ]);
    expect(alarms(again)).toEqual(['balance_residual']);
  });

  it('and was taken over is not booked again when the list shows it later', async () => {
    const again = await afterAnHour('400000', [out], 'failed');
    const { clock, venue } = again;
    expect(flows(again)).toEqual([['while down', 'USDT', '-600000']]);
    venue.readable.movements = 'complete';
    // Another difference has the list read again.
    venue.balancesNow = [trading('USDT', '400000'), trading('BTC', '9')];
    await clock.advanceAsync(20_000);
    expect(flows(again)).toEqual([['while down', 'USDT', '-600000']]);
  });

  it('in, where perpetuals settle, is told from a profit by its transfer', async () => {
    const rig = makeRig({ reconcile, specs: [BTC, PERP], risk: { dailyLossFraction: 0.1 } });
    createReconciler(rig.executor).start();
    await rig.clock.advanceAsync(1_000);
    rig.executor.submit('maker', { ...limit, symbol: 'BTCUSDTPERP', price: '59000', quantity: '0.01' });
    await rig.clock.advanceAsync(5_000);
    const ts = rig.clock.now();
    rig.venue.balancesNow = [trading('USDT', '1250000'), trading('BTC', '10')];
    rig.venue.movementsNow = [
      { id: 'tx9', type: 'transfer', account: 'funding', currency: 'USDT', amount: '250000', ts },
    ];
    await rig.clock.advanceAsync(5_000);
    expect(flows(rig)).toEqual([['movement', 'USDT', '250000']]);
    rig.venue.balancesNow = [trading('USDT', '1240000'), trading('BTC', '10')];
    await rig.clock.advanceAsync(15_000);
    expect([flows(rig).length, alarms(rig)]).toEqual([1, []]);
  });

  it('in while it was down, where perpetuals settle, is no gain of the day, once over restarts', async () => {
    const options = { reconcile, specs: [BTC, PERP], risk: { dailyLossFraction: 0.1 } };
    const perp = { ...limit, symbol: 'BTCUSDTPERP', price: '59000', quantity: '0.01' } as const;
    const first = makeRig(options);
    const reconciler = createReconciler(first.executor);
    reconciler.start();
    await first.clock.advanceAsync(1_000);
    first.executor.submit('maker', perp);
    await first.clock.advanceAsync(90_000);
    reconciler.stop();
    const { journal, clock, venue } = first;
    clock.advance(600_000);
    const into = { type: 'transfer', account: 'funding', currency: 'USDT' } as const;
    venue.movementsNow = [
      { ...into, id: 'tx7', amount: '300000', ts: clock.now() },
      { ...into, id: 'tx8', amount: '200000', ts: clock.now() },
      // One that went elsewhere.
      { ...into, id: 'tx9', amount: '77', ts: clock.now() - 3_600_000 },
    ];
    clock.advance(600_000);
    venue.balancesNow = [trading('USDT', '1500000'), trading('BTC', '10')];
    const again = makeRig({ ...options, journal, clock, venue, bootId: 'b2' });
    const second = createReconciler(again.executor);
    second.start();
    await clock.advanceAsync(90_000);
    second.stop();
    expect([flows(again), alarms(again)]).toEqual([
      [
        ['movement', 'USDT', '300000'],
        ['movement', 'USDT', '200000'],
      ],
      [],
    ]);
    const third = makeRig({ ...options, journal, clock, venue, bootId: 'b3' });
    createReconciler(third.executor).start();
    await clock.advanceAsync(40_000);
    expect(flows(third)).toEqual([]);
    // The day began with 1,600,000; a tenth of that is lost, though more is there than in the morning.
    venue.balancesNow = [trading('USDT', '1339000'), trading('BTC', '10')];
    venue.emit({ kind: 'balances', balances: venue.balancesNow, whole: true });
    await clock.advanceAsync(2_000);
    third.executor.submit('maker', { ...perp, ref: 'again' });
    expect(denials(third)).toEqual(['daily_loss']);
  });

  it('out while it was down, where perpetuals settle, is no loss of the day', async () => {
    const options = { reconcile, specs: [BTC, PERP], risk: { dailyLossFraction: 0.1 } };
    const perp = { ...limit, symbol: 'BTCUSDTPERP', price: '59000', quantity: '0.01' } as const;
    const first = makeRig(options);
    const reconciler = createReconciler(first.executor);
    reconciler.start();
    await first.clock.advanceAsync(1_000);
    first.executor.submit('maker', perp);
    await first.clock.advanceAsync(12_000);
    reconciler.stop();
    const { journal, clock, venue } = first;
    clock.advance(600_000);
    venue.movementsNow = [{ ...out, amount: '400000', ts: clock.now() }];
    clock.advance(600_000);
    venue.balancesNow = [trading('USDT', '600000'), trading('BTC', '10')];
    const again = makeRig({ ...options, journal, clock, venue, bootId: 'b2' });
    createReconciler(again.executor).start();
    await clock.advanceAsync(40_000);
    expect([flows(again), alarms(again)]).toEqual([[['movement', 'USDT', '-400000']], []]);
    again.executor.submit('maker', { ...perp, ref: 'again' });
    expect(denials(again)).toEqual([]);
  });
});
