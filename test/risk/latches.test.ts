/** The throttle of repeated executions, the breaker of rejects in a row, losses and the lists that deny by default. */
import { describe, expect, it } from 'vitest';
import { gateReasons } from './gate-reasons.ts';
import { alarms, denials, makeRig, TestVenue, type Rig, type RigOptions } from '../execution/rig.ts';

const limit = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59990',
  quantity: '0.01',
} as const;

function fillNext(rig: Rig, ref: string): void {
  rig.executor.submit('maker', { ...limit, ref });
  const [order] = rig.venue.resting();
  if (order === undefined) throw new Error('nothing rests');
  rig.venue.emit({ kind: 'fill', fill: rig.venue.fill(order.orderId, '0.01') });
  rig.venue.tell(order.orderId);
}

function restarted({ journal, clock, venue }: Rig, options: RigOptions, bootId = 'b2'): Rig {
  return makeRig({ ...options, journal, clock, venue, bootId });
}

describe('repeated executions', () => {
  const limits = { repeatedExecutions: { count: 3, windowMs: 10_000 } };

  it('latch the strategy at the third within the window, cancel what it has resting, and leave the others alone', () => {
    const rig = makeRig({ limits });
    rig.executor.submit('maker', { ...limit, price: '59000', ref: 'rests' });
    rig.venue.cancelMode = 'accept';
    for (const ref of ['a', 'b', 'c']) {
      rig.executor.submit('maker', { ...limit, ref });
      const order = rig.venue.resting().find(({ price }) => price === '59990');
      rig.venue.emit({ kind: 'fill', fill: rig.venue.fill(order?.orderId ?? '', '0.01') });
      rig.venue.tell(order?.orderId ?? '');
    }
    expect(alarms(rig)).toEqual(['strategy_latched']);
    expect(rig.venue.resting()).toEqual([]);
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual(['strategy_latched']);
    rig.executor.submit('taker', limit);
    expect(rig.venue.resting()).toHaveLength(1);
  });

  it('that come slowly do not latch', () => {
    const rig = makeRig({ limits });
    for (const ref of ['a', 'b', 'c', 'd']) {
      fillNext(rig, ref);
      rig.clock.advance(5_000);
    }
    expect(alarms(rig)).toEqual([]);
  });

  it('stay latched over a restart, until a human enables the strategy', () => {
    const rig = makeRig({ limits });
    for (const ref of ['a', 'b', 'c']) fillNext(rig, ref);
    const again = makeRig({
      journal: rig.journal,
      clock: rig.clock,
      venue: new TestVenue(rig.clock),
      bootId: 'b2',
      limits,
    });
    again.executor.submit('maker', limit);
    expect(denials(again)).toEqual(['strategy_latched']);
    again.executor.human.enable('maker', 'looked into it');
    again.executor.submit('maker', limit);
    expect(again.venue.resting()).toHaveLength(1);
    const latches = [...rig.journal.read()].flatMap(({ entry }) =>
      entry.kind === 'latch' ? [[entry.on, entry.reason]] : [],
    );
    expect(latches).toEqual([
      [true, '3 executions within 10000 ms'],
      [false, 'looked into it'],
    ]);
  });

  it('count over a restart, and anew after a human enabled the strategy', () => {
    const rig = makeRig({ limits });
    for (const ref of ['a', 'b']) fillNext(rig, ref);
    const again = restarted(rig, { limits });
    fillNext(again, 'c');
    expect(alarms(again)).toEqual(['strategy_latched']);
    again.executor.human.enable('maker', 'looked into it');
    const third = restarted(again, { limits }, 'b3');
    for (const ref of ['d', 'e']) fillNext(third, ref);
    expect(alarms(third)).toEqual([]);
    third.clock.advance(10_001);
    const fourth = restarted(third, { limits }, 'b4');
    fillNext(fourth, 'f');
    expect(alarms(fourth)).toEqual([]);
  });

  it('let reducing orders pass', () => {
    const rig = makeRig({ limits });
    for (const ref of ['a', 'b', 'c']) fillNext(rig, ref);
    rig.executor.submit('maker', { ...limit, side: 'sell', price: '60100', reduceOnly: true });
    expect(rig.venue.resting()).toHaveLength(1);
  });
});

