/**
 * Pause, cooldown, trades of the day and trading hours: no new risk while they hold, exits pass, and a restart knows them
 * as before. The laws are held against a slow count over the journal's rows.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsUsed } from '../../../src/operations/limits-used.ts';
import type { JournalStore } from '../../../src/model/entries/journal.ts';
import { replayRows, stateHash } from '../../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../../src/spine/snapshot/snapshot.ts';
import { alarms, BTC, denials, makeRig, START, type Rig, type RigOptions } from '../../execution/rig.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function place(rig: Rig, side: 'buy' | 'sell', price: string, more: { reduceOnly?: true; ref?: string } = {}): void {
  const order = { kind: 'place', symbol: BTC.symbol, side, type: 'limit', price, quantity: '0.01', ...more } as const;
  rig.executor.submit('maker', order);
}

/** What rests at the venue on this side is filled whole. */
function fill(rig: Rig, side: 'buy' | 'sell', price?: string): void {
  for (const order of rig.venue.resting()) if (order.side === side) rig.venue.tellFill(order.orderId, '0.01', price);
}

function trip(rig: Rig, buyAt: string, sellAt: string): void {
  place(rig, 'buy', buyAt);
  fill(rig, 'buy');
  place(rig, 'sell', sellAt, { reduceOnly: true });
  fill(rig, 'sell');
}

let boots = 1;

function restarted(rig: Rig, options: RigOptions): Rig {
  return makeRig({ ...options, journal: rig.journal, clock: rig.clock, venue: rig.venue, bootId: `b${++boots}` });
}

describe('a pause', () => {
  it('cancels what rests of new risk, denies more of it, lets exits rest and pass, and ends', () => {
    const rig = makeRig();
    place(rig, 'buy', '59990', { ref: 'held' });
    fill(rig, 'buy');
    place(rig, 'sell', '61000', { reduceOnly: true, ref: 'exit' });
    place(rig, 'buy', '59000', { ref: 'rests' });
    rig.executor.human.pause('maker', true, 'news');
    expect(rig.venue.resting().map(({ price }) => price)).toEqual(['61000']);
    place(rig, 'buy', '59000');
    expect(denials(rig)).toEqual(['strategy_paused']);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    rig.executor.submit('maker', { kind: 'flatten', symbol: BTC.symbol });
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market', quantity: '0.01' });
    rig.executor.human.pause('maker', false, 'news are out');
    expect(alarms(rig)).toEqual(['strategy_paused']);
    rig.executor.submit('taker', {
      kind: 'place',
      symbol: BTC.symbol,
      side: 'buy',
      type: 'limit',
      price: '59500',
      quantity: '0.01',
    });
    expect(rig.venue.resting()).toHaveLength(2);
  });

  it('outlives a crash, and a start cancels what a process that died left resting', () => {
    const rig = makeRig();
    place(rig, 'buy', '59000', { ref: 'rests' });
    rig.venue.cancelMode = 'hold';
    rig.executor.human.pause('maker', true, 'news');
    expect(rig.venue.resting()).toHaveLength(1);
    rig.venue.cancelMode = 'accept';
    const again = restarted(rig, {});
    again.executor.submit('taker', { kind: 'cancelAll' });
    place(again, 'buy', '59000');
    expect(denials(again)).toEqual(['strategy_paused']);
    again.executor.human.pause('maker', false, 'over');
    const later = restarted(again, {});
    place(later, 'buy', '59100', { ref: 'new' });
    expect(denials(later)).toEqual([]);
    expect(stateHash(later.executor.state)).toBe(stateHash(replayRows(later.journal.read()).state));
  });

  it('lets an exit that leaves in parts go on', () => {
    const rig = makeRig({ limits: { maxOrderQuantity: '0.01' } });
    for (const ref of ['a', 'b', 'c']) {
      place(rig, 'buy', '59990', { ref });
      fill(rig, 'buy');
    }
    rig.executor.submit('maker', {
      kind: 'target',
      symbol: BTC.symbol,
      quantity: '0',
      via: { limit: { price: '60100' } },
    });
    expect(rig.venue.resting()).toHaveLength(1);
    rig.executor.human.pause('maker', true, 'news');
    for (let part = 1; part <= 3; part++) {
      expect(
        rig.venue.resting().map(({ side, quantity }) => [side, quantity]),
        `part ${part}`,
      ).toEqual([['sell', '0.01']]);
      fill(rig, 'sell');
    }
    expect(rig.venue.resting()).toEqual([]);
    expect(rig.executor.account('maker').position(BTC.symbol).quantity).toBe('0');
    expect(denials(rig)).toEqual([]);
  });

  it('lets a program wait, and go on when it ends', () => {
    const rig = makeRig();
    const terms = { symbol: BTC.symbol, side: 'buy', price: '59000', quantity: '0.04', show: '0.01' } as const;
    rig.executor.submit('maker', { kind: 'iceberg', ref: 'ice', ...terms });
    expect(rig.venue.resting()).toHaveLength(1);
    rig.executor.human.pause('maker', true, 'news');
    for (let second = 0; second < 20; second++) rig.clock.advance(SECOND);
    expect(rig.venue.resting()).toEqual([]);
    rig.executor.human.pause('maker', false, 'over');
    rig.clock.advance(2 * SECOND);
    expect(rig.venue.resting().map(({ price, quantity }) => [price, quantity])).toEqual([['59000', '0.01']]);
    fill(rig, 'buy');
    expect(rig.venue.resting()).toHaveLength(1);
  });

  it('leaves something that a start must go on with', () => {
    const rig = makeRig();
    expect(rig.executor.leavesAnything()).toBe(false);
    rig.executor.human.pause('maker', true, 'news');
    expect(rig.executor.leavesAnything()).toBe(true);
  });
});

