/**
 * Found from outside: a perpetual that a strategy names in its code alone, not among its parameters, was never traded on
 * paper or live: its positions were not read, so that every order of it was denied as not compared.
 */
import { expect, it, vi } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import { alarms, BTC, denials, makeRig, PERP } from '../execution/rig.ts';

const target = { kind: 'target', symbol: PERP.symbol, quantity: '0.01', positionSide: 'both' } as const;

const HELD: VenuePosition = {
  symbol: PERP.symbol,
  positionSide: 'both',
  quantity: '0.01',
  entryPrice: '60000',
  markPrice: '60000',
  leverage: '1',
  marginType: 'cross',
  margin: '600',
  liquidationPrice: null,
  unrealizedPnl: '0',
  realizedPnl: '0',
  updatedAt: 0,
};

it('a perpetual that nobody named before the start trades once its positions were read', async () => {
  const rig = makeRig({ specs: [BTC, PERP] });
  createReconciler(rig.executor, { markets: ['spot'], symbols: [BTC.symbol] }).start();
  await rig.clock.advanceAsync(5_000, 1_000);
  rig.executor.submit('maker', target);
  expect(denials(rig)).toEqual(['not_reconciled']);
  expect(rig.venue.creates()).toEqual([]);
  await rig.clock.advanceAsync(15_000, 1_000);
  rig.executor.submit('maker', target);
  expect(denials(rig)).toEqual(['not_reconciled']);
  expect(rig.venue.creates()).toMatchObject([{ symbol: PERP.symbol, side: 'buy', quantity: '0.01' }]);
});

/** A session asks for positions of the markets alone that it trades: before it trades perpetuals it is told of none. */
it('a restart does not take the position for gone while nobody asks for it', async () => {
  const before = makeRig({ specs: [BTC, PERP] });
  const first = createReconciler(before.executor, { markets: ['spot'], symbols: [BTC.symbol] });
  first.start();
  await before.clock.advanceAsync(5_000, 1_000);
  before.executor.submit('maker', target);
  await before.clock.advanceAsync(15_000, 1_000);
  before.executor.submit('maker', target);
  before.venue.tellFill([...before.venue.orders.keys()][0]!, '0.01');
  first.stop();
  before.executor.close();

  const rig = makeRig({
    specs: [BTC, PERP],
    journal: before.journal,
    clock: before.clock,
    venue: before.venue,
    bootId: 'b2',
  });
  rig.venue.positionsNow = [HELD];
  const asked = vi.spyOn(rig.venue.query, 'positions');
  createReconciler(rig.executor, { markets: ['spot'], symbols: [BTC.symbol] }).start();
  await rig.clock.advanceAsync(120_000, 1_000);
  expect(asked).not.toHaveBeenCalled();
  expect(alarms(rig)).toEqual([]);
  expect(rig.executor.account('maker').position(PERP.symbol).quantity).toBe('0.01');

  const flat = { ...target, quantity: '0' };
  rig.executor.submit('maker', flat);
  await rig.clock.advanceAsync(15_000, 1_000);
  rig.executor.submit('maker', flat);
  expect(asked).toHaveBeenCalled();
  expect(alarms(rig)).toEqual([]);
  expect(rig.venue.creates().at(-1)).toMatchObject({ symbol: PERP.symbol, side: 'sell', quantity: '0.01' });
});

it.each([1e16, 1e300, '99999999999999999999'])(
  'a target of %s is denied, and what is held can be closed',
  (quantity) => {
    const rig = makeRig({ specs: [BTC] });
    rig.executor.submit('maker', { kind: 'target', symbol: BTC.symbol, quantity });
    expect(denials(rig)).toEqual(['above_maximum']);
  },
);