describe('rejects in a row', () => {
  it('of any order latch the strategy; an accepted one begins the count anew', () => {
    const rig = makeRig({ risk: { rejectsInARow: 3, repeatedRejects: 100 } });
    const refuse = (price: string): void => {
      rig.venue.createMode = 'refuse';
      rig.executor.submit('maker', { ...limit, price });
    };
    refuse('59001');
    refuse('59002');
    rig.venue.createMode = 'accept';
    rig.executor.submit('maker', limit);
    refuse('59003');
    refuse('59004');
    expect(alarms(rig)).toEqual([]);
    refuse('59005');
    expect(alarms(rig)).toEqual(['strategy_latched']);
    refuse('59006');
    expect(denials(rig)).toEqual(['strategy_latched']);
  });

  it('count over a restart', () => {
    const risk = { rejectsInARow: 3, repeatedRejects: 100 };
    const rig = makeRig({ risk });
    rig.venue.createMode = 'refuse';
    for (const price of ['59001', '59002']) rig.executor.submit('maker', { ...limit, price });
    const again = restarted(rig, { risk });
    again.venue.createMode = 'refuse';
    again.executor.submit('maker', { ...limit, price: '59003' });
    expect(alarms(again)).toEqual(['strategy_latched']);
    again.executor.human.enable('maker', 'looked into it');
    const third = restarted(again, { risk }, 'b3');
    third.executor.submit('maker', limit);
    expect([denials(third), alarms(third)]).toEqual([[], []]);
  });
});

describe('allowed symbols', () => {
  it('deny every other symbol where a list is set, for the account or for a strategy', () => {
    const rig = makeRig({ risk: { allowedSymbols: ['BTCUSDT'] }, limits: { allowedSymbols: [] } });
    rig.executor.submit('maker', limit);
    rig.executor.submit('taker', limit);
    rig.executor.submit('taker', { ...limit, symbol: 'BTCUSDTPERP' });
    expect(denials(rig)).toEqual(['symbol_not_allowed', 'symbol_not_allowed']);
    expect(rig.venue.creates()).toHaveLength(1);
  });
});

describe('order flow', () => {
  it('adds up what was sent within a minute, cancelled or not', () => {
    const rig = makeRig({ risk: { maxOrderValuePerMinute: '1300' } });
    rig.executor.submit('maker', limit);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    rig.executor.submit('maker', limit);
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual(['order_flow']);
    rig.clock.advance(62_000);
    rig.executor.submit('maker', limit);
    expect(rig.venue.creates()).toHaveLength(3);
  });
});

describe('order flow of exits', () => {
  it('counts what closes, and denies it not', () => {
    const rig = makeRig({ risk: { maxOrderValuePerMinute: '1300' } });
    const fill = (): void => {
      const orderId = rig.venue.resting().at(-1)?.orderId ?? '';
      rig.venue.tellFill(orderId, '0.01', '60000', { fee: '0', feeCurrency: 'USDT' });
    };
    rig.executor.submit('maker', { ...limit, type: 'market', price: undefined });
    fill();
    rig.executor.submit('maker', { kind: 'target', symbol: 'BTCUSDT', quantity: '0' });
    fill();
    // 600 twice
    rig.executor.submit('maker', { ...limit, type: 'market', price: undefined });
    expect(denials(rig)).toEqual(['order_flow']);
    expect(rig.venue.creates().map(({ side }) => side)).toEqual(['buy', 'sell']);
  });
});

