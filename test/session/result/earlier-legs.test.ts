/** What the journal counts of earlier processes is what they counted, and a process adds to it what it does itself. */
import { expect, it } from 'vitest';
import { zeroCounters, type OrderCounters } from '../../../src/spine/orders/order-counters.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { EarlierLegs } from '../../../src/session/result/earlier-legs.ts';
import { RunRecorder } from '../../../src/session/recorder/run-recorder.ts';
import { place } from '../../execution/limit-rig.ts';
import { session, withOlderJournal } from '../../journal/older-journal-rig.ts';
import { BTC, FixedMarket, makeRig, type Rig } from '../../execution/rig.ts';

function counted(rig: Rig, own: Readonly<OrderCounters> = zeroCounters()): OrderCounters {
  const earlier = EarlierLegs.tell(rig.journal.read(), new RunRecorder(new Instruments([BTC]), 'USDT'));
  return earlier!.counters(own);
}

/** Another process of the same session. */
function restarted({ clock, venue, journal }: Rig): Rig {
  return makeRig({ clock, venue, journal, bootId: 'b2' });
}

it('an order that is told of as filled before its fill is booked counts once', () => {
  const rig = makeRig();
  rig.executor.submit('maker', place);
  rig.venue.fill('v1', '0.01');
  rig.venue.tell('v1');
  rig.venue.emit({ kind: 'fill', fill: rig.venue.trades[0]! });
  expect(rig.executor.counters()).toMatchObject({ submitted: 1, accepted: 1, filled: 1 });
  expect(counted(rig)).toEqual(rig.executor.counters());
});

it('a late fill of an order that an earlier process closed accepts it no second time', () => {
  const one = makeRig();
  one.executor.submit('maker', place);
  one.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
  const before = counted(one);
  expect(before).toMatchObject({ submitted: 1, accepted: 1, canceled: 1 });
  const two = restarted(one);
  two.venue.emit({ kind: 'fill', fill: two.venue.fill('v1', '0.01') });
  expect(two.executor.account('maker').position('BTCUSDT').quantity).toBe('0.01');
  expect(two.executor.counters().accepted).toBe(0);
  const { submitted, accepted, filled, canceled } = counted(two);
  expect([submitted, accepted, filled + canceled]).toEqual([1, 1, 1]);
});

it('an order that was taken over was sent', async () => {
  const before = await session();
  before.executor.submit('maker', { ...place, price: '59100' });
  const isSecond = (entry: JournalEntry): boolean => entry.kind === 'intent' && entry.intentId === 's1_1-2';
  const rig = await withOlderJournal(before, isSecond);
  await rig.clock.advanceAsync(60_000, 1000);
  expect(rig.executor.account('maker').openOrders()).toHaveLength(2);
  expect(rig.executor.counters()).toMatchObject({ submitted: 1, accepted: 1 });
  expect(counted(rig)).toMatchObject({ submitted: 2, accepted: 2 });
});

it('counts by reason what was denied after its order was there, as the process did', () => {
  const own = new RunRecorder(new Instruments([BTC]), 'USDT');
  let isShut = false;
  const closedBecause = () => (isShut ? ({ reason: 'stale_data', message: 'old' } as const) : null);
  const rig = makeRig({ gates: [{ name: 'test', closedBecause }] });
  rig.executor.listen((event) => own.onExecutorEvent(event));
  rig.executor.submit('maker', { ...place, quantity: '0' });
  // Held behind an own order in its way, which cannot be cancelled in time.
  rig.executor.submit('maker', { ...place, ref: 'rests' });
  rig.venue.cancelMode = 'hold';
  rig.executor.submit('maker', { ...place, side: 'sell', ref: 'held' });
  rig.clock.advance(10_000);
  // Waiting for a request: one is withdrawn, a gate shuts before the other leaves.
  rig.venue.queueing = true;
  rig.executor.submit('maker', { ...place, ref: 'withdrawn' });
  rig.executor.submit('maker', { kind: 'cancel', ref: 'withdrawn' });
  rig.executor.submit('maker', { ...place, ref: 'late', price: '58000' });
  isShut = true;
  rig.venue.release();

  const told = own.denials().map(({ reason, count }) => [reason, count]);
  expect(new Map(told as [string, number][])).toEqual(
    new Map([
      ['not_positive', 1],
      ['expired', 1],
      ['stale_data', 1],
    ]),
  );
  const later = new RunRecorder(new Instruments([BTC]), 'USDT');
  EarlierLegs.tell(rig.journal.read(), later);
  expect(later.denials()).toEqual(own.denials());
  // The fourth is the one that was withdrawn.
  expect(rig.executor.counters().denied).toBe(4);
  expect(counted(rig).denied).toBe(4);
});

it('counts fills in another currency at the rates of the process that learned them', () => {
  const ETHBTC = { ...BTC, symbol: 'ETHBTC', base: 'ETH', quote: 'BTC', tickSize: '0.000001', minNotional: '0' };
  let rate = 60_000;
  const market = Object.assign(new FixedMarket(), {
    best: () => ({ bidTicks: 49_999, bidLots: 1e8, askTicks: 50_001, askLots: 1e8 }),
    mid: (symbol?: string) => (symbol === 'ETHBTC' ? 0.05 : rate),
  });
  const make = (): RunRecorder => new RunRecorder(new Instruments([BTC, ETHBTC]), 'USDT');
  const rig = makeRig({ specs: [BTC, ETHBTC], market });
  const own = make();
  rig.executor.listen((event) => own.onExecutorEvent(event));
  rig.executor.submit('maker', { ...place, symbol: 'ETHBTC', price: '0.049', quantity: '2' });
  for (const quantity of ['0.5', '1.5']) {
    // The recorder has seen another price than the executor.
    own.mark(rig.clock.now(), 'BTCUSDT', 1);
    rig.venue.emit({ kind: 'fill', fill: rig.venue.fill('v1', quantity) });
    rate += 5_000.5;
    rig.clock.advance(1_000);
  }
  const rebuilt = make();
  EarlierLegs.tell(rig.journal.read(), rebuilt);
  for (const recorder of [own, rebuilt]) {
    expect(recorder.fills.map(({ quoteRate }) => quoteRate)).toEqual(['60000', '65000.5']);
    expect(recorder.warnings().join()).not.toMatch(/first price/);
  }
  expect(rebuilt.price('BTCUSDT')).toBe(65_000.5);
  expect(rebuilt.tally('maker').fees).toBe(own.tally('maker').fees);
});
