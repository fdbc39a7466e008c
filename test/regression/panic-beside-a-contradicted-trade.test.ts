/**
 * Found by 2,000 simulated hours (seed 40301268): the list of own trades showed twice the sale that was booked, the symbol was
 * halted, and `panic --flatten` sold all that was booked: more than was held, and so coins of the user's own.
 */
import { expect, it } from 'vitest';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { flattenEverything, type Flattening } from '../../src/session/emergency/panic-flatten.ts';
import { Problems } from '../../src/session/emergency/panic.ts';
import { holding, type Setting } from '../e2e/panic-setting.ts';

/** The account's own trades, each of `quantity`. */
function listing(exchange: Exchange, quantity: string): Exchange {
  const { orders } = exchange;
  const told: Pick<Exchange['orders'], 'create' | 'active' | 'history' | 'ownTrades'> = {
    create: (...args) => orders.create(...args),
    active: (...args) => orders.active(...args),
    history: (...args) => orders.history(...args),
    ownTrades: async (...args) => {
      const reading = await orders.ownTrades(...args);
      if (reading.kind !== 'complete') return reading;
      const items = reading.items.map((trade) => (trade.side === 'buy' ? { ...trade, quantity } : trade));
      return { ...reading, items };
    },
  };
  return { orders: told, clockOffset: exchange.clockOffset, futures: exchange.futures } as unknown as Exchange;
}

async function flattened({ stack, root, world }: Setting, listed: string): Promise<Flattening & { said: string }> {
  const { exchange, instruments, clock } = stack.connection;
  const owner = { account: 'alice', exchange: world.sandbox.restUrl };
  const shared = { instruments, root, owner, clock, clientOrderIds: world.clientOrderIds, unique: 'p' };
  const problems = new Problems();
  const flattening = await flattenEverything({ ...shared, exchange: listing(exchange, listed) }, problems);
  return { ...flattening, said: problems.list().join('\n') };
}

// 0.05 are booked in one trade, less its fee of 0.000025.
it.each([
  { listed: '0.03', sold: '0.02997' },
  { listed: '0.07', sold: '0.04997' },
])('closes what is held by the books and by the list: $listed', ({ listed, sold }) =>
  holding(async (setting) => {
    const { flattened: sent, end, said } = await flattened(setting, listed);
    expect(sent).toEqual([{ symbol: 'BTCUSDT', quantity: `sell ${sold}`, outcome: 'accepted' }]);
    expect(end).toBe('unproved');
    expect(said).toContain(`is booked as 0.05 at`);
    expect(said).toContain(`the list of own trades shows ${listed} at`);
  }),
);

it('closes all and says nothing where both agree', () =>
  holding(async (setting) => {
    expect(await flattened(setting, '0.05')).toMatchObject({ end: 'done', said: '' });
  }));
