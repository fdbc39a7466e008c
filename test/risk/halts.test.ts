/**
 * What stops new risk because the exchange, or something before it, does what was not agreed: an overfill, orders turned
 * away by a firewall, perpetuals set otherwise (reliability O23, R14, M10); and fills and entries that do not add up
 * (M13, M06).
 */
import { describe, expect, it } from 'vitest';
import { classifyResult } from '../../src/exchange/client/classify.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import { alarms, BTC, denials, makeRig, PERP, TestVenue, type Rig } from '../execution/rig.ts';
import { stateHash } from '../../src/spine/replay.ts';

const limit = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59990',
  quantity: '0.01',
} as const;

function only(rig: Rig): string {
  const [order] = rig.venue.resting();
  if (order === undefined) throw new Error('nothing rests');
  return order.orderId;
}

describe('an overfill', () => {
  function overfilled(): Rig {
    const rig = makeRig({ limits: { maxPosition: '0.02' } });
    rig.executor.submit('taker', { ...limit, price: '59000' });
    rig.executor.submit('taker', { ...limit, symbol: 'BTCUSDTPERP', price: '59000', ref: 'elsewhere' });
    rig.executor.submit('maker', limit);
    const order = rig.venue.resting().find(({ price }) => price === '59990');
    rig.venue.tellFill(order?.orderId ?? '', '0.01');
    rig.venue.tellFill(order?.orderId ?? '', '0.005');
    return rig;
  }

  it('halts the symbol: what could add to it is cancelled, nothing of spot passes, other symbols go on', () => {
    const rig = overfilled();
    expect(alarms(rig)).toContain('overfill');
    expect(rig.venue.resting().map(({ symbol }) => symbol)).toEqual(['BTCUSDTPERP']);
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual(['overfilled']);
    // By how much the position may be reduced is what is in doubt.
    rig.executor.submit('maker', { ...limit, side: 'sell', price: '60010', quantity: '0.01', reduceOnly: true });
    expect(denials(rig)).toEqual(['overfilled', 'overfilled']);
    rig.executor.submit('maker', { ...limit, symbol: 'BTCUSDTPERP', ref: 'other' });
    expect(rig.venue.resting()).toHaveLength(2);
  });

  it('halts a perpetual: what the exchange lets only reduce passes', () => {
    const rig = makeRig({ limits: { maxPosition: '0.02' } });
    const perpetual = { ...limit, symbol: 'BTCUSDTPERP' } as const;
    rig.executor.submit('maker', perpetual);
    const orderId = only(rig);
    rig.venue.tellFill(orderId, '0.01');
    rig.venue.tellFill(orderId, '0.005');
    rig.executor.submit('maker', { ...perpetual, side: 'sell', price: '60010', reduceOnly: true });
    expect(denials(rig)).toEqual([]);
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', reduceOnly: true });
  });

  it('that was only reported, not yet filled, counts as what it could become', () => {
    const rig = makeRig({ limits: { maxPosition: '0.02' } });
    rig.executor.submit('maker', limit);
    const orderId = only(rig);
    rig.venue.fill(orderId, '0.018');
    rig.venue.tell(orderId);
    rig.executor.human.resume('BTCUSDT', 'looked');
    rig.executor.submit('maker', { ...limit, quantity: '0.005' });
    expect(denials(rig)).toEqual(['max_position']);
  });

  it('stays halted over a restart, until a human resumes it', () => {
    const first = overfilled();
    const { journal, clock } = first;
    const rig = makeRig({ journal, clock, venue: new TestVenue(clock), bootId: 'b2' });
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual(['overfilled']);
    const halted = stateHash(rig.executor.state);
    rig.executor.human.resume('BTCUSDT', 'the exchange explained it');
    expect(stateHash(rig.executor.state)).not.toBe(halted);
    rig.executor.submit('maker', limit);
    expect(rig.venue.resting()).toHaveLength(1);
    const rows = [...journal.read()].flatMap(({ entry }) => (entry.kind === 'halt' ? [entry.on] : []));
    expect(rows).toEqual([true, false]);
  });
});