describe('a cooldown', () => {
  it('begins with a close at a loss, and not with a gain', () => {
    const limits = { cooldown: '30m' };
    const rig = makeRig({ limits });
    trip(rig, '59000', '60500');
    expect(denials(rig)).toEqual([]);
    trip(rig, '59990', '59980');
    place(rig, 'buy', '59000');
    expect(denials(rig)).toEqual(['cooldown']);
    const after = restarted(rig, { limits });
    after.clock.advance(30 * MINUTE - SECOND);
    place(after, 'buy', '59000');
    expect(denials(after)).toEqual(['cooldown']);
    after.clock.advance(SECOND);
    place(after, 'buy', '59000');
    expect(denials(after)).toEqual(['cooldown']);
    expect(after.venue.resting()).toHaveLength(1);
  });

  it('counts fees: a gain that does not cover them is a loss', () => {
    const rig = makeRig({ limits: { cooldown: '30m' } });
    place(rig, 'buy', '59990');
    rig.venue.tellFill('v1', '0.01', undefined, { fee: '0.3', feeCurrency: 'USDT' });
    place(rig, 'sell', '60010', { reduceOnly: true });
    rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.01');
    place(rig, 'buy', '59000');
    expect(denials(rig)).toEqual(['cooldown']);
  });

  it('after any exit, of the symbol alone, cancels what rests there and says until when', () => {
    const rig = makeRig({
      limits: { cooldown: { for: '10m', after: 'exit' } },
      specs: [BTC, { ...BTC, symbol: 'OTHER' }],
    });
    place(rig, 'buy', '59000');
    fill(rig, 'buy');
    place(rig, 'buy', '58000');
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: 'OTHER',
      side: 'buy',
      type: 'limit',
      price: '58000',
      quantity: '0.01',
    });
    place(rig, 'sell', '60500', { reduceOnly: true });
    fill(rig, 'sell');
    expect(rig.venue.resting().map(({ symbol }) => symbol)).toEqual(['OTHER']);
    place(rig, 'buy', '59000');
    const [denied] = rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
    expect(denied).toBe(
      `BTCUSDT: maker closed a position and cools down for 10m, until ${new Date(START + 10 * MINUTE).toISOString()}`,
    );
  });
});

