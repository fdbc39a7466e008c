import { describe, expect, it } from 'vitest';
import { ArrivalRate } from '../../src/streams/arrival-rate.ts';
import type { GapEvent, MarketEvent } from '../../src/model/market/market-event.ts';
import { Freshness } from '../../src/streams/freshness.ts';
import type { WatchedFeed } from '../../src/streams/subscription.ts';
import { FakeClock } from './fake-clock.ts';
import { btc, eth } from './market-fixtures.ts';

const T = 1_700_000_000_000;

interface Bench {
  readonly clock: FakeClock;
  readonly freshness: Freshness;
  readonly acts: string[];
  readonly gaps: () => readonly { open: boolean; reason: string; from: number }[];
  /** Data on a channel every `everyMs` for `forMs`. */
  readonly flow: (channel: string, everyMs: number, forMs: number) => void;
}

function bench(): Bench {
  const clock = new FakeClock(T);
  const acts: string[] = [];
  const events: GapEvent[] = [];
  const freshness = new Freshness({
    clock,
    emit: (event: MarketEvent) => {
      if (event.kind === 'gap') events.push({ ...event });
    },
    resubscribe: ({ channel }) => acts.push(`${clock.now() - T} resubscribe ${channel}`),
    reconnect: () => acts.push(`${clock.now() - T} reconnect`),
  });
  freshness.start();
  freshness.connectionUp();
  return {
    clock,
    freshness,
    acts,
    gaps: () => events.map(({ open, reason, fromUs }) => ({ open, reason, from: fromUs / 1000 - T })),
    flow(channel, everyMs, forMs) {
      for (let passed = 0; passed < forMs; passed += everyMs) {
        clock.advance(everyMs);
        freshness.arrived(channel);
      }
    },
  };
}

function watched(feed: WatchedFeed = 'depth'): Bench {
  const made = bench();
  made.freshness.watch('BTC', btc, feed);
  return made;
}

describe('a depth channel that falls silent while the connection lives', () => {
  it('is subscribed again after 3 s, then the connection is made anew, then it is mute and tried at long intervals', () => {
    const { clock, acts, freshness } = watched();
    freshness.arrived('BTC');
    clock.advance(2900);
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
    clock.advance(97_100);
    expect(acts).toEqual([
      '3250 resubscribe BTC',
      '6500 reconnect',
      '9750 resubscribe BTC',
      '40000 resubscribe BTC',
      '70250 resubscribe BTC',
    ]);
    expect(freshness.status()).toMatchObject([{ channel: 'BTC', symbol: 'BTCUSDT', step: 'mute', ageMs: 100_000 }]);
  });

  it('opens a gap and closes the gate at once, and undoes both with the first datum', () => {
    const { clock, freshness, gaps } = watched();
    freshness.arrived('BTC');
    clock.advance(3001);
    expect(freshness.closedBecause('BTCUSDT')).toMatchObject({ reason: 'stale_data' });
    clock.advance(500);
    expect(gaps()).toEqual([{ open: true, reason: 'BTC is stale', from: 0 }]);
    freshness.arrived('BTC');
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
    expect(gaps()).toMatchObject([{ open: true }, { open: false, from: 0 }]);
  });

  it('is found when it was acknowledged and never spoke (S03)', () => {
    const { clock, acts, freshness } = watched();
    expect(freshness.closedBecause('BTCUSDT')?.message).toContain('no data yet');
    clock.advance(10_000);
    expect(acts).toEqual(['3250 resubscribe BTC', '6500 reconnect', '9750 resubscribe BTC']);
  });

  it('touches neither another symbol nor its gate', () => {
    const { clock, freshness } = watched();
    freshness.watch('ETH', eth, 'depth');
    for (let second = 0; second < 5; second++) {
      clock.advance(1000);
      freshness.arrived('ETH');
    }
    expect(freshness.closedBecause('ETHUSDT')).toBeNull();
    expect(freshness.closedBecause('BTCUSDT')).not.toBeNull();
  });
});

