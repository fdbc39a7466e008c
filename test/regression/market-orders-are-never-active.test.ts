/**
 * Found by hand with a strategy that trades with market orders: once a minute it was warned that a private channel did not
 * report a fill, and the channel was subscribed again. An order that fills at once is never active, so `order-info` has none
 * of it; only the history has.
 */
import { expect, it } from 'vitest';
import type { ChannelSource } from '../../src/exchange/client/sockets/channel-source.ts';
import { createChannelTable } from '../../src/exchange/interface/channels.ts';
import { PrivateStream } from '../../src/exchange/private-stream.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { ManualClock } from '../exchange/clocks.ts';

const ACTIVE = 'BTCUSDT@order-info';
const HISTORY = 'BTCUSDT@order-history';
const TRADES = 'BTCUSDT@my-trades';

/** What a fill leads to when these channels speak after it. */
function afterFill(liquidity: 'maker' | 'taker', speaking: readonly string[]): object {
  const clock = new ManualClock();
  const renewed: string[] = [];
  const warned: string[] = [];
  const source: ChannelSource = {
    subscribe: () => {},
    unsubscribe: () => {},
    resubscribe: (channel) => void renewed.push(channel),
    reconnect: () => {},
    listen: () => () => {},
    state: { kind: 'open', generation: 1 },
  };
  const channels = createChannelTable({});
  const stream = new PrivateStream({
    source,
    channels,
    symbols: [{ symbol: 'BTCUSDT', market: 'spot' }],
    clock,
    logger: { ...silentLogger, warn: (_, text) => void warned.push(String(text)) },
    emit: () => {},
  });
  const push = (channel: string, data: unknown): void =>
    stream.frame({ channel, seq: 1, ts: clock.now(), data, receiveUs: clock.nowUs(), generation: 1 });
  stream.start();
  stream.state({ kind: 'open', generation: 1 });
  stream.acknowledged([channels.name('spotBalances'), ACTIVE, HISTORY, TRADES]);
  const order = { orderId: '7', symbol: 'BTCUSDT', market: 'spot', side: 'buy', quantity: '0.01' };
  push(TRADES, [
    { ...order, tradeId: '1', price: '60000', fee: '0.3', feeCurrency: 'USDT', liquidity, ts: clock.now() },
  ]);
  for (const channel of [channels.name('spotBalances'), ...speaking]) push(channel, []);
  clock.advance(10_000);
  return { renewed, warned };
}

it('expects a fill at once in the history, or among active orders where a part of the order rests', () => {
  expect(afterFill('taker', [HISTORY])).toEqual({ renewed: [], warned: [] });
  expect(afterFill('taker', [ACTIVE])).toEqual({ renewed: [], warned: [] });
});

it('subscribes again, and names, each channel that should have reported it', () => {
  const warned = [ACTIVE, HISTORY].map(
    (channel) => `private channel ${channel} did not report a fill; it is subscribed again`,
  );
  expect(afterFill('taker', [])).toEqual({ renewed: [ACTIVE, HISTORY], warned });
});

it('still misses the active orders at the fill of an order that rested', () => {
  expect(afterFill('maker', [HISTORY])).toMatchObject({ renewed: [ACTIVE] });
  expect(afterFill('maker', [ACTIVE])).toEqual({ renewed: [], warned: [] });
});
