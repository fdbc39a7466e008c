/** An account that the journal knows to hold money and that shows no balance at all was not read (M15): no reason to pull. */
import { afterEach, expect, it } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { TradingState } from '../../../src/spine/trading-state.ts';
import { ExchangeEyes } from '../../../src/operations/watchdog/exchange-sight.ts';
import { openWatched } from './watched.ts';

let close = async (): Promise<void> => {};
afterEach(() => close());

it('takes an empty overview for unreadable when the journal knows money, and for empty when it does not', async () => {
  const { world, exchange } = await openWatched();
  close = () => world.close();
  const { account, orders, marketData, money } = exchange;
  const empty = {
    positions: () => account.positions(),
    balances: async () => ({ kind: 'complete', asOf: 0, items: [] }),
  };
  // The real exchange but for its balances.
  const emptied = { orders, marketData, money, account: empty } as unknown as Exchange;
  const eyes = new ExchangeEyes(emptied, 'USDT', '0.00000001');
  const state = new TradingState();
  expect(await eyes.look(state)).toMatchObject({ equity: 0, problems: [] });
  state.adjust({ id: '1', subject: 'balance', name: 'USDT', quantity: '1000', cause: 'opening' }, 0);
  const seen = await eyes.look(state);
  expect(seen).toMatchObject({ equity: null, positions: null, differences: null });
  expect(seen.problems).toEqual([expect.stringContaining('the list has no balance')]);
});