describe('orders that something before the exchange turns away', () => {
  const page = (status: number): ReturnType<typeof classifyResult> =>
    classifyResult({ kind: 'response', status, headers: {}, body: '<html>Are you a robot?</html>' });

  it('are told from other answers', () => {
    for (const status of [200, 401, 403, 451]) expect(page(status), String(status)).toMatchObject({ blocked: true });
    for (const status of [404, 429, 500, 503]) expect(page(status), String(status)).not.toHaveProperty('blocked');
  });

  it('close the gate for longer and longer, with an alarm that says why, until the exchange itself answers', () => {
    const rig = makeRig({ reconcile: { intervalMs: 100_000_000 } });
    const blocked = { kind: 'unknown', reason: 'status 403, not a known refusal', blocked: true } as const;
    rig.venue.createMode = 'hold';
    const send = (ref: string): void =>
      rig.executor.submit('maker', { ...limit, price: `${58_000 + rig.venue.sent.length}`, ref });
    const turnAway = (): void => {
      const last = rig.venue.sent.at(-1);
      rig.venue.answer(last?.intentId ?? '', blocked);
    };
    send('a');
    turnAway();
    expect(alarms(rig)).toEqual([]);
    send('b');
    turnAway();
    expect(alarms(rig)).toEqual(['orders_blocked']);
    send('c');
    expect(denials(rig)).toEqual(['orders_blocked']);
    rig.clock.advance(60_000);
    send('d');
    turnAway();
    rig.clock.advance(60_000);
    send('e');
    expect(denials(rig)).toEqual(['orders_blocked', 'orders_blocked']);
    rig.clock.advance(60_000);
    rig.venue.createMode = 'accept';
    send('f');
    send('g');
    expect(rig.venue.sent).toHaveLength(5);
  });
});

describe('a fill beyond the limit of its order', () => {
  it('raises the alarm, halts the symbol, and is left to the list of own trades', () => {
    const rig = makeRig();
    rig.executor.submit('maker', limit);
    rig.venue.tellFill(only(rig), '0.01', '59990.01');
    expect(alarms(rig)).toEqual(['fill_contradiction']);
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0');
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual(['overfilled']);
  });

  it('is not one at the limit or better', () => {
    const rig = makeRig();
    rig.executor.submit('maker', limit);
    rig.venue.tellFill(only(rig), '0.01', '59980');
    rig.executor.submit('maker', { ...limit, side: 'sell', price: '60010' });
    rig.venue.tellFill(only(rig), '0.01', '60010');
    expect(alarms(rig)).toEqual([]);
  });
});