describe('the trades of a day', () => {
  it('count orders of new risk with what works, begin anew with the UTC day, and outlive a restart', () => {
    const limits = { maxTradesPerDay: 2 };
    const rig = makeRig({ limits, explains: true });
    place(rig, 'buy', '59990');
    fill(rig, 'buy');
    place(rig, 'buy', '59000');
    place(rig, 'buy', '58900');
    expect(denials(rig)).toEqual(['max_trades']);
    const figures = rig.events.flatMap((event) => (event.kind === 'denied' ? (event.denied.figures ?? []) : []));
    expect(figures).toContainEqual(['max_trades', 'maker', 3, 2]);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    place(rig, 'buy', '58900');
    expect(rig.venue.resting()).toHaveLength(1);
    const again = restarted(rig, { limits });
    place(again, 'buy', '58800');
    place(again, 'sell', '61000', { reduceOnly: true });
    expect(denials(again)).toEqual(['max_trades']);
    expect(again.venue.resting()).toHaveLength(2);
    again.clock.advance(DAY);
    place(again, 'buy', '58700');
    place(again, 'buy', '58600');
    expect(denials(again)).toEqual(['max_trades', 'max_trades']);
  });
});

describe('limits show', () => {
  it('names the trades of the day as the check counts them', () => {
    const rig = makeRig({ limits: { maxTradesPerDay: 4 }, explains: true });
    place(rig, 'buy', '59990');
    fill(rig, 'buy');
    place(rig, 'buy', '59000');
    place(rig, 'sell', '61000', { reduceOnly: true });
    const { state } = replayRows(rig.journal.read());
    const known = { reporting: 'USDT', dayLoss: null, strategyLosses: {} };
    const usedAt = (now: number) =>
      limitsUsed(state, { ...known, now }).filter(({ name }) => name === 'maxTradesPerDay');
    const of = { scope: 'strategy maker', name: 'maxTradesPerDay', value: '4', configured: null };
    expect(usedAt(rig.clock.now())).toEqual([{ ...of, used: '2', share: 0.5 }]);
    expect(usedAt(rig.clock.now() + DAY)).toEqual([{ ...of, used: '1', share: 0.25 }]);
  });
});

describe('trading hours', () => {
  it('deny new risk outside, cancel what rests when they end, and let exits pass', () => {
    // START is a Monday, 00:00 UTC.
    const rig = makeRig({ limits: { tradingHours: ['mon-fri 00:00-08:00'] } });
    place(rig, 'buy', '59990');
    fill(rig, 'buy');
    place(rig, 'buy', '59000');
    rig.clock.advance(8 * HOUR - MINUTE);
    rig.executor.valueAccount();
    expect(rig.venue.resting()).toHaveLength(1);
    rig.clock.advance(MINUTE);
    rig.executor.valueAccount();
    expect(rig.venue.resting()).toHaveLength(0);
    place(rig, 'buy', '59000');
    place(rig, 'sell', '61000', { reduceOnly: true });
    expect(denials(rig)).toEqual(['trading_hours']);
    expect(rig.venue.resting()).toHaveLength(1);
    const [message] = rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
    expect(message).toBe('maker trades mon-fri 00:00-08:00: the next opening at 2026-01-06T00:00:00.000Z');
    rig.clock.advance(16 * HOUR);
    rig.executor.valueAccount();
    place(rig, 'buy', '59000');
    expect(rig.venue.resting()).toHaveLength(2);
  });
});

const LAWS = { maxTradesPerDay: 3, cooldown: { for: '20m', after: 'loss' }, tradingHours: ['00:00-18:00'] } as const;
const COOL = 20 * MINUTE;

type Step =
  | {
      readonly kind: 'place';
      readonly side: 'buy' | 'sell';
      readonly away: number;
      readonly lots: number;
      readonly reduceOnly: boolean;
    }
  | { readonly kind: 'fill'; readonly pick: number; readonly half: boolean }
  | { readonly kind: 'pause'; readonly on: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'crash' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      away: fc.integer({ min: -50, max: 50 }),
      lots: fc.integer({ min: 1, max: 2 }),
      reduceOnly: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('fill' as const), pick: fc.nat(20), half: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), on: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc
      .oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 60, max: 400 }))
      .map((n) => ({ kind: 'wait' as const, ms: n * MINUTE })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
);