describe('order flow over a restart', () => {
  const risk = { maxOrderValuePerHour: '1300', maxOrderValuePerMinute: '5000', messagesPerMinute: 4 };

  function restarted(rig: Rig): Rig {
    const venue = new TestVenue(rig.clock);
    return makeRig({ journal: rig.journal, clock: rig.clock, venue, bootId: 'b2', risk });
  }

  it('counts what the process before it has sent, so that a process that dies again and again does not send on', () => {
    const rig = makeRig({ risk });
    rig.executor.submit('maker', limit);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    rig.executor.submit('maker', { ...limit, type: 'market', price: undefined });
    const [market] = rig.venue.resting();
    rig.venue.tellFill(market?.orderId ?? '', '0.01', '60000');
    rig.clock.advance(120_000);
    const again = restarted(rig);
    again.executor.submit('maker', limit);
    expect(denials(again)).toEqual(['order_flow']);
    rig.clock.advance(3_600_000);
    again.executor.submit('maker', limit);
    expect(denials(again)).toHaveLength(1);
  });

  it('counts messages, too', () => {
    const rig = makeRig({ risk });
    for (const quantity of ['0.001', '0.002', '0.003', '0.004']) rig.executor.submit('maker', { ...limit, quantity });
    rig.clock.advance(5_000);
    const again = restarted(rig);
    again.executor.submit('maker', { ...limit, quantity: '0.001', price: '59980' });
    expect(denials(again)).toEqual(['message_rate']);
  });
});

describe('losses', () => {
  const limits = { maxDailyLoss: '5', maxDrawdown: '8' };

  function move(rig: Rig, mid: number): void {
    rig.market.bid = Math.round(mid * 100) - 50;
    rig.market.ask = Math.round(mid * 100) + 50;
    rig.clock.advance(2_000);
  }

  it('deny new risk after a fall from the highest of the session, also over days and restarts', () => {
    const rig = makeRig({ limits: { maxDrawdown: '8' } });
    fillNext(rig, 'a');
    move(rig, 61_000);
    rig.executor.submit('maker', { ...limit, price: '60000' });
    expect(denials(rig)).toEqual([]);
    rig.clock.advance(86_400_000);
    move(rig, 60_100);
    const again = makeRig({
      journal: rig.journal,
      clock: rig.clock,
      venue: rig.venue,
      bootId: 'b2',
      limits: { maxDrawdown: '8' },
    });
    move(again, 60_100);
    again.executor.submit('maker', { ...limit, price: '60000' });
    expect(denials(again)).toEqual(['drawdown']);
  });

  it('of the day are told of each strategy that has a limit on them', () => {
    const rig = makeRig({ limits });
    rig.executor.valueAccount();
    fillNext(rig, 'a');
    const before = rig.executor.strategyLosses().get('maker');
    move(rig, 61_000);
    rig.executor.valueAccount();
    const high = rig.executor.strategyLosses().get('maker')?.amount ?? Number.NaN;
    move(rig, 60_000);
    rig.executor.valueAccount();
    const low = rig.executor.strategyLosses().get('maker')?.amount ?? Number.NaN;
    expect(before?.amount).toBeCloseTo(0, 9);
    expect(high).toBeLessThan(0);
    expect(low - high).toBeGreaterThan(0);
    expect(makeRig().executor.strategyLosses().size).toBe(0);
  });

  it('of the day are not forgotten by a restart', () => {
    const rig = makeRig({ limits });
    fillNext(rig, 'a');
    rig.executor.submit('maker', { ...limit, price: '59000', ref: 'b' });
    move(rig, 59_300);
    const again = makeRig({ journal: rig.journal, clock: rig.clock, venue: rig.venue, bootId: 'b2', limits });
    move(again, 59_300);
    again.executor.submit('maker', { ...limit, price: '59000' });
    expect(denials(again)).toEqual(['daily_loss']);
  });

  it('of none at all: a limit of 0 is the tightest there is, also as an override in a hurry', () => {
    const rig = makeRig({ limits: { maxDrawdown: '0' } });
    fillNext(rig, 'a');
    rig.executor.submit('maker', { ...limit, price: '59000', ref: 'nothing is lost' });
    expect(denials(rig)).toEqual([]);
    move(rig, 59_900);
    rig.executor.submit('maker', { ...limit, price: '59000', ref: 'lost' });
    expect(denials(rig)).toEqual(['drawdown']);
    const other = makeRig({ limits: { maxDailyLoss: '1000' } });
    fillNext(other, 'a');
    move(other, 59_900);
    const until = other.clock.now() + 60_000;
    other.executor.human.overrideLimit({
      id: 'o',
      limit: 'strategies.maker.maxDailyLoss',
      value: '0',
      until,
      reason: 'stop',
    });
    other.executor.submit('maker', { ...limit, price: '59000', ref: 'lost' });
    expect(denials(other)).toEqual(['daily_loss']);
  });

  it('are told when they stop new risk: once a day for each who has lost, and not for each order that is denied', () => {
    const rig = makeRig({ limits, risk: { drawdownFraction: 0.0001 } });
    fillNext(rig, 'a');
    move(rig, 59_300);
    for (const price of ['59000', '59001', '59002']) rig.executor.submit('maker', { ...limit, price });
    rig.executor.submit('taker', { ...limit, price: '59003' });
    expect(denials(rig)).toEqual(['drawdown', 'drawdown', 'drawdown', 'drawdown']);
    expect(alarms(rig)).toEqual(['drawdown']);
    const calm = makeRig({ limits });
    fillNext(calm, 'a');
    move(calm, 59_300);
    for (const price of ['59000', '59001', '59002']) calm.executor.submit('maker', { ...limit, price });
    expect(alarms(calm)).toEqual(['daily_loss']);
    calm.clock.advance(86_400_000);
    move(calm, 59_100);
    calm.executor.submit('maker', { ...limit, price: '59000' });
    expect(alarms(calm)).toEqual(['daily_loss', 'drawdown']);
    const message = calm.events.flatMap((event) => (event.kind === 'alarm' ? [event.message] : []))[0];
    expect(message).toMatch(/maker has lost .* today, the limit is 5\.00/);
  });

  it('of the account, from its highest equity', () => {
    const rig = makeRig({ risk: { drawdownFraction: 0.01, dailyLossFraction: 1 } });
    move(rig, 66_000);
    rig.executor.submit('maker', { ...limit, price: '65000' });
    move(rig, 63_000);
    rig.executor.submit('maker', { ...limit, price: '62000' });
    expect(denials(rig)).toEqual(['drawdown']);
  });
});

