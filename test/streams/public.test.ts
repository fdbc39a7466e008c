/**
 * The live public stream against a scripted channel source: what it subscribes, how a lost book and a mute channel come
 * back, and that nothing a frame or a consumer does gets through to the socket.
 */
import { describe, expect, it } from 'vitest';
import type {
  ChannelFrame,
  ChannelListener,
  ChannelSource,
  SocketState,
} from '../../src/exchange/client/sockets/channel-source.ts';
import type { MarketEvent } from '../../src/model/market/market-event.ts';
import type { Gap } from '../../src/model/market/views.ts';
import { createPublicStream, type PublicStream, type PublicStreamDeps } from '../../src/streams/public.ts';
import { FakeClock } from './fake-clock.ts';
import { btc, depth, instruments } from './market-fixtures.ts';

const T = 1_700_000_000_000;

class ScriptedSource implements ChannelSource {
  readonly desired = new Set<string>();
  readonly acts: string[] = [];
  readonly listeners = new Set<ChannelListener>();
  readonly clock: FakeClock;
  state: SocketState = { kind: 'connecting', generation: 1, attempt: 1 };

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  subscribe(channels: readonly string[]): void {
    for (const channel of channels) this.desired.add(channel);
  }

  unsubscribe(channels: readonly string[]): void {
    for (const channel of channels) this.desired.delete(channel);
  }

  resubscribe(channel: string): void {
    this.acts.push(`resubscribe ${channel}`);
  }

  reconnect(reason: string): void {
    this.acts.push(`reconnect ${reason}`);
    this.become({ kind: 'lost', generation: this.state.generation, reason });
  }

