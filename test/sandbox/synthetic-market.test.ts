/** The synthetic market looks like one, is the same for the same seed, and meets the contract's rates. */
import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../src/model/market/market-event.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SymbolMarket } from '../../src/sandbox/core/orders/order-record.ts';
import { levelsOf } from './book-levels.ts';
import { ManualClock } from './manual-clock.ts';

function open(seed: number): { clock: ManualClock; sandbox: Sandbox } {
  const clock = new ManualClock();
  const sandbox = new Sandbox({ clock, seed });
  sandbox.start();
  return { clock, sandbox };
}

function market(sandbox: Sandbox, symbol: string): SymbolMarket {
  const found = sandbox.exchange.markets.get(symbol);
  if (found === undefined) throw new Error(symbol);
  return found;
}

function mid({ book, instrument }: SymbolMarket): number {
  return instrument.priceOf(book.bidTicks + book.askTicks) / 2;
}

describe('synthetic market', () => {
  it('is there at once: every book has twenty levels a side, candles and mark prices have a past', () => {
    const { sandbox } = open(1);
    for (const each of sandbox.exchange.markets.values()) {
      expect(levelsOf(each, BID).length).toBeGreaterThanOrEqual(20);
      expect(levelsOf(each, ASK).length).toBeGreaterThanOrEqual(20);
      expect(each.book.askTicks).toBeGreaterThan(each.book.bidTicks);
      expect(each.candles.list(60_000, 0, Number.MAX_SAFE_INTEGER, 2000)).toHaveLength(1440);
    }
    expect(Number(sandbox.exchange.futures.perpetuals.get('BTCUSDTPERP')?.markPrice)).toBeGreaterThan(0);
    sandbox.stop();
  });

  it('never crosses, stays deep, keeps pairs consistent, has fat tails, and keeps the sums', () => {
    const { clock, sandbox } = open(4);
    const btc = market(sandbox, 'BTCUSDT');
    const mids: number[] = [];
    let trades = 0;
    let lastTaken = btc.candles.latest?.lots ?? 0;
    for (let second = 0; second < 600; second++) {
      clock.advance(1000);
      for (const each of sandbox.exchange.markets.values()) {
        expect(each.book.bidTicks).toBeGreaterThan(0);
        expect(each.book.askTicks).toBeGreaterThan(each.book.bidTicks);
        expect(Math.min(levelsOf(each, BID).length, levelsOf(each, ASK).length)).toBeGreaterThanOrEqual(15);
      }
      const cross = mid(market(sandbox, 'ETHUSDT')) / mid(btc);
      expect(Math.abs(mid(market(sandbox, 'ETHBTC')) / cross - 1)).toBeLessThan(0.003);
      expect(Math.abs(mid(market(sandbox, 'BTCUSDTPERP')) / mid(btc) - 1)).toBeLessThan(0.003);
      mids.push(mid(btc));
      const lots = btc.candles.latest?.lots ?? 0;
      if (lots !== lastTaken) trades++;
      lastTaken = lots;
    }
    const returns = mids.slice(1).map((price, index) => Math.log(price / mids[index]!));
    const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    const moment = (power: number): number =>
      returns.reduce((sum, value) => sum + (value - mean) ** power, 0) / returns.length;
    expect(moment(4) / moment(2) ** 2).toBeGreaterThan(3);
    expect(Math.sqrt(moment(2))).toBeGreaterThan(1e-5);
    expect(Math.sqrt(moment(2))).toBeLessThan(1e-3);
    expect(trades).toBeGreaterThan(300);
    for (const [, total] of sandbox.exchange.accounts.totals()) expect(total.toFixed()).toBe('0');
    sandbox.stop();
  });

  it('is the same for the same seed and steps, and another for another seed', () => {
    const path = (seed: number): string => {
      const { clock, sandbox } = open(seed);
      const states: string[] = [];
      for (let step = 0; step < 100; step++) {
        clock.advance(100);
        for (const each of sandbox.exchange.markets.values()) {
          states.push(JSON.stringify([levelsOf(each, BID)[0], levelsOf(each, ASK)[0], each.lastTicks]));
        }
      }
      sandbox.stop();
      return states.join('\n');
    };
    expect(path(11)).toBe(path(11));
    expect(path(11)).not.toBe(path(12));
  });

  it('goes on from the same book after a skip, and skipped minutes have no candle', () => {
    const { clock, sandbox } = open(2);
    clock.advance(5000);
    const btc = market(sandbox, 'BTCUSDT');
    const before = [btc.book.bidTicks, btc.book.askTicks];
    const from = sandbox.now();
    sandbox.advance(3_600_000);
    expect([btc.book.bidTicks, btc.book.askTicks]).toEqual(before);
    clock.advance(5000);
    expect(Math.abs(btc.book.bidTicks / before[0]! - 1)).toBeLessThan(0.01);
    const candles = btc.candles.list(60_000, from, Number.MAX_SAFE_INTEGER, 1000);
    expect(candles.length).toBeLessThanOrEqual(2);
    expect(candles.at(-1)?.openTime).toBeGreaterThan(from + 3_500_000);
    sandbox.stop();
  });

  it('settles funding every eight hours when the clock is moved', () => {
    const { clock, sandbox } = open(2);
    clock.advance(3000);
    sandbox.advance(24 * 3_600_000);
    const history = sandbox.exchange.futures.perpetuals.get('BTCUSDTPERP')?.history(10) ?? [];
    expect(history).toHaveLength(3);
    expect(history.map((record) => record.ts % (8 * 3_600_000))).toEqual([0, 0, 0]);
    sandbox.stop();
  });
});
