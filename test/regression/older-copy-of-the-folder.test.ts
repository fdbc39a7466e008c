/**
 * An older copy of a whole session folder brings a witness as old: nothing on the disk tells that rows are lost. What they sent
 * rested at the exchange as somebody else's, and the session traded on beside it. An order that bears the mark of the session
 * and an intent that no row tells of is the proof (reliability P03).
 */
import { describe, expect, it } from 'vitest';
import { RETURNED } from '../../src/execution/intake/bookings.ts';
import { EXTERNAL_TRADE } from '../../src/spine/external-keys.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { place } from '../execution/limit-rig.ts';
import { entries, session, withOlderJournal } from '../journal/older-journal-rig.ts';
import { alarms, trading, type Rig } from '../execution/rig.ts';

const isSecond = (entry: JournalEntry): boolean => entry.kind === 'intent' && entry.intentId === 's1_1-2';

const losses = (rig: Rig): readonly JournalEntry[] => entries(rig).filter(({ kind }) => kind === 'restored');

/** The session has sent a second order since the copy was made. */
async function older(): Promise<Rig> {
  const before = await session();
  before.executor.submit('maker', { ...place, price: '59100' });
  return withOlderJournal(before, isSecond);
}

describe('an order that no row tells of', () => {
  it('puts the session into amnesia, and is taken over', async () => {
    const rig = await older();
    await rig.clock.advanceAsync(60_000, 1000);
    expect(losses(rig)).toEqual([
      {
        kind: 'restored',
        event: 'rewound',
        reason: expect.stringMatching(/^journal_rewound: order \S+ in BTCUSDT/),
        orderId: expect.any(String),
      },
    ]);
    expect(alarms(rig)).toEqual(expect.arrayContaining(['journal_rewound', 'adopted_order']));
    expect(rig.executor.account('maker').openOrders()).toHaveLength(2);
    const sent = rig.venue.creates().length;
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(rig.venue.creates()).toHaveLength(sent);
    expect(entries(rig).at(-1)).toMatchObject({ kind: 'denial', reason: 'restored' });
    expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(rig.executor.state));
  });

  it('tells as much when it has ended, and its trade is booked as ours', async () => {
    const before = await session();
    before.executor.submit('maker', { ...place, price: '59100' });
    const [lost] = before.venue.resting().slice(-1);
    before.venue.fill(lost!.orderId, '0.01', '59100');
    before.venue.balancesNow = [trading('USDT', '999409'), trading('BTC', '10.01')];
    const rig = await withOlderJournal(before, isSecond);
    await rig.clock.advanceAsync(60_000, 1000);
    expect(losses(rig)).toHaveLength(1);
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.01');
    expect(entries(rig).filter((entry) => entry.kind === 'adjustment' && entry.cause !== 'opening')).toEqual([]);
  });

  it('is adopted when its trade was booked as of others, before a list showed it, and the trade is returned', async () => {
    const before = await session();
    before.executor.submit('maker', { ...place, price: '59100' });
    const [lost] = before.venue.resting().slice(-1);
    before.venue.fill(lost!.orderId, '0.005', '59100');
    before.venue.balancesNow = [trading('USDT', '999704.5'), trading('BTC', '10.005')];
    const order = before.venue.orders.get(lost!.orderId)!;
    before.venue.orders.delete(lost!.orderId);
    const rig = await withOlderJournal(before, isSecond);
    await rig.clock.advanceAsync(60_000, 1000);
    expect(losses(rig)).toEqual([]);
    rig.venue.orders.set(lost!.orderId, order);
    await rig.clock.advanceAsync(60_000, 1000);
    expect(losses(rig)).toHaveLength(1);
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.005');
    const causes = entries(rig).flatMap((entry) => (entry.kind === 'adjustment' ? [entry.cause] : []));
    expect(causes.slice(2)).toEqual([EXTERNAL_TRADE, EXTERNAL_TRADE, RETURNED, RETURNED]);
    expect(entries(rig).filter(({ kind }) => kind === 'fill')).toHaveLength(1);
  });

  it('is no news after a human has acknowledged the loss', async () => {
    const rig = await older();
    await rig.clock.advanceAsync(60_000, 1000);
    const word: JournalEntry = { kind: 'restored', event: 'acknowledged', reason: 'test' };
    const next = await withOlderJournal(rig, () => false, [word]);
    await next.clock.advanceAsync(60_000, 1000);
    expect(losses(next)).toHaveLength(2);
    next.executor.submit('maker', { ...place, price: '58000' });
    expect(next.executor.account('maker').openOrders()).toHaveLength(3);
  });

  it('tells once where the exchange dates it ahead, as each start would wait for a human again', async () => {
    const before = await session();
    before.executor.submit('maker', { ...place, price: '59100' });
    const [lost] = before.venue.resting().slice(-1);
    const report = before.venue.orders.get(lost!.orderId)!;
    const createdAt = report.createdAt + 3_600_000;
    before.venue.orders.set(lost!.orderId, { ...report, createdAt, status: 'canceled' });
    const rig = await withOlderJournal(before, isSecond);
    await rig.clock.advanceAsync(60_000, 1000);
    expect(losses(rig)).toHaveLength(1);
    const word: JournalEntry = { kind: 'restored', event: 'acknowledged', reason: 'test' };
    const next = await withOlderJournal(rig, () => false, [word]);
    await next.clock.advanceAsync(60_000, 1000);
    expect(losses(next)).toHaveLength(2);
  });

  it('is none of a copy that a running session is ahead of', async () => {
    const before = await session();
    before.executor.submit('maker', { ...place, price: '59100' });
    const copy = await withOlderJournal(before, isSecond, [], { isCopy: true });
    await copy.clock.advanceAsync(60_000, 1000);
    expect(losses(copy)).toEqual([]);
  });
});
