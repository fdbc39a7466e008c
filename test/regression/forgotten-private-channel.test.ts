/**
 * Found by the fault simulator (seed 11, law L1): the exchange dropped the channel of the balances on a connection that
 * stayed. Fills went on to be told, and what was believed to be free was that of the last overview, up to 10 s old, for as long
 * as the connection lasted.
 */
import { expect, it } from 'vitest';
import type { ChannelFrame, ChannelSource } from '../../src/exchange/client/sockets/channel-source.ts';
import { createChannelTable } from '../../src/exchange/interface/channels.ts';
import { PrivateStream } from '../../src/exchange/private-stream.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { ManualClock } from '../exchange/clocks.ts';

const TRADES = 'BTCUSDTPERP@my-trades';
const ORDERS = 'BTCUSDTPERP@order-info';

const clock = new ManualClock();
const renewed: string[] = [];
const source: ChannelSource = {
  subscribe: () => {},
  unsubscribe: () => {},
  resubscribe: (channel) => void renewed.push(channel),
  reconnect: () => {},
  listen: () => () => {},
  state: { kind: 'open', generation: 1 },
};
const channels = createChannelTable({});
const balances = channels.name('futuresBalances');
const positions = channels.name('positions');
const stream = new PrivateStream({
  source,
  channels,
  symbols: [{ symbol: 'BTCUSDTPERP', market: 'derivative' }],
  clock,
  logger: silentLogger,
  emit: () => {},
});
const seqs = new Map<string, number>();

function tell(channel: string, data: unknown): void {
  const seq = (seqs.get(channel) ?? 0) + 1;
  seqs.set(channel, seq);
  const frame: ChannelFrame = {
    channel,
    seq,
    ts: clock.now(),
    data,
    receiveUs: clock.nowUs(),
    generation: 1,
  };
  stream.frame(frame);
}

const balance = [{ account: 'unified-trading', currency: 'USDT', available: '1', locked: '0', total: '1' }];

function fill(tradeId: string): void {
  tell(TRADES, [
    {
      tradeId,
      orderId: '7',
      symbol: 'BTCUSDTPERP',
      market: 'derivative',
      positionSide: 'both',
      side: 'buy',
      price: '60000',
      quantity: '0.01',
      fee: '0.3',
      feeCurrency: 'USDT',
      liquidity: 'taker',
      ts: clock.now(),
    },
  ]);
}

it('subscribes again to a private channel that is silent about a fill, once a minute, and to no other', () => {
  stream.start();
  stream.state({ kind: 'open', generation: 1 });
  stream.acknowledged([balances, positions, ORDERS, 'BTCUSDTPERP@order-history', TRADES]);

  // All speak: before the fill or after it.
  tell(balances, balance);
  fill('1');
  clock.advance(200);
  tell(ORDERS, {});
  tell(positions, []);
  clock.advance(10_000);
  expect(renewed).toEqual([]);

  fill('2');
  tell(ORDERS, {});
  tell(positions, []);
  clock.advance(4999);
  expect(renewed).toEqual([]);
  clock.advance(1);
  expect(renewed).toEqual([balances]);

  clock.advance(20_000);
  fill('3');
  tell(ORDERS, {});
  tell(positions, []);
  clock.advance(10_000);
  expect(renewed).toEqual([balances]);
  clock.advance(30_000);
  fill('4');
  tell(ORDERS, {});
  tell(positions, []);
  clock.advance(5000);
  expect(renewed).toEqual([balances, balances]);

  // A connection that ends takes what was due with it.
  clock.advance(60_000);
  fill('5');
  stream.state({ kind: 'lost', generation: 1, reason: 'cut' });
  clock.advance(60_000);
  expect(renewed).toHaveLength(2);
});