/** What the rows say, in plain numbers. */
function lawsBroken(journal: JournalStore): {
  readonly broken: string[];
  readonly entries: number;
  readonly closes: number;
} {
  const broken: string[] = [];
  const risky = new Set<string>();
  const traded = new Set<string>();
  const perDay = new Map<number, number>();
  let paused = false;
  let held = 0;
  let cash = 0;
  let lostAt = Number.NEGATIVE_INFINITY;
  let closes = 0;
  for (const { entry, ts } of journal.read()) {
    if (entry.kind === 'pause') paused = entry.on;
    if (entry.kind === 'intent' && entry.command === 'create') {
      if (entry.reduceOnly && entry.newRisk !== true) continue;
      risky.add(entry.intentId);
      if (paused) broken.push(`${entry.ref} while paused`);
      if (ts < lostAt + COOL) broken.push(`${entry.ref} ${(ts - lostAt) / MINUTE} min after a loss`);
      if (new Date(ts).getUTCHours() >= 18) broken.push(`${entry.ref} at ${new Date(ts).toISOString()}`);
    }
    if (entry.kind !== 'fill') continue;
    const { fill: told } = entry;
    if (risky.has(entry.intentId) && !traded.has(entry.intentId)) {
      traded.add(entry.intentId);
      const day = Math.floor(told.ts / DAY);
      perDay.set(day, (perDay.get(day) ?? 0) + 1);
    }
    const signed = (told.side === 'buy' ? 1 : -1) * Math.round(Number(told.quantity) * 1e5);
    const before = held;
    held += signed;
    const price = Math.round(Number(told.price) * 100);
    if (before !== 0 && (held === 0 || before > 0 !== held > 0)) {
      closes++;
      const result = cash + before * price;
      if (result < 0) lostAt = told.ts;
      cash = -held * price;
    } else cash -= signed * price;
  }
  for (const [day, count] of perDay) if (count > LAWS.maxTradesPerDay) broken.push(`${count} trades on day ${day}`);
  return { broken, entries: risky.size, closes };
}

function perform(rig: Rig, doing: Step): Rig {
  const { venue, executor, clock } = rig;
  switch (doing.kind) {
    case 'place': {
      const { side, away, lots, reduceOnly } = doing;
      const price = (side === 'buy' ? 60_000 - away : 60_001 + away).toFixed(2);
      const order = { kind: 'place', symbol: BTC.symbol, side, type: 'limit', price, quantity: `0.0${lots}` } as const;
      executor.submit('maker', reduceOnly ? { ...order, reduceOnly } : order);
      return rig;
    }
    case 'fill': {
      const resting = venue.resting();
      const order = resting[doing.pick % Math.max(1, resting.length)];
      if (order === undefined) return rig;
      const left = Number(order.quantity) - Number(order.filledQuantity);
      venue.tellFill(order.orderId, (doing.half && left > 0.0051 ? 0.005 : left).toFixed(3));
      return rig;
    }
    case 'pause':
      executor.human.pause('maker', doing.on, 'a test');
      return rig;
    case 'wait':
      clock.advance(doing.ms);
      executor.valueAccount();
      return rig;
    case 'crash':
      return restarted(rig, { limits: LAWS, risk: { dailyLossFraction: 0 } });
  }
}

describe('protections', () => {
  it('hold in whatever order orders, fills, pauses and crashes come, and a replay knows what the process knew', () => {
    let entries = 0;
    let closes = 0;
    const reasons = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 30, maxLength: 80 }), (steps) => {
        let rig = makeRig({ limits: LAWS, risk: { dailyLossFraction: 0 } });
        for (const doing of steps) {
          const before = rig;
          rig = perform(rig, doing);
          if (rig !== before) for (const reason of denials(before)) reasons.add(reason);
        }
        for (const reason of denials(rig)) reasons.add(reason);
        const found = lawsBroken(rig.journal);
        expect(found.broken).toEqual([]);
        const replay = replayRows(rig.journal.read());
        expect(stateHash(replay.state)).toBe(stateHash(rig.executor.state));
        const loaded = replayOf(snapshotText(replay)).state;
        expect(loaded.trades).toEqual(replay.state.trades);
        expect([...loaded.pauses]).toEqual([...replay.state.pauses]);
        entries += found.entries;
        closes += found.closes;
      }),
      { numRuns: 150 },
    );
    expect(entries).toBeGreaterThan(300);
    expect(closes).toBeGreaterThan(50);
    for (const reason of ['strategy_paused', 'cooldown', 'max_trades', 'trading_hours'])
      expect(reasons).toContain(reason);
  });
});
