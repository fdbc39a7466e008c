/**
 * Found by reading: `flatten` waited for orders that the strategy placed after it. One that rested, or a maker's next quote,
 * kept the position open for ever, without a closing order, a denial or an alarm.
 */
import { expect, it } from 'vitest';
import { quote } from '../../src/strategy/actions.ts';
import { BTC, denials, makeRig, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const limit = { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.01' } as const;
const flatten = { kind: 'flatten', symbol } as const;

/** Holds 0.1 and quotes both sides; cancels are not answered. */
function quoting(): Rig {
  const rig = makeRig();
  rig.executor.submit('maker', { ...limit, price: '60001', quantity: '0.1' });
  fill(rig);
  quotes(rig, '59900');
  rig.venue.cancelMode = 'hold';
  rig.executor.submit('maker', flatten);
  return rig;
}

function quotes(rig: Rig, price: string): void {
  const bids = [{ price, quantity: '0.02' }];
  rig.executor.submit('maker', quote(symbol, { bids, asks: [] }));
}

/** What rests is told as canceled. */
function canceled(rig: Rig): void {
  for (const { orderId } of rig.venue.resting()) {
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
  }
}

function fill(rig: Rig): void {
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
}

const standing = ({ venue }: Rig): readonly string[] =>
  venue.resting().map(({ side, type, price, quantity }) => `${side} ${type} ${price ?? ''} ${quantity}`);

const held = ({ executor }: Rig): string => executor.account('maker').position(symbol).quantity;

it('execution/flatten/denies-an-order-of-the-same-list', () => {
  const rig = makeRig();
  rig.executor.submit('maker', { ...limit, price: '60001' });
  fill(rig);
  rig.executor.submit('maker', [flatten, limit]);
  expect(denials(rig)).toEqual(['flattening']);
  expect(standing(rig)).toEqual(['sell market  0.01']);
  fill(rig);
  expect(held(rig)).toBe('0');
  rig.executor.submit('maker', limit);
  expect(standing(rig)).toEqual(['buy limit 59000 0.01']);
});

it('execution/flatten/holds-quotes-until-it-is-done', () => {
  const rig = quoting();
  for (const price of ['59910', '59920']) quotes(rig, price);
  expect(standing(rig)).toEqual(['buy limit 59900 0.02']);
  canceled(rig);
  expect(standing(rig)).toEqual(['sell market  0.1']);
  quotes(rig, '59930');
  fill(rig);
  expect(held(rig)).toBe('0');
  expect(standing(rig)).toEqual(['buy limit 59930 0.02']);
  expect(denials(rig)).toEqual([]);
});

it('execution/flatten/holds-a-target-until-it-is-done', () => {
  const rig = quoting();
  rig.executor.submit('maker', { kind: 'target', symbol, quantity: '0.03' });
  canceled(rig);
  expect(standing(rig)).toEqual(['sell market  0.1']);
  fill(rig);
  expect(standing(rig)).toEqual(['buy market  0.03']);
  expect(denials(rig)).toEqual([]);
});

it('execution/flatten/gives-quotes-free-when-it-is-stuck', () => {
  const rig = quoting();
  canceled(rig);
  quotes(rig, '59930');
  rig.venue.createMode = 'refuse';
  canceled(rig);
  rig.clock.advance(20_000);
  expect(rig.events.some((event) => event.kind === 'alarm' && event.code === 'flatten_stuck')).toBe(true);
  rig.venue.createMode = 'accept';
  quotes(rig, '59940');
  expect(standing(rig)).toEqual(['buy limit 59940 0.02']);
});

it('execution/flatten/does-not-hold-other-symbols-and-strategies', () => {
  const rig = quoting();
  rig.executor.submit('taker', limit);
  rig.executor.submit('maker', { ...limit, symbol: 'BTCUSDTPERP' });
  expect(standing(rig)).toEqual(['buy limit 59900 0.02', 'buy limit 59000 0.01', 'buy limit 59000 0.01']);
});
