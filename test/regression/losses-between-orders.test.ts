/**
 * Losses were valued when an order was judged, and then alone: a day without orders until nine began at nine, and the fall of
 * its night counted for nothing; a highest between two orders was never seen. What had no price at that moment was left out:
 * the day of an account began without its coins when the book of another symbol came first, so that no loss of them reached
 * the limit, and a book that was lost for a moment made a falling position look like a new highest, for good.
 */
import { describe, expect, it } from 'vitest';
import {
  BTC,
  denials,
  HandClock,
  makeRig,
  PERP,
  TestVenue,
  trading,
  type Rig,
  type RigOptions,
} from '../execution/rig.ts';

const ETH = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };
const buyEth = { kind: 'place', symbol: 'ETHUSDT', side: 'buy', type: 'limit', quantity: '0.01' } as const;
const buyBtc = { ...buyEth, symbol: 'BTCUSDT' } as const;
const HOUR = 3_600_000;

/** A market with a mid for each symbol; undefined: its book is not there. */
function rigWith(mids: Record<string, number | undefined>, usdt: string, btc: string, options: RigOptions = {}): Rig {
  const clock = options.clock ?? new HandClock();
  const venue = new TestVenue(clock);
  venue.balancesNow = [trading('USDT', usdt), trading('BTC', btc)];
  const rig = makeRig({ clock, venue, specs: [BTC, ETH, PERP], ...options });
  const best = (symbol: string): ReturnType<Rig['market']['best']> => {
    const mid = mids[symbol];
    if (mid === undefined) return undefined;
    return { bidTicks: mid * 100 - 1, bidLots: 1e5, askTicks: mid * 100 + 1, askLots: 1e5 };
  };
  Object.assign(rig.market, { best, mid: (symbol: string) => mids[symbol] });
  return rig;
}

/** The session looks once a second. */
function pass(rig: Rig, ms: number): void {
  for (let done = 0; done < ms; done += 60_000) {
    rig.clock.advance(Math.min(60_000, ms - done));
    rig.executor.valueAccount();
  }
}

/** The maker buys so much of the perpetual, and it fills. */
function hold(rig: Rig, price: string, quantity: string): void {
  rig.executor.submit('maker', { kind: 'place', symbol: PERP.symbol, side: 'buy', type: 'limit', price, quantity });
  const [order] = rig.venue.resting();
  rig.venue.tellFill(order?.orderId ?? '', quantity);
}

describe('the loss of a day without orders', () => {
  it('is counted from midnight, not from the first order', () => {
    const mids = { BTCUSDT: 60_000, ETHUSDT: 3_000 };
    const rig = rigWith(mids, '1000', '1');
    rig.executor.submit('maker', { ...buyEth, price: '3000', ref: 'first' });
    pass(rig, 24 * HOUR);
    mids.BTCUSDT = 40_000;
    pass(rig, 9 * HOUR);
    rig.executor.submit('maker', { ...buyEth, price: '3000', ref: 'at nine' });
    expect(denials(rig)).toEqual(['daily_loss']);
  });

  it('of a strategy as well, and its highest between two orders is seen', () => {
    const mids = { [PERP.symbol]: 60_000, ETHUSDT: 3_000 };
    const options = { limits: { maxDailyLoss: '100', maxDrawdown: '100' } };
    const rig = rigWith(mids, '100000', '0', options);
    hold(rig, '60000', '0.1');
    pass(rig, 24 * HOUR);
    mids[PERP.symbol] = 58_500;
    pass(rig, HOUR);
    rig.executor.submit('maker', { ...buyEth, price: '3000', ref: 'lost' });
    expect(denials(rig)).toEqual(['daily_loss']);
    mids[PERP.symbol] = 63_000;
    pass(rig, HOUR);
    mids[PERP.symbol] = 61_500;
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...buyEth, price: '3000', ref: 'fallen' });
    expect(denials(rig)).toEqual(['daily_loss', 'drawdown']);
  });
});

