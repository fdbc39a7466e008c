/**
 * On bars funding was settled at the open of the bar that had just ended, a bar late. A liquidation on bars was marked at
 * the mid of the bar before it.
 */
import { expect, it } from 'vitest';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { CandleEvent, FundingEvent } from '../../src/model/market/market-event.ts';
import { US_PER_MS } from '../../src/model/time.ts';
import { SimulatedExchange } from '../../src/simulation/venue/exchange.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { instruments, perpetual } from '../simulation/market.ts';

const HOUR_MS = 3_600_000;

class Bars {
  readonly exchange: SimulatedExchange;
  readonly paid: string[] = [];
  readonly marked: [side: string, mid: number][] = [];
  readonly #hasOpens: boolean;
  #mid = 0;

  /** `hasOpens`: whether somebody says that bars open, as in a backtest. */
  constructor(perpetuals: object, hasOpens = true) {
    this.#hasOpens = hasOpens;
    this.exchange = new SimulatedExchange({
      instruments,
      options: simulationOptions.parse({
        exchange: 'candles',
        slippageBps: 0,
        fees: { maker: 0, taker: 0 },
        perpetuals,
      }),
      start: { BBB: '100000' },
      sync: () => ({ rule: 'none', start: 'updates' }),
      observer: {
        mid: (_, halfTicks) => (this.#mid = halfTicks / 2),
        marked: () => {},
        filled: ({ side }: VenueFill) => this.marked.push([side, this.#mid]),
        granted: () => {},
        funded: (_, _side, amount) => this.paid.push(amount),
        settled: () => {},
        liquidated: () => {},
      },
    });
    this.exchange.open();
  }

  bar(hour: number, open: number, close: number, hours = 1): void {
    const intervalMs = hours * HOUR_MS;
    const openTime = hour * HOUR_MS;
    const closeUs = (openTime + intervalMs) * US_PER_MS;
    const prices = { open, high: Math.max(open, close), low: Math.min(open, close), close };
    const at = { instrument: perpetual, exchangeUs: closeUs, receiveUs: closeUs };
    const bar: CandleEvent = { kind: 'candle', ...at, intervalMs, openTime, ...prices, volume: 1000, closed: true };
    const us = openTime * US_PER_MS;
    if (this.#hasOpens) {
      this.exchange.onMarket({ ...bar, kind: 'bar-open', exchangeUs: us, receiveUs: us });
      this.exchange.tradeOpen(perpetual, us + 2_000_000);
    }
    this.exchange.onMarket(bar);
  }

  buy(hour: number, quantity = '1'): void {
    const us = hour * HOUR_MS * US_PER_MS;
    const terms = { market: 'derivative', symbol: perpetual.symbol, side: 'buy', type: 'market', quantity } as const;
    this.exchange.create({ ...terms, timeInForce: 'ioc', price: null, clientOrderId: `c${hour}` }, us);
  }

  /** Long 1 since 06:00. */
  static long(perpetuals: object, hasOpens = true): Bars {
    const bars = new Bars(perpetuals, hasOpens);
    bars.bar(5, 10_000, 10_000);
    bars.buy(6);
    bars.bar(6, 10_000, 10_000);
    return bars;
  }
}

it.each([true, false])('figures/funding/settles at the close of the bar that ends then, opens told: %s', (hasOpens) => {
  const bars = Bars.long({ fundingRate: 0.01 }, hasOpens);
  bars.bar(7, 10_000, 20_000);
  expect(bars.paid).toEqual(['-200']);
  bars.bar(8, 30_000, 40_000);
  expect(bars.paid).toEqual(['-200']);
});

it('figures/funding/a settlement that the data tell before that close waits for it', () => {
  const bars = Bars.long({});
  const us = 8 * HOUR_MS * US_PER_MS;
  const at = { instrument: perpetual, exchangeUs: us, receiveUs: us };
  const told: FundingEvent = { kind: 'funding', ...at, rate: '0.01', nextFundingTime: 0 };
  const openTime = 7 * HOUR_MS;
  const prices = { open: 10_000, high: 20_000, low: 10_000, close: 20_000 };
  const bar: CandleEvent = { kind: 'candle', ...at, intervalMs: HOUR_MS, openTime, ...prices, volume: 9, closed: true };
  bars.exchange.onMarket({ ...bar, kind: 'bar-open', exchangeUs: openTime * US_PER_MS });
  bars.exchange.onMarket(told);
  expect(bars.paid).toEqual([]);
  bars.exchange.onMarket(bar);
  expect(bars.paid).toEqual(['-200']);
});

it('figures/funding/settles at the open while a longer bar runs', () => {
  const bars = new Bars({ fundingRate: 0.01 });
  bars.bar(0, 10_000, 10_000, 12);
  bars.buy(12);
  bars.bar(12, 10_000, 20_000, 12);
  // At 16:00 the bar runs, at 24:00 it has closed.
  expect(bars.paid).toEqual(['-100', '-200']);
});

it('figures/liquidation/is marked at the mid that caused it', () => {
  const bars = new Bars({ leverage: 20 });
  bars.bar(5, 10_000, 10_000);
  bars.buy(6, '100');
  bars.bar(6, 10_000, 10_000);
  bars.bar(7, 10_000, 9_000);
  expect(bars.marked).toEqual([
    ['buy', 10_000],
    ['sell', 9_000],
  ]);
});