  listen(listener: ChannelListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  become(state: SocketState): void {
    this.state = state;
    for (const listener of this.listeners) listener.state(state);
  }

  open(generation = 1): void {
    this.become({ kind: 'open', generation });
  }

  push(channel: string, seq: number | null, data: unknown): void {
    const ts = this.clock.now();
    const frame: ChannelFrame = { channel, seq, ts, data, receiveUs: this.clock.nowUs(), generation: 1 };
    for (const listener of this.listeners) listener.frame(frame);
  }

  snapshot(seq: number | null, bid = '100.00'): void {
    this.push('BTCUSDT@depth', seq, { type: 'snapshot', bids: [[bid, '1']], asks: [['100.02', '2']] });
  }

  update(seq: number | null, bids: readonly (readonly [string, string])[] = []): void {
    this.push('BTCUSDT@depth', seq, { type: 'update', bids, asks: [] });
  }
}

function start(deps: Partial<PublicStreamDeps> = {}): {
  clock: FakeClock;
  source: ScriptedSource;
  stream: PublicStream;
  gaps: Gap[];
} {
  const clock = new FakeClock(T);
  const source = new ScriptedSource(clock);
  const stream = createPublicStream({ source, instruments, clock, ...deps });
  stream.start();
  const gaps: Gap[] = [];
  stream.market.gaps('BTCUSDT').subscribe((gap) => gaps.push(gap));
  return { clock, source, stream, gaps };
}

const bid = (stream: PublicStream): number | undefined => stream.market.best('BTCUSDT')?.bidTicks;

describe('channels', () => {
  it('come as strategies ask for symbols: depth and trades together, the ticker when asked', () => {
    const { source, stream } = start();
    expect(source.desired.size).toBe(0);
    stream.market.top('BTCUSDT');
    stream.market.candles('BTCUSDT', '1m');
    expect([...source.desired]).toEqual(['BTCUSDT@depth', 'BTCUSDT@trades']);
    stream.market.ticker('ETHUSDT');
    expect([...source.desired].slice(2)).toEqual(['ETHUSDT@ticker']);
    stream.stop();
    expect(source.desired.size).toBe(0);
    expect(source.listeners.size).toBe(0);
  });

  it('frames reach the other sinks before the strategies, undisturbed by one that throws', () => {
    const order: string[] = [];
    const sink = (event: MarketEvent): void => {
      order.push(`sink ${event.kind}`);
      throw new Error('broken sink');
    };
    const { source, stream } = start({ sinks: [sink, ({ kind }) => void order.push(`second ${kind}`)] });
    source.open();
    stream.market.top('BTCUSDT').subscribe(({ mid }) => order.push(`top ${mid}`));
    source.snapshot(1);
    expect(order.filter((entry) => !entry.includes('gap'))).toEqual(['sink depth', 'second depth', 'top 100.01']);
    expect(stream.counts).toMatchObject({ frames: 1, decodeFailures: 0, sinkFailures: 1 });
  });

  it('trades that are missing are told with the time of the hole, once, and take no book away', () => {
    const { clock, source, stream, gaps } = start();
    source.open();
    stream.market.candles('BTCUSDT', '1m');
    const trades = (seq: number | null, price: string): void =>
      source.push('BTCUSDT@trades', seq, [{ tradeId: `${seq}`, price, quantity: '1', side: 'buy', ts: clock.now() }]);
    source.snapshot(1);
    trades(10, '100.00');
    clock.advance(500);
    trades(11, '100.00');
    clock.advance(700);
    gaps.length = 0;
    trades(14, '100.00');
    expect(gaps).toEqual([
      { symbol: 'BTCUSDT', from: T + 500, to: T + 1200, reason: 'BTCUSDT@trades: messages are missing from 11 to 14' },
    ]);
    expect(bid(stream)).toBe(10_000);
    trades(15, '100.005');
    trades(16, '100.00');
    expect(gaps[1]).toMatchObject({ reason: 'BTCUSDT@trades: messages are missing from 14 to 16' });
    trades(null, '100.005');
    expect(gaps[2]?.reason).toMatch('BTCUSDT@trades: a message could not be decoded');
    expect(gaps).toHaveLength(3);
  });

  it('trades that come once more with a new subscription are counted once', () => {
    const { clock, source, stream } = start();
    const prices: number[] = [];
    stream.market.trades('BTCUSDT').subscribe(({ price }) => prices.push(price));
    source.open();
    const trade = (seq: number | null, price: string): void =>
      source.push('BTCUSDT@trades', seq, [{ tradeId: price, price, quantity: '1', side: 'buy', ts: clock.now() }]);
    trade(10, '100.00');
    trade(10, '100.00');
    source.become({ kind: 'lost', generation: 1, reason: 'closed' });
    source.open(2);
    trade(10, '100.00');
    expect(prices).toEqual([100]);
    clock.advance(5);
    trade(10, '100.01');
    trade(null, '100.02');
    trade(null, '100.02');
    expect(prices).toEqual([100, 100.01, 100.02, 100.02]);
  });

  it('trades arrive as the strategies see them', () => {
    const { source, stream } = start();
    const prices: number[] = [];
    stream.market.trades('BTCUSDT').subscribe(({ price }) => prices.push(price));
    source.open();
    const row = { tradeId: '1', quantity: '0.5', side: 'buy', ts: T };
    source.push('BTCUSDT@trades', 1, [
      { ...row, price: '100.01' },
      { ...row, tradeId: '2', price: '100.02' },
    ]);
    expect(prices).toEqual([100.01, 100.02]);
  });
});

describe('gaps of a channel', () => {
  const counted = (stream: PublicStream): Readonly<Record<string, number>> =>
    Object.fromEntries(stream.status().map(({ channel, gaps }) => [channel.slice('BTCUSDT@'.length), gaps]));

  it('are counted once each: a hole in the numbers, a message that cannot be read, a lost connection, silence', () => {
    const { clock, source, stream } = start();
    stream.market.top('BTCUSDT');
    const trade = (seq: number): void =>
      source.push('BTCUSDT@trades', seq, [
        { tradeId: `${seq}`, price: '100', quantity: '1', side: 'buy', ts: clock.now() },
      ]);
    source.become({ kind: 'connecting', generation: 1, attempt: 2 });
    source.open();
    source.snapshot(1);
    trade(1);
    expect(counted(stream)).toEqual({ depth: 0, trades: 0 });
    source.update(3);
    source.update(4);
    expect(counted(stream)).toEqual({ depth: 1, trades: 0 });
    source.snapshot(5);
    trade(4);
    expect(counted(stream)).toEqual({ depth: 1, trades: 1 });
    source.update(6, [['100.005', '1']]);
    expect(counted(stream)).toEqual({ depth: 2, trades: 1 });
    source.snapshot(7);
    source.become({ kind: 'lost', generation: 1, reason: 'closed' });
    source.become({ kind: 'connecting', generation: 2, attempt: 1 });
    source.become({ kind: 'lost', generation: 2, reason: 'refused' });
    expect(counted(stream)).toEqual({ depth: 3, trades: 2 });
    source.open(3);
    source.snapshot(1);
    clock.advance(30_000);
    expect(source.acts.some((act) => act.startsWith('reconnect'))).toBe(true);
    expect(counted(stream)).toEqual({ depth: 4, trades: 2 });
    stream.stop();
  });
});

describe('a lost book', () => {
  it('is subscribed again once, and stands with the new snapshot; the gap is told with its end', () => {
    const { clock, source, stream, gaps } = start();
    stream.market.top('BTCUSDT');
    source.open();
    source.snapshot(1);
    source.update(2);
    clock.advance(100);
    source.update(4);
    source.update(5);
    expect(bid(stream)).toBeUndefined();
    clock.advance(100);
    expect(source.acts).toEqual(['resubscribe BTCUSDT@depth']);
    source.snapshot(6, '99.00');
    expect(bid(stream)).toBe(9900);
    expect(gaps.map(({ from, to }) => [from - T, to === null ? null : to - T])).toEqual([
      [0, null],
      [0, 200],
    ]);
  });

  it('is tried again further and further apart, in turn by REST, and not after it stands', async () => {
    const fetched: number[] = [];
    const made = start({
      fetchSnapshot: (instrument) => {
        fetched.push(made.clock.now() - T);
        // Of this moment, as the updates are: one a second since 9.
        const seq = 9 + Math.floor((made.clock.now() - T) / 1000);
        const event = depth({ ms: made.clock.now(), instrument }, true, seq, [[0, 7, 1]]);
        return Promise.resolve(fetched.length === 1 ? null : event);
      },
    });
    const { clock, source, stream } = made;
    stream.market.top('BTCUSDT');
    source.open();
    source.snapshot(1);
    source.update(9);
    for (let second = 0; second < 40; second++) {
      clock.advance(1000);
      source.update(10 + second);
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(source.acts).toEqual(['resubscribe BTCUSDT@depth', 'resubscribe BTCUSDT@depth']);
    expect(fetched).toEqual([3000, 21_000]);
    expect(bid(stream)).toBe(7);
    clock.advance(0);
    expect(source.acts).toHaveLength(2);
  });

  it('a REST failure is not the end', async () => {
    const { clock, source, stream } = start({ fetchSnapshot: () => Promise.reject(new Error('unreachable')) });
    stream.market.top('BTCUSDT');
    source.open();
    source.update(5);
    for (let second = 0; second < 30; second++) {
      clock.advance(1000);
      source.update(6 + second);
      await Promise.resolve();
    }
    expect(source.acts.length).toBeGreaterThanOrEqual(2);
    source.snapshot(36);
    expect(bid(stream)).toBe(10_000);
  });

  it('a book whose updates bear no numbers stands on a snapshot that bears one', () => {
    const { source, stream, gaps } = start();
    stream.market.top('BTCUSDT');
    source.open();
    source.snapshot(35);
    source.update(null, [['100.01', '1']]);
    source.update(null, [['100.00', '0']]);
    expect(bid(stream)).toBe(10_001);
    expect(gaps).toEqual([]);
  });

  it('a depth message that cannot be decoded is a hole in the book', () => {
    const { clock, source, stream, gaps } = start();
    stream.market.top('BTCUSDT');
    source.open();
    source.snapshot(1);
    source.push('BTCUSDT@depth', 2, { type: 'update', bids: [['100.005', '1']], asks: [] });
    expect(stream.counts.decodeFailures).toBe(1);
    expect(bid(stream)).toBeUndefined();
    expect(gaps).toMatchObject([{ to: null, reason: expect.stringContaining('could not be decoded') }]);
    clock.advance(10);
    expect(source.acts).toEqual(['resubscribe BTCUSDT@depth']);
  });

  it('any garbage is counted and nothing throws', () => {
    const { source, stream } = start();
    stream.market.top('BTCUSDT');
    source.open();
    const garbage = [null, 1, 'x', [], {}, { type: 'update' }, { type: 'snapshot', bids: 1, asks: {} }, [[[]]]];
    for (const data of garbage) {
      source.push('BTCUSDT@depth', 1, data);
      source.push('NOPE@depth', 1, data);
      source.push('no channel', 1, data);
    }
    expect(stream.counts.decodeFailures).toBe(3 * garbage.length);
    expect(bid(stream)).toBeUndefined();
  });
});

describe('silence and loss of connection', () => {
  it('a mute depth channel: resubscribe, reconnect, gate closed; and all is well with the next snapshot', () => {
    const { clock, source, stream, gaps } = start();
    stream.market.top('BTCUSDT');
    source.open();
    source.snapshot(1);
    expect(stream.gate.closedBecause('BTCUSDT')).toBeNull();
    clock.advance(3500);
    expect(source.acts).toEqual(['resubscribe BTCUSDT@depth']);
    expect(bid(stream)).toBeUndefined();
    expect(stream.gate.closedBecause('BTCUSDT')).toMatchObject({ reason: 'stale_data' });
    clock.advance(3500);
    expect(source.acts.some((act) => act.startsWith('reconnect BTCUSDT@depth stale'))).toBe(true);
    source.open(2);
    source.snapshot(9);
    expect(stream.gate.closedBecause('BTCUSDT')).toBeNull();
    expect(bid(stream)).toBe(10_000);
    expect(gaps.map(({ to }) => to === null)).toEqual([true, false]);
    expect(stream.status().find(({ feed }) => feed === 'depth')).toMatchObject({ step: 'fresh', ageMs: 0 });
  });

  it('a lost connection discards every book; the old one is not served when the new one opens', () => {
    const { source, stream, gaps } = start();
    stream.market.top('BTCUSDT');
    source.open();
    source.snapshot(1);
    source.become({ kind: 'lost', generation: 1, reason: 'reset' });
    expect(bid(stream)).toBeUndefined();
    source.become({ kind: 'connecting', generation: 2, attempt: 1 });
    source.open(2);
    expect(bid(stream)).toBeUndefined();
    source.update(2);
    expect(bid(stream)).toBeUndefined();
    source.snapshot(2);
    expect(bid(stream)).toBe(10_000);
    expect(gaps.map(({ to }) => to === null)).toEqual([true, false]);
  });

  it('a book whose snapshot never comes is asked for, although its channel speaks', () => {
    const { clock, source, stream } = start();
    stream.market.top('BTCUSDT');
    source.open();
    for (let second = 1; second <= 4; second++) {
      clock.advance(1000);
      source.update(second);
    }
    expect(source.acts).toEqual(['resubscribe BTCUSDT@depth']);
  });

  it('a refused channel closes the gate with the exchange’s reason, until it is accepted', () => {
    const { clock, source, stream } = start();
    stream.market.top('BTCUSDT');
    source.open();
    for (const listener of source.listeners) listener.refused?.('BTCUSDT@trades', 'no such channel');
    source.snapshot(1);
    expect(stream.gate.closedBecause('BTCUSDT')?.message).toContain('no such channel');
    for (let second = 1; second <= 30; second++) {
      clock.advance(1000);
      source.update(second + 1);
    }
    expect(source.acts).toEqual(['resubscribe BTCUSDT@trades']);
    for (const listener of source.listeners) listener.acknowledged?.(['BTCUSDT@trades']);
    expect(stream.gate.closedBecause('BTCUSDT')).toBeNull();
  });

  it('1,000 reconnects leave one listener, a bounded number of timers and the same channels', () => {
    const { clock, source, stream } = start();
    stream.market.top('BTCUSDT');
    for (let generation = 1; generation <= 1000; generation++) {
      source.open(generation);
      source.snapshot(generation);
      expect(bid(stream)).toBe(10_000);
      source.become({ kind: 'lost', generation, reason: 'reset' });
      clock.advance(10);
    }
    expect(source.listeners.size).toBe(1);
    expect(clock.pending).toBe(1);
    expect(source.desired.size).toBe(2);
    stream.stop();
    expect(clock.pending).toBe(0);
  });
});

describe('funding and mark', () => {
  it('are polled while asked for, and a failed poll is tried again', async () => {
    let asked = 0;
    const { clock, stream } = start({
      readFeed: (instrument, _feed, hand) => {
        asked++;
        if (asked === 1) return Promise.reject(new Error('unreachable'));
        const at = { instrument, exchangeUs: T * 1000, receiveUs: T * 1000 };
        hand({ kind: 'mark', ...at, markPrice: 100 + asked, indexPrice: 99 });
        return Promise.resolve();
      },
    });
    const marks: number[] = [];
    stream.market.mark(btc.symbol).subscribe(({ markPrice }) => marks.push(markPrice));
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(3000);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(marks).toEqual([102, 103, 104]);
    stream.stop();
    clock.advance(60_000);
    expect(asked).toBe(4);
  });
});