describe('every gate', () => {
  it.each(gateReasons)('that says %s denies new risk with it, and lets cancels pass', (reason) => {
    let closed = false;
    const gate = { name: 'test', closedBecause: () => (closed ? { reason, message: 'closed' } : null) };
    const rig = makeRig({ gates: [gate] });
    fillNext(rig, 'a');
    rig.executor.submit('maker', { ...limit, ref: 'rests' });
    closed = true;
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual([reason]);
    rig.executor.submit('maker', { kind: 'cancel', ref: 'rests' });
    expect(rig.venue.resting()).toEqual([]);
    const before = rig.venue.creates().length;
    rig.executor.submit('maker', { ...limit, side: 'sell', price: '60100', reduceOnly: true });
    expect(rig.venue.creates().length - before).toBe(reason === 'journal_failed' || reason === 'overfilled' ? 0 : 1);
  });

  it('is asked again at dispatch: one that closes while an order waits in a queue stops it', () => {
    let closed = false;
    const gate = {
      name: 'test',
      closedBecause: () => (closed ? { reason: 'loop_lag' as const, message: 'late' } : null),
    };
    const rig = makeRig({ gates: [gate] });
    rig.venue.queueing = true;
    rig.executor.submit('maker', limit);
    closed = true;
    rig.venue.release();
    expect(rig.venue.creates()).toEqual([]);
    expect(denials(rig)).toEqual(['loop_lag']);
  });
});
