/**
 * Prices or instruments that could not be read at the first look of a watchdog: what they leave without a value is unreadable,
 * no reason to pull, and no equity to begin the day with.
 */
import { afterEach, expect, it } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { riskSchema } from '../../../src/risk/options.ts';
import { TradingState } from '../../../src/spine/trading-state.ts';
import { watchRules } from '../../../src/operations/watchdog/configured-rules.ts';
import { ExchangeEyes } from '../../../src/operations/watchdog/exchange-sight.ts';
import { judge, WatchRulesMemory } from '../../../src/operations/watchdog/rules.ts';
import { signed } from '../../conformance/raw-client.ts';
import { openWatched } from './watched.ts';

let close = async (): Promise<void> => {};
afterEach(() => close());

it.each(['tickers', 'spotInstruments'] as const)(
  '%s that fail once are a problem and nothing else',
  async (endpoint) => {
    const { world, exchange, apiKey } = await openWatched();
    close = () => world.close();
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '20000',
      quantity: '0.01',
    };
    const { status } = await signed(world.sandbox.restUrl, apiKey, 'POST', '/api/v2/exchange/client/order/spot', order);
    expect(status).toBeLessThan(300);
    const { account, orders, money } = exchange;
    const failing = { [endpoint]: async () => ({ kind: 'failed', error: new Error('429') }) };
    const marketData = { ...exchange.marketData, ...failing };
    const eyes = new ExchangeEyes({ orders, money, account, marketData } as unknown as Exchange, 'USDT', '0.00000001');
    const rules = watchRules(riskSchema.parse({ maxOpenNotional: '5000', maxGrossValue: '5000' }), 10_000, 60_000);
    const verdict = async (): Promise<{ readonly pull: string | null; readonly equity: number | null }> => {
      const sight = await eyes.look(new TradingState());
      const seen = { ...sight, heartbeatAgeMs: 0, journalOpen: 1, killed: false, dayEquity: sight.equity };
      return { pull: judge(seen, rules, new WatchRulesMemory(), 0).pull, equity: sight.equity };
    };
    expect(await verdict()).toEqual({ pull: null, equity: null });
    Object.assign(marketData, exchange.marketData);
    expect(await verdict()).toEqual({ pull: null, equity: expect.any(Number) as number });
  },
);
