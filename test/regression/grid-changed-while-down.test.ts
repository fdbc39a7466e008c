/**
 * While nothing ran the exchange made the steps of an instrument ten times coarser. The journal's positions and orders were counted in
 * the old lots and ticks, new orders in the new ones, as if they were the same: what was held looked ten times as
 * large, and a flatten would have sold ten times the position. A start counts what it takes over anew. Later (found by the fault
 * simulator, seed 83178, law F2): fractions of the new lots were added up as they came, and 140 + 40 + 47.92 of them were more
 * than 227.92, so that an order that had filled to the last unit was an overfill and halted its symbol.
 */
import { describe, expect, it } from 'vitest';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { alarms, BTC, denials, makeRig, type Rig } from '../execution/rig.ts';

const COARSE = { ...BTC, tickSize: '0.1', lotSize: '0.0001', minQuantity: '0.0001' };

function place(rig: Rig, side: 'buy' | 'sell', quantity: string, price: string): string {
  rig.executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side, type: 'limit', price, quantity });
  return [...rig.venue.orders.keys()].at(-1) ?? '';
}

function held(): { readonly before: Rig; readonly after: Rig; readonly resting: string } {
  const before = makeRig({ specs: [BTC] });
  before.venue.tellFill(place(before, 'buy', '0.01', '59000'), '0.01');
  const resting = place(before, 'buy', '0.02', '58000');
  const after = makeRig({
    specs: [COARSE],
    journal: before.journal,
    clock: before.clock,
    venue: before.venue,
    bootId: 'b2',
    limits: { maxPosition: '0.035' },
  });
  return { before, after, resting };
}

describe('an instrument whose steps became coarser while nothing ran', () => {
  it('flattens what is held, not ten times of it', () => {
    const { after } = held();
    expect(after.executor.account('maker').position('BTCUSDT').quantity).toBe('0.01');
    after.executor.submit('maker', { kind: 'flatten', symbol: 'BTCUSDT' });
    expect(after.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.01' });
  });

  it('counts what is held and what rests against limits as it is', () => {
    const { after } = held();
    const sent = after.venue.creates().length;
    place(after, 'buy', '0.005', '58100');
    expect(after.venue.creates().length).toBe(sent + 1);
    place(after, 'buy', '0.001', '58100');
    expect(after.venue.creates().length).toBe(sent + 1);
    expect(denials(after)).toEqual(['max_position']);
  });

  it('is counted so by every later replay of the journal, too', () => {
    const { after } = held();
    place(after, 'buy', '0.005', '58100');
    const { state } = replayRows(after.journal.read());
    expect(stateHash(state)).toBe(stateHash(after.executor.state));
    expect(state.positions.of('maker', 'BTCUSDT', 'both')?.lots).toBe(100);
    expect([...state.orders.allLive()].map(({ progress }) => progress.lots)).toEqual([200, 50]);
  });

  it('takes fills of an order of before for what they are', () => {
    const { after, resting } = held();
    after.venue.tellFill(resting, '0.015');
    expect(after.executor.account('maker').position('BTCUSDT').quantity).toBe('0.025');
    const order = after.executor.account('maker').openOrders()[0];
    expect(order).toMatchObject({ state: 'partially_filled' });
    after.venue.tellFill(resting, '0.005');
    expect(after.executor.account('maker').openOrders()).toEqual([]);
    expect(after.executor.account('maker').position('BTCUSDT').quantity).toBe('0.03');
  });

  it.each(['0.0005', '0.0003', '0.007'])('adds up fills in parts of a lot of %s without a remainder', (lotSize) => {
    const before = makeRig({ specs: [BTC] });
    const resting = place(before, 'buy', '0.11396', '58000');
    const { journal, clock, venue } = before;
    const specs = [{ ...BTC, lotSize, minQuantity: lotSize }];
    let rig = makeRig({ specs, journal, clock, venue, bootId: 'b2' });
    for (const part of ['0.07', '0.02', '0.02395']) rig.venue.tellFill(resting, part);
    const [open] = rig.executor.account('maker').openOrders();
    expect(open).toMatchObject({ state: 'partially_filled', filledQuantity: '0.11395' });
    // Once more, from the fractions.
    rig = makeRig({ specs: [{ ...BTC, lotSize: '0.0011' }], journal, clock, venue, bootId: 'b3' });
    rig.venue.tellFill(resting, '0.00001');
    expect(rig.executor.account('maker').openOrders()).toEqual([]);
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.11396');
    expect(alarms(rig)).toEqual(['off_grid_fill']);
    expect(stateHash(replayRows(journal.read()).state)).toBe(stateHash(rig.executor.state));
  });
});