describe('what has no price yet when the day begins', () => {
  it('belongs to it from its first price on: its loss is a loss of the day', () => {
    const mids: Record<string, number | undefined> = { ETHUSDT: 3_000 };
    const rig = rigWith(mids, '1000', '1');
    rig.executor.submit('maker', { ...buyEth, price: '3000', ref: 'first' });
    mids['BTCUSDT'] = 60_000;
    pass(rig, 2_000);
    mids['BTCUSDT'] = 45_000;
    pass(rig, 2_000);
    rig.executor.submit('maker', { ...buyBtc, price: '45000', ref: 'late' });
    expect(denials(rig)).toEqual(['daily_loss']);
    const days = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'day' ? [entry] : []));
    expect(days).toMatchObject([{ equity: '1000' }, { equity: '61000', priced: '60000' }]);
  });

  it('is no loss of the day either, where it is a position that lost before', () => {
    const rig = rigWith({ [PERP.symbol]: 60_000, ETHUSDT: 3_000 }, '20000', '0');
    hold(rig, '60000', '0.1');
    rig.clock.advance(24 * HOUR);
    const mids: Record<string, number | undefined> = { ETHUSDT: 3_000 };
    const again = rigWith(mids, '20000', '0', { clock: rig.clock, journal: rig.journal, bootId: 'b2' });
    again.executor.submit('maker', { ...buyEth, price: '3000', ref: 'first' });
    mids[PERP.symbol] = 10_000;
    pass(again, 2_000);
    again.executor.submit('maker', { ...buyEth, price: '3001', ref: 'second' });
    expect(denials(again)).toEqual([]);
  });
});

describe('a book that is lost for a moment', () => {
  it('makes no new highest of the account', () => {
    const mids: Record<string, number | undefined> = { [PERP.symbol]: 60_000, ETHUSDT: 3_000 };
    const rig = rigWith(mids, '20000', '0', { risk: { drawdownFraction: 0.5, dailyLossFraction: 1 } });
    hold(rig, '60000', '0.1');
    mids[PERP.symbol] = 50_000;
    pass(rig, 2_000);
    mids[PERP.symbol] = undefined;
    rig.venue.balancesNow = [trading('USDT', '20900')];
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
    pass(rig, 2_000);
    expect(rig.executor.equity()).toBe(19_900);
    const peaks = [...rig.journal.read()].flatMap(({ entry }) =>
      entry.kind === 'risk-mark' && entry.name === 'equity-peak' ? [entry.value] : [],
    );
    expect(peaks).toEqual(['20000']);
  });

  it('makes no new highest of a strategy', () => {
    const mids: Record<string, number | undefined> = { [PERP.symbol]: 60_000, ETHUSDT: 3_000 };
    const rig = rigWith(mids, '100000', '0', { limits: { maxDrawdown: '300' } });
    hold(rig, '60000', '0.1');
    rig.executor.submit('maker', { ...buyEth, price: '3000', quantity: '1', ref: 'eth' });
    rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '1');
    mids[PERP.symbol] = 56_000;
    mids['ETHUSDT'] = 3_600;
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...buyEth, price: '3600', ref: 'a' });
    mids[PERP.symbol] = undefined;
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...buyEth, price: '3600', ref: 'b' });
    mids[PERP.symbol] = 56_000;
    rig.clock.advance(2_000);
    rig.executor.submit('maker', { ...buyEth, price: '3600', ref: 'c' });
    expect(denials(rig)).toEqual([]);
  });
});

describe('a strategy that holds what has no price yet', () => {
  it('takes no new risk for half a minute at most, since its profit is not known', () => {
    const limits = { maxDrawdown: '300' };
    const rig = rigWith({ [PERP.symbol]: 60_000, ETHUSDT: 3_000 }, '100000', '0', { limits });
    hold(rig, '60000', '0.1');
    const mids: Record<string, number | undefined> = { ETHUSDT: 3_000 };
    const again = rigWith(mids, '100000', '0', { clock: rig.clock, journal: rig.journal, bootId: 'b2', limits });
    again.executor.submit('maker', { ...buyEth, price: '3000', ref: 'a' });
    expect(denials(again)).toEqual(['no_market']);
    again.clock.advance(31_000);
    again.executor.submit('maker', { ...buyEth, price: '3000', ref: 'b' });
    expect(denials(again)).toEqual(['no_market']);
  });
});
