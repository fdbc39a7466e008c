/** An exit above the limit of one order goes out in orders within it: never refused, and never sent whole. */
import { describe, expect, it } from 'vitest';
import { BTC, denials, makeRig, PERP, type Rig, type RigOptions } from '../execution/rig.ts';

const { symbol } = PERP;

function bought(quantity: string, options: RigOptions, of: string = symbol): Rig {
  const rig = makeRig({ ...options, specs: options.specs ?? [BTC, PERP] });
  // In entries that the limit allows.
  for (let left = Math.round(Number(quantity) * 1000); left > 0; left -= 30) {
    const part = (Math.min(30, left) / 1000).toFixed(3);
    rig.executor.submit('maker', { kind: 'place', symbol: of, side: 'buy', type: 'market', quantity: part });
    fillAll(rig);
  }
  expect(denials(rig)).toEqual([]);
  rig.venue.sent.length = 0;
  return rig;
}

function fillAll(rig: Rig): void {
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
}

function sells(rig: Rig): readonly string[] {
  return rig.venue.creates().map(({ side, quantity }) => `${side} ${quantity}`);
}

function held(rig: Rig, of: string = symbol): string {
  return rig.executor.account('maker').position(of).quantity;
}

const limits = { risk: { maxOrderQuantity: '0.03', maxOrderEquityFraction: 1 } };
const exit = { kind: 'place', symbol, side: 'sell', type: 'limit', price: '60100', reduceOnly: true } as const;

