import { describe, expect, it } from 'vitest';
import type { Balance } from '../../src/model/account.ts';
import { createPrivateStream } from '../../src/streams/private.ts';

const usdt: Balance = { account: 'unified-trading', currency: 'USDT', available: '5', locked: '0', total: '5' };
const btc: Balance = { ...usdt, currency: 'BTC' };

describe('the private stream of a venue', () => {
  it('gives the present connection state and balances to a late subscriber', () => {
    const stream = createPrivateStream();
    stream.onEvent({ kind: 'stream', state: 'ready', generation: 1, reason: '' });
    stream.onEvent({ kind: 'stream', state: 'lost', generation: 1, reason: 'reset' });
    stream.onEvent({ kind: 'balances', balances: [usdt, btc], whole: true });
    stream.onEvent({ kind: 'balances', balances: [{ ...usdt, total: '6' }], whole: false });
    const states: string[] = [];
    const totals: string[] = [];
    stream.state.subscribe(({ state, reason }) => states.push(`${state} ${reason}`));
    stream.balances.subscribe(({ currency, total }) => totals.push(`${currency} ${total}`));
    expect(states).toEqual(['lost reset']);
    expect(totals).toEqual(['USDT 6', 'BTC 5']);
  });

  it('a whole list replaces what was there', () => {
    const stream = createPrivateStream();
    stream.onEvent({ kind: 'balances', balances: [usdt, btc], whole: true });
    stream.onEvent({ kind: 'balances', balances: [btc], whole: true });
    const currencies: string[] = [];
    stream.balances.subscribe(({ currency }) => currencies.push(currency));
    expect(currencies).toEqual(['BTC']);
  });

  it('orders and fills do not replay', () => {
    const stream = createPrivateStream();
    const report = {
      orderId: 'o1',
      market: 'spot',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '1',
      quantity: '1',
      filledQuantity: '0',
      averagePrice: null,
      status: 'new',
      createdAt: 1,
      updatedAt: 1,
    } as const;
    stream.onEvent({ kind: 'order', order: report });
    const ids: string[] = [];
    stream.orders.subscribe(({ orderId }) => ids.push(orderId));
    expect(ids).toEqual([]);
    stream.onEvent({ kind: 'order', order: { ...report, orderId: 'o2' } });
    expect(ids).toEqual(['o2']);
  });
});