describe('the settings of a perpetual', () => {
  const perp = { ...limit, symbol: 'BTCUSDTPERP', price: '59000' } as const;
  const position = (change: Partial<VenuePosition>): VenuePosition => ({
    symbol: 'BTCUSDTPERP',
    positionSide: 'both',
    quantity: '0',
    entryPrice: '0',
    markPrice: '60000',
    leverage: '3',
    marginType: 'cross',
    margin: '0',
    liquidationPrice: null,
    unrealizedPnl: '0',
    realizedPnl: '0',
    updatedAt: 0,
    ...change,
  });
  const tell = (rig: Rig, change: Partial<VenuePosition>): void =>
    rig.venue.emit({ kind: 'positions', positions: [position(change)], whole: true });

  it('that a human changes while it runs close its gate until they are back', () => {
    const rig = makeRig({ specs: [BTC, PERP] });
    tell(rig, {});
    tell(rig, { marginType: 'isolated' });
    tell(rig, { marginType: 'isolated' });
    expect(alarms(rig)).toEqual(['margin_settings']);
    rig.executor.submit('maker', perp);
    rig.executor.submit('maker', limit);
    expect(denials(rig)).toEqual(['margin_settings']);
    tell(rig, { positionSide: 'long' });
    expect(alarms(rig)).toHaveLength(2);
    tell(rig, {});
    rig.executor.submit('maker', perp);
    expect(rig.venue.resting()).toHaveLength(2);
  });

  it('that were changed while nothing ran close it too: the margin type is that of the first position in the journal', () => {
    const first = makeRig({ specs: [BTC, PERP] });
    tell(first, { marginType: 'isolated' });
    const { journal, clock } = first;
    const again = (risk: object, bootId: string): Rig =>
      makeRig({ specs: [BTC, PERP], journal, clock, venue: new TestVenue(clock), bootId, risk });
    const rig = again({}, 'b2');
    tell(rig, {});
    expect(alarms(rig)).toEqual(['margin_settings']);
    rig.executor.submit('maker', perp);
    expect(denials(rig)).toEqual(['margin_settings']);
    // Said once in the configuration, it is what was wanted, and is remembered.
    tell(again({ perpetuals: { marginType: 'cross' } }, 'b3'), {});
    const last = again({}, 'b4');
    tell(last, {});
    expect(alarms(last)).toEqual([]);
  });

  it('that nothing shows any more stay wrong, but for a mode, which the exchange refuses by itself', () => {
    const rig = makeRig({ specs: [BTC, PERP] });
    const tellNone = (): void => rig.venue.emit({ kind: 'positions', positions: [], whole: true });
    tell(rig, {});
    tell(rig, { positionSide: 'long' });
    rig.executor.submit('maker', perp);
    tellNone();
    rig.executor.submit('maker', perp);
    expect(denials(rig)).toEqual(['margin_settings']);
    expect(rig.venue.resting()).toHaveLength(1);
    tell(rig, { marginType: 'isolated' });
    tellNone();
    rig.executor.submit('maker', { ...perp, price: '59010' });
    expect(denials(rig)).toEqual(['margin_settings', 'margin_settings']);
  });

  it('are those of the configuration from the start', () => {
    const risk = { perpetuals: { positionMode: 'one-way', marginType: 'isolated', leverage: 2 } };
    const rig = makeRig({ specs: [BTC, PERP], risk });
    tell(rig, {});
    rig.executor.submit('maker', perp);
    const [event] = rig.events.filter(({ kind }) => kind === 'denied');
    expect(event).toMatchObject({
      denied: {
        reason: 'margin_settings',
        message: expect.stringContaining('margin type is cross, not isolated, leverage is 3, above 2'),
      },
    });
  });
});

describe('an entry whose exit would be below a minimum', () => {
  // The minimum is worth 5, so 0.00009 at 59,990 is above it and 0.00009 at 56,990 is not.
  const tiny = { ...limit, quantity: '0.00009' } as const;

  it('is noted once by default, and sent', () => {
    const rig = makeRig();
    rig.executor.submit('maker', tiny);
    rig.executor.submit('maker', { ...tiny, price: '59980' });
    expect(rig.venue.resting()).toHaveLength(2);
    const notes = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'note' ? [entry.text] : []));
    expect(notes).toEqual([expect.stringContaining('can be closed')]);
  });

  it.each([
    // 0.00007 after the fee, and 0.00008 are needed at 56,990.
    ['0.00008', true],
    ['0.00009', false],
    ['0.01', false],
  ])('of %s is denied where that is configured: %s', (quantity, isDenied) => {
    const rig = makeRig({ risk: { exitCheck: 'deny' }, specs: [{ ...BTC, minNotional: '4.5' }] });
    rig.executor.submit('maker', { ...limit, quantity });
    expect(denials(rig)).toEqual(isDenied ? ['not_exitable'] : []);
  });

  it('counts what the strategy holds already, and never holds back a way out', () => {
    const rig = makeRig({ risk: { exitCheck: 'deny' } });
    rig.executor.submit('maker', limit);
    rig.venue.tellFill(only(rig), '0.01');
    rig.executor.submit('maker', tiny);
    rig.executor.submit('maker', { ...tiny, side: 'sell', price: '60010', quantity: '0.0001' });
    expect(denials(rig)).toEqual([]);
  });
});
