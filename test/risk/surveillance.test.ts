/** The look at one's own conduct: order-to-trade and cancel-to-trade ratios, layering, self-crosses (reliability §2.7, 20). */
import { describe, expect, it } from 'vitest';
import { alarms, denials, makeRig, type Rig } from '../execution/rig.ts';

const limit = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.001',
} as const;

function watching(surveillance: object): Rig {
  return makeRig({ risk: { surveillance: { windowMs: 60_000, minOrders: 10, ...surveillance } } });
}

/** Places and cancels so many, a tenth of a second apart. */
function flicker(rig: Rig, times: number): void {
  for (let count = 0; count < times; count++) {
    rig.executor.submit('maker', limit);
    rig.executor.submit('maker', { kind: 'cancelAll' });
    rig.clock.advance(100);
  }
}

function fill(rig: Rig, side: 'buy' | 'sell'): void {
  rig.executor.submit('maker', { ...limit, side, price: side === 'buy' ? '59990' : '60010' });
  const order = rig.venue
    .resting()
    .find((resting) => resting.side === side && resting.price?.startsWith(side === 'buy' ? '59990' : '60010'));
  rig.venue.tellFill(order?.orderId ?? '', '0.001');
}

describe('surveillance of own conduct', () => {
  it('is off unless it is configured', () => {
    const rig = makeRig();
    flicker(rig, 200);
    expect([alarms(rig), denials(rig)]).toEqual([[], []]);
  });

  it('warns once a window of too many orders for each fill, and the orders go on', () => {
    const rig = watching({ action: 'warn', ordersPerFill: 20 });
    flicker(rig, 60);
    expect(alarms(rig)).toEqual(['surveillance']);
    expect(denials(rig)).toEqual([]);
    rig.clock.advance(60_000);
    flicker(rig, 60);
    expect(alarms(rig)).toEqual(['surveillance', 'surveillance']);
  });

  it('holds back new risk of that strategy in that symbol while it lasts, never a cancel or a reduction', () => {
    const rig = watching({ action: 'deny', cancelsPerFill: 15 });
    fill(rig, 'buy');
    flicker(rig, 40);
    expect(new Set(denials(rig))).toEqual(new Set(['surveillance']));
    const before = denials(rig).length;
    expect(before).toBe(40 - 16);
    rig.executor.submit('maker', { ...limit, side: 'sell', price: '60010', reduceOnly: true });
    rig.executor.submit('taker', limit);
    expect(denials(rig)).toHaveLength(before);
    rig.clock.advance(63_000);
    rig.executor.submit('maker', { ...limit, ref: 'later' });
    expect(denials(rig)).toHaveLength(before);
  });

  it('says nothing of ratios that fills justify, or of few orders', () => {
    const rig = watching({ action: 'deny', ordersPerFill: 10, cancelsPerFill: 10 });
    flicker(rig, 8);
    for (let count = 0; count < 30; count++) {
      if (count % 2 === 0) fill(rig, 'buy');
      else flicker(rig, 1);
    }
    expect(denials(rig)).toEqual([]);
  });

  it('sees layers on one side while the other side trades, and not those of a maker on both', () => {
    const layered = watching({ action: 'deny', layers: 4 });
    for (let price = 58_000; price < 58_005; price++)
      layered.executor.submit('maker', { ...limit, price: String(price) });
    expect(denials(layered)).toEqual([]);
    fill(layered, 'sell');
    layered.executor.submit('maker', { ...limit, price: '58010' });
    expect(denials(layered)).toEqual(['surveillance']);

    const maker = watching({ action: 'deny', layers: 4 });
    for (let step = 0; step < 5; step++) {
      maker.executor.submit('maker', { ...limit, price: String(58_000 + step) });
      maker.executor.submit('maker', { ...limit, side: 'sell', price: String(61_000 + step) });
    }
    fill(maker, 'sell');
    maker.executor.submit('maker', { ...limit, price: '58010' });
    expect(denials(maker)).toEqual([]);
  });

  it('counts orders that would have met own ones', () => {
    const rig = watching({ action: 'deny', selfCrosses: 2 });
    for (let count = 0; count < 4; count++) {
      rig.executor.submit('maker', { ...limit, price: '60000.5', quantity: '0.002' });
      rig.executor.submit('maker', { ...limit, side: 'sell', price: '60000.5', quantity: '0.002' });
      rig.executor.submit('maker', { kind: 'cancelAll' });
    }
    expect(denials(rig)).toContain('surveillance');
  });
});
