/**
 * A position mode that a human changes while nothing is held, so that no list shows it: the exchange refuses what names a side
 * of the other mode, and that is all there is to see (reliability M10; found with the simulated fault `human-settings`).
 */
import { describe, expect, it } from 'vitest';
import type { PositionSide } from '../../src/model/trading/order.ts';
import { alarms, denials, makeRig, TestVenue, type Rig, type RigOptions } from './rig.ts';

const symbol = 'BTCUSDTPERP';
const limit = { kind: 'place', symbol, side: 'buy', type: 'limit', quantity: '0.01' } as const;

/** Each at a price of its own. */
function send(
  rig: Rig,
  more: { readonly positionSide?: PositionSide; readonly reduceOnly?: true } = {},
  tag = 'maker',
) {
  rig.executor.submit(tag, { ...limit, price: String(59_000 + rig.venue.sent.length), ...more });
}

/** Orders that name `both` have been taken; now the account is in hedge mode. */
function changed(options: RigOptions = {}): Rig {
  const rig = makeRig({ reconcile: { intervalMs: 100_000_000 }, ...options });
  send(rig);
  change(rig);
  return rig;
}

function change({ venue }: Rig): void {
  venue.createMode = 'refuse';
  venue.refusal = 'illegal_transition';
}

describe('a position mode that was changed', () => {
  it('is told by the first order that is refused for its side, and shuts perpetuals but not spot', () => {
    const rig = changed();
    send(rig);
    expect(alarms(rig)).toEqual(['margin_settings']);
    send(rig);
    send(rig, {}, 'taker');
    expect(denials(rig)).toEqual(['margin_settings', 'margin_settings']);
    expect(rig.venue.sent).toHaveLength(2);
    rig.executor.submit('maker', { ...limit, symbol: 'BTCUSDT', price: '59000' });
    expect(rig.venue.sent).toHaveLength(3);
  });

  it('lets a reduction try at any time', () => {
    const rig = changed();
    const [order] = rig.venue.resting();
    rig.venue.tellFill(order?.orderId ?? '', '0.01');
    send(rig);
    rig.executor.submit('maker', { ...limit, side: 'sell', price: '61000', reduceOnly: true });
    expect(rig.venue.creates().map(({ side }) => side)).toEqual(['buy', 'buy', 'sell']);
  });

  it('is tried again after a minute, then two, and is over with the first order that is taken', () => {
    const rig = changed();
    send(rig);
    rig.clock.advance(60_000);
    send(rig);
    rig.clock.advance(60_000);
    send(rig);
    expect(rig.venue.sent).toHaveLength(3);
    rig.clock.advance(60_000);
    rig.venue.createMode = 'accept';
    send(rig);
    send(rig);
    expect(rig.venue.sent).toHaveLength(5);
    expect(alarms(rig)).toEqual(['margin_settings', 'margin_settings']);
  });

  it('is known over a restart by what was taken before', () => {
    const { journal, clock } = changed();
    const rig = makeRig({ journal, clock, venue: new TestVenue(clock), bootId: 'b2' });
    change(rig);
    send(rig);
    expect(alarms(rig)).toEqual(['margin_settings']);
  });

  it('is what the configuration says where nothing was taken yet', () => {
    const rig = makeRig({ risk: { perpetuals: { positionMode: 'one-way' } } });
    change(rig);
    send(rig);
    expect(alarms(rig)).toEqual(['margin_settings']);
  });
});

describe('a side that was never taken', () => {
  it('is the mistake of the strategy that names it: the others go on', () => {
    const rig = makeRig();
    send(rig, {}, 'taker');
    change(rig);
    send(rig, { positionSide: 'long' });
    send(rig, { positionSide: 'long' }, 'taker');
    expect(alarms(rig)).toEqual([]);
    rig.venue.createMode = 'accept';
    send(rig, {}, 'taker');
    expect(rig.venue.resting()).toHaveLength(2);
  });
});

describe('another refusal', () => {
  it('closes nothing', () => {
    const rig = changed();
    rig.venue.refusal = 'insufficient_balance';
    send(rig);
    expect(alarms(rig)).toEqual([]);
  });
});