describe('the learned rate', () => {
  it('tightens the threshold of a busy channel, never below a second', () => {
    const { freshness, flow, clock, acts } = watched();
    flow('BTC', 100, 200_000);
    expect(freshness.status()[0]?.staleAfterMs).toBe(1000);
    clock.advance(1500);
    expect(acts).toHaveLength(1);
  });

  it('widens it for a quiet one after the first false alarms', () => {
    const { freshness, flow, acts } = watched();
    flow('BTC', 8000, 400_000);
    const first = acts.length;
    expect(first).toBeGreaterThan(0);
    flow('BTC', 8000, 400_000);
    expect(acts).toHaveLength(first);
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
  });

  it('is three times the 99.9th percentile, within the width of a bucket', () => {
    const rate = new ArrivalRate(3000);
    for (let sample = 0; sample < 10_240; sample++) rate.record(sample % 500 === 0 ? 2000 : 50);
    expect(rate.staleAfterMs).toBeGreaterThanOrEqual(6000);
    expect(rate.staleAfterMs).toBeLessThan(6000 * 1.2);
  });

  it('forgets an old rhythm', () => {
    const rate = new ArrivalRate(3000);
    for (let sample = 0; sample < 5000; sample++) rate.record(10_000);
    expect(rate.staleAfterMs).toBeGreaterThanOrEqual(30_000);
    for (let sample = 0; sample < 300_000; sample++) rate.record(50);
    expect(rate.staleAfterMs).toBe(1000);
  });

  it('leaves a quiet trade channel alone until it knows its rhythm, and then finds it mute', () => {
    const { clock, freshness, flow, acts, gaps } = watched('trades');
    clock.advance(200_000);
    expect(acts.every((act) => act.includes('resubscribe'))).toBe(true);
    expect(gaps()).toEqual([]);
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
    flow('BTC', 1000, 60_000);
    acts.length = 0;
    clock.advance(250_000);
    expect(acts.map((act) => act.split(' ')[1])).toEqual(['resubscribe', 'reconnect', 'resubscribe', 'resubscribe']);
    expect(freshness.closedBecause('BTCUSDT')).toMatchObject({ reason: 'stale_data' });
    expect(gaps()).toMatchObject([{ open: true }]);
  });
});

describe('connection', () => {
  it('its loss is one gap per symbol and closes every gate; its end is the first depth datum', () => {
    const { clock, freshness, acts, gaps } = watched();
    freshness.watch('BTC trades', btc, 'trades');
    freshness.watch('ETH', eth, 'depth');
    for (const channel of ['BTC', 'BTC trades', 'ETH']) freshness.arrived(channel);
    clock.advance(100);
    freshness.connectionDown('reset');
    freshness.connectionDown('connecting, attempt 1');
    freshness.connectionDown('connecting, attempt 2');
    expect(gaps().map(({ open }) => open)).toEqual([true, true]);
    clock.advance(60_000);
    expect(acts).toEqual([]);
    expect(freshness.closedBecause('BTCUSDT')?.message).toContain('attempt 2');
    freshness.connectionUp();
    expect(freshness.closedBecause('BTCUSDT')?.message).toContain('no data yet');
    expect(gaps()).toHaveLength(2);
    freshness.arrived('BTC');
    expect(gaps()).toHaveLength(3);
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
    freshness.arrived('ETH');
    expect(gaps().map(({ open }) => open)).toEqual([true, true, false, false]);
  });

  it('a refused channel keeps the gate closed, and is asked for every half minute and nothing else', () => {
    const { clock, freshness, acts, gaps } = watched();
    freshness.refused('BTC', 'insufficient_permissions');
    clock.advance(60_000);
    expect(acts).toEqual(['30000 resubscribe BTC', '60000 resubscribe BTC']);
    expect(freshness.closedBecause('BTCUSDT')?.message).toContain('insufficient_permissions');
    expect(gaps()).toMatchObject([{ open: true, reason: 'BTC refused: insufficient_permissions' }]);
  });

  it('a refused channel that is accepted later opens the gate with its first book', () => {
    const { clock, freshness, gaps } = watched();
    freshness.refused('BTC', 'internal_error');
    clock.advance(30_000);
    freshness.accepted('BTC');
    expect(freshness.closedBecause('BTCUSDT')?.message).toContain('no data yet');
    freshness.arrived('BTC');
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
    expect(gaps().map(({ open }) => open)).toEqual([true, false]);
  });

  it('trades that were refused and are accepted later open the gate although nobody trades', () => {
    const { freshness, gaps } = watched('trades');
    freshness.refused('BTC', 'internal_error');
    expect(freshness.closedBecause('BTCUSDT')?.message).toContain('internal_error');
    freshness.accepted('BTC');
    expect(freshness.closedBecause('BTCUSDT')).toBeNull();
    expect(gaps().map(({ open }) => open)).toEqual([true, false]);
  });

  it('a process that stood still does not blame its channels', () => {
    const clock = new FakeClock(T);
    const acts: string[] = [];
    let check = (): void => {};
    const freshness = new Freshness({
      clock: {
        now: () => clock.now(),
        nowUs: () => clock.nowUs(),
        after: (ms, run) => clock.after(ms, run),
        every: (_, run) => {
          check = run;
          return () => {};
        },
      },
      emit: () => {},
      resubscribe: ({ channel }) => acts.push(channel),
      reconnect: () => acts.push('reconnect'),
    });
    freshness.start();
    freshness.connectionUp();
    freshness.watch('BTC', btc, 'depth');
    freshness.arrived('BTC');
    clock.advance(20_000);
    check();
    expect(acts).toEqual([]);
    clock.advance(250);
    check();
    expect(acts).toEqual(['BTC']);
  });

  it('leaves no timer behind', () => {
    const { clock, freshness } = watched();
    expect(clock.pending).toBe(1);
    freshness.stop();
    expect(clock.pending).toBe(0);
  });
});