describe('an exit above the limit of an order', () => {
  it('placed by hand is several orders: the ref, then ref#2 and so on', () => {
    const rig = bought('0.07', limits);
    rig.executor.submit('maker', { ...exit, quantity: '0.07', ref: 'out' });
    expect(sells(rig)).toEqual(['sell 0.024', 'sell 0.023', 'sell 0.023']);
    const refs = rig.executor.account('maker').openOrders();
    expect(refs.map(({ ref, quantity }) => [ref, quantity])).toEqual([
      ['out', '0.024'],
      ['out#2', '0.023'],
      ['out#3', '0.023'],
    ]);
    fillAll(rig);
    expect(held(rig)).toBe('0');
    expect(denials(rig)).toEqual([]);
  });

  it('is cancelled whole by its ref', () => {
    const rig = bought('0.07', limits);
    rig.executor.submit('maker', { ...exit, quantity: '0.07', ref: 'out' });
    rig.executor.submit('maker', { kind: 'cancel', ref: 'out' });
    expect(rig.venue.resting()).toEqual([]);
  });

  it('keeps refs unique where a strategy has chosen such a one itself', () => {
    const rig = bought('0.07', limits);
    rig.executor.submit('maker', { ...exit, quantity: '0.005', ref: 'out#2' });
    rig.executor.submit('maker', { ...exit, quantity: '0.06', ref: 'out' });
    const refs = rig.executor.account('maker').openOrders();
    expect(refs.map(({ ref }) => ref)).toEqual(['out#2', 'out', 'out#3']);
  });

  it.each(['flatten', 'stop'] as const)('goes out in parts by %s', (how) => {
    const rig = bought('0.07', limits);
    if (how === 'flatten') rig.executor.submit('maker', { kind: 'flatten' });
    else rig.executor.stop('maker', 'flatten');
    expect(sells(rig)).toEqual(['sell 0.024', 'sell 0.023', 'sell 0.023']);
    fillAll(rig);
    expect(held(rig)).toBe('0');
  });

  it.each([
    ['at the market', undefined],
    ['by a resting limit', { limit: { price: '60100' } }],
  ] as const)('goes out one part after the other by a target %s', (_, via) => {
    const rig = bought('0.07', limits);
    rig.executor.submit('maker', { kind: 'target', symbol, quantity: '0', ...(via === undefined ? {} : { via }) });
    expect(sells(rig)).toEqual(['sell 0.024']);
    for (let fill = 0; fill < 5; fill++) fillAll(rig);
    expect(sells(rig)).toEqual(['sell 0.024', 'sell 0.023', 'sell 0.023']);
    expect(held(rig)).toBe('0');
  });

  it('leaves a part of a target that rests where it is while it fills', () => {
    const rig = bought('0.07', limits);
    rig.executor.submit('maker', { kind: 'target', symbol, quantity: '0', via: { limit: { price: '60100' } } });
    const [order] = rig.venue.resting();
    rig.venue.tellFill(order?.orderId ?? '', '0.01', '60100');
    expect(rig.venue.sent).toHaveLength(1);
  });

  it('keeps the limits of value and of equity', () => {
    const ofValue = bought('0.06', { risk: { maxOrderValue: '1900' } });
    ofValue.executor.submit('maker', { kind: 'flatten' });
    expect(sells(ofValue)).toEqual(['sell 0.03', 'sell 0.03']);
    // 1,000,000 USDT and 10 BTC: equity 1.6 M, a thousandth of it is 1,600, which are 0.026 at 60,000.
    const ofEquity = bought('0.03', { risk: { maxOrderEquityFraction: 0.01 } });
    ofEquity.executor.human.overrideLimit({
      limit: 'risk.maxOrderEquityFraction',
      id: 'o1',
      value: '0.001',
      until: ofEquity.clock.now() + 60_000,
      reason: 'a test',
    });
    ofEquity.executor.submit('maker', { kind: 'flatten' });
    expect(sells(ofEquity)).toEqual(['sell 0.015', 'sell 0.015']);
  });

  it('is as large as the exchange takes, where the limit is below that', () => {
    const specs = [{ ...PERP, minQuantity: '0.02' }];
    const rig = bought('0.06', { specs, risk: { maxOrderQuantity: '0.03' } });
    const until = rig.clock.now() + 60_000;
    rig.executor.human.overrideLimit({
      limit: 'risk.maxOrderQuantity',
      id: 'o1',
      value: '0.001',
      until,
      reason: 'a test',
    });
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(sells(rig)).toEqual(['sell 0.02', 'sell 0.02', 'sell 0.02']);
  });

  it('is no way past the limit for what opens', () => {
    const rig = makeRig(limits);
    rig.executor.submit('maker', { kind: 'place', symbol, side: 'sell', type: 'market', quantity: '0.031' });
    expect(denials(rig)).toEqual(['max_order_size']);
    expect(sells(rig)).toEqual([]);
  });

  it('sends so many orders at once and names what stays', () => {
    const specs = [{ ...PERP, minNotional: '0' }];
    const rig = bought('0.15', { specs, ...limits });
    const until = rig.clock.now() + 60_000;
    rig.executor.human.overrideLimit({
      limit: 'risk.maxOrderQuantity',
      id: 'o1',
      value: '0.001',
      until,
      reason: 'a test',
    });
    rig.executor.submit('maker', { ...exit, quantity: '0.15', ref: 'out' });
    expect(rig.venue.creates()).toHaveLength(100);
    const denial = rig.events.findLast((event) => event.kind === 'denied');
    expect(denial).toMatchObject({ ref: 'out#101', denied: { reason: 'max_order_size' } });
    rig.executor.submit('maker', { kind: 'flatten' });
    for (let second = 0; second < 5; second++) {
      fillAll(rig);
      rig.clock.advance(1000);
    }
    expect(held(rig)).toBe('0');
  });

  it('survives a restart: the refs of its parts are used up, and its parts are its own', () => {
    const rig = bought('0.07', limits);
    rig.executor.submit('maker', { ...exit, quantity: '0.07', ref: 'out' });
    const { journal, venue, clock } = rig;
    const again = makeRig({ ...limits, specs: [BTC, PERP], journal, venue, clock, bootId: 'b2' });
    expect(
      again.executor
        .account('maker')
        .openOrders()
        .map(({ ref }) => ref),
    ).toEqual(['out', 'out#2', 'out#3']);
    again.executor.submit('maker', { kind: 'cancel', ref: 'out' });
    expect(again.venue.resting()).toEqual([]);
    again.executor.submit('maker', { ...exit, quantity: '0.01', ref: 'out#3' });
    expect(denials(again)).toContain('duplicate_ref');
  });
});
