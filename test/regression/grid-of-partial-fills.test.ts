/**
 * Found by a stranger: what a level of a grid had filled partly got no opposite order while the rest of the level's order
 * rested, and after `expire` it got none at all: the program stayed `working` with nothing at the exchange.
 */
import { expect, it } from 'vitest';
import { grid } from '../../src/index.ts';
import { alarms } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, size, submit, SYMBOL } from '../programs/program-rig.ts';

/** The smallest order is worth 5 USDT: 0.00009 BTC. */
const terms = { symbol: SYMBOL, low: 60_000, high: 61_000, levels: 2, quantity: '0.01', side: 'long' } as const;

it('programs/grid: a partial fill gets its opposite order, which grows as more fills', () => {
  const rig = programRig();
  submit(rig, grid(terms));
  const { orderId } = rests(rig, 'buy');
  rig.venue.tellFill(orderId, '0.00008');
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
  rig.venue.tellFill(orderId, '0.00192');
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000', 'sell 0.002 @ 61000']);
  // Less than the smallest order more is not worth a new one.
  rig.venue.tellFill(orderId, '0.00008');
  expect(rig.venue.creates()).toHaveLength(2);
  rig.venue.tellFill(orderId, '0.00292');
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000', 'sell 0.005 @ 61000']);
  rig.venue.tellFill(orderId, '0.00495');
  rig.venue.tellFill(orderId, '0.00005');
  expect(resting(rig)).toEqual(['sell 0.01 @ 61000']);
  fills(rig, 'sell');
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
  expect(size(rig)).toBe(0);
  expect(alarms(rig)).toEqual([]);
});

it('programs/grid: the order that opens keeps its place until all it has filled is closed, then it is whole again', () => {
  const rig = programRig();
  submit(rig, grid(terms));
  const { orderId } = rests(rig, 'buy');
  rig.venue.tellFill(orderId, '0.004');
  fills(rig, 'sell', undefined, '0.00395');
  expect(rests(rig, 'buy').orderId).toBe(orderId);
  // What is left of the closing order is worth less than the smallest order, and rests on.
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000', 'sell 0.004 @ 61000']);
  fills(rig, 'sell');
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
  expect(rests(rig, 'buy')).toMatchObject({ filledQuantity: '0' });
  expect(rig.venue.creates()).toHaveLength(3);
});

it('programs/grid: an order that opens stays when a partial fill leaves less than the smallest order', () => {
  const rig = programRig();
  submit(rig, grid(terms));
  const { orderId } = rests(rig, 'buy');
  rig.venue.tellFill(orderId, '0.00995');
  expect(rests(rig, 'buy').orderId).toBe(orderId);
  fills(rig, 'buy');
  expect(resting(rig)).toEqual(['sell 0.01 @ 61000']);
});

it('programs/grid: a short cell buys back what is filled', () => {
  const rig = programRig();
  submit(rig, grid({ ...terms, low: 59_000, high: 60_001, side: 'short' }));
  rig.venue.tellFill(rests(rig, 'sell').orderId, '0.004');
  expect(resting(rig)).toEqual(['sell 0.01 @ 60001', 'buy 0.004 @ 59000']);
});

it('programs/grid: after its expiry it closes a partly filled level, then ends', () => {
  const rig = programRig();
  submit(rig, grid({ ...terms, expire: '20s' }));
  const { orderId } = rests(rig, 'buy');
  rig.venue.tellFill(orderId, '0.004');
  rig.venue.tellFill(orderId, '0.00005');
  rig.clock.advance(20_000);
  expect(resting(rig)).toEqual(['sell 0.00405 @ 61000']);
  expect(programOf(rig).state).toBe('working');
  fills(rig, 'sell');
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'expired' });
  expect(size(rig)).toBe(0);
  expect(alarms(rig)).toEqual([]);
});

it('programs/grid: ends once it has expired and holds too little for an order, and says so', () => {
  const rig = programRig();
  submit(rig, grid({ ...terms, expire: '20s' }));
  rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00008');
  rig.clock.advance(20_000);
  expect(resting(rig)).toEqual([]);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'expired' });
  expect(alarms(rig)).toEqual(['unprotected']);
});
