/**
 * The exchange nets what strategies hold against each other: the equity of the account is the wallet and the open profit
 * of the netted position, and nothing of it is external while nobody else trades.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { dec, decimalText } from '../../src/model/numbers/money.ts';
import { Position } from '../../src/model/trading/position.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { strategyPnl } from '../../src/session/recorder/strategy-pnl.ts';
import { accountPositions } from '../../src/spine/account-positions.ts';
import { amountsOf } from '../../src/spine/positions.ts';
import { TradingState } from '../../src/spine/trading-state.ts';
import { denials, makeRig, PERP, trading, type Rig } from '../execution/rig.ts';
import { bought, byHand, held } from '../execution/perpetual-rig.ts';
import { instruments, perpetual } from '../simulation/market.ts';

const START = '1000000';

const step = fc.record({
  tag: fc.constantFrom('maker', 'taker'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 80, max: 120 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  fee: fc.constantFrom('0', '0.01', '-0.02'),
});

it('figures/account/wallet and netted positions are the start and the profit of all strategies (law)', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 50, max: 150 }), (steps, last) => {
      const state = new TradingState();
      const recorder = new RunRecorder(instruments, 'BBB');
      const exchange = new Position();
      let wallet = dec(START);
      recorder.begin(0, () => ({
        totals: new Map([['BBB', decimalText(wallet)]]),
        positions: accountPositions(state, () => undefined).map(({ instrument, quantity, cost }) => ({
          symbol: instrument.symbol,
          quantity: decimalText(quantity),
          cost: decimalText(cost.times(instrument.contractSize)),
        })),
      }));
      recorder.hold(null);
      for (const [index, { tag, side, price, quantity, fee }] of steps.entries()) {
        const amounts = { price: String(price), quantity: String(quantity), fee, feeCurrency: 'BBB' };
        const what = { tradeId: `t${index}`, symbol: perpetual.symbol, market: 'derivative', side } as const;
        const fill = { ...what, ...amounts, ts: index } as VenueFill;
        state.positions.apply(tag, perpetual, fill, amountsOf(fill));
        recorder.traded(fill);
        const profit = exchange.apply(side, dec(price), dec(quantity));
        wallet = wallet.plus(profit.times(perpetual.contractSize)).minus(fee);
        recorder.equity.price(index, perpetual.symbol, last);
        const figures = recorder.figures!;
        expect(decimalText(figures.external)).toBe('0');
        const each = ['maker', 'taker'].map(
          (one) => strategyPnl(state.positions.all(), one, recorder.prices) ?? Number.NaN,
        );
        expect(each[0]! + each[1]!).toBeCloseTo(figures.accountPnl.toNumber(), 6);
      }
    }),
    { numRuns: 200 },
  );
});

describe('the equity of the account', () => {
  function trades(rig: Rig, strategy: string, side: 'buy' | 'sell', price: string): void {
    rig.executor.submit(strategy, { kind: 'place', symbol: PERP.symbol, side, type: 'market', quantity: '1' });
    for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '1', price);
  }

  function wallet(rig: Rig, total: string): void {
    rig.venue.emit({ kind: 'balances', balances: [trading('USDT', total), trading('BTC', '0')], whole: true });
    rig.clock.advance(2_000);
  }

  it.each([
    ['sell', '61995', '64005', '997927', 2_073],
    ['buy', '64005', '61995', '997927', 2_073],
    ['buy', '61995', '64005', '1001947', -1_947],
  ] as const)(
    'counts once what two strategies hold against each other: %s at %s',
    (side, first, second, total, lost) => {
      const rig = makeRig({ risk: { dailyLossFraction: 0.003 } });
      wallet(rig, START);
      expect(rig.executor.equity()).toBe(1_000_000);
      trades(rig, 'taker', side, first);
      trades(rig, 'maker', side === 'buy' ? 'sell' : 'buy', second);
      wallet(rig, total);
      rig.market.move(70_000);
      expect(rig.executor.equity()).toBe(1_000_000 - lost);
      rig.executor.valueAccount();
      expect(rig.executor.lossOfDay()?.amount).toBe(lost);
      trades(rig, 'maker', 'buy', '70000');
      expect(denials(rig)).toEqual([]);
    },
  );

  it('is that of the told position when a human has closed it by hand', async () => {
    const { rig, reconciler } = await bought();
    byHand(rig, 'h1', 'sell', '0.1');
    rig.venue.positionsNow = [];
    rig.venue.balancesNow = [trading('USDT', '1000100')];
    await rig.clock.advanceAsync(61_000, 1_000);
    rig.market.move(64_000);
    rig.clock.advance(2_000);
    expect(rig.executor.equity()).toBe(1_000_100);
    rig.venue.emit({ kind: 'positions', positions: [held('0.2')], whole: true });
    rig.clock.advance(2_000);
    expect(rig.executor.equity()).toBeCloseTo(1_000_100 + 0.2 * 4_000.5, 6);
    reconciler.stop();
  });
});
