/**
 * A long grid took a stop above its levels or the market, a short one below, and both a take-profit on the losing side. What the price
 * had passed ended the grid at once.
 */
import { expect, it } from 'vitest';
import { bracket, grid, oco, place, stop, type Action } from '../../src/index.ts';
import { denials } from '../execution/rig.ts';
import { programRig, submit, SYMBOL } from '../programs/program-rig.ts';

const symbol = SYMBOL;
const around = { symbol, low: 59_500, high: 60_500, levels: 5, quantity: '0.01' } as const;
const sale = { symbol, side: 'sell', quantity: '0.02', reduceOnly: false } as const;
const beside = { ...sale, trigger: 59_500 } as const;
const crossing = { symbol, side: 'buy', type: 'limit', price: 62_000, quantity: '0.02' } as const;

const WRONG: readonly [string, Action][] = [
  ['a stop of a long grid above it', grid({ ...around, side: 'long', stopLoss: 63_000 })],
  ['a stop of a short grid below it', grid({ ...around, side: 'short', stopLoss: 57_000 })],
  ['a take-profit of a long grid below it', grid({ ...around, side: 'long', stopLoss: 59_400, takeProfit: 58_800 })],
  ['a take-profit of a short grid above it', grid({ ...around, side: 'short', takeProfit: 61_000 })],
  ['a stop of a grid above the market', grid({ ...around, low: 61_000, high: 62_000, side: 'long', stopLoss: 60_500 })],
  ['a stop of a neutral grid that is passed', grid({ ...around, low: 61_000, high: 62_000, stopLoss: 60_500 })],
  [
    'a limit beyond the stop beside it',
    oco({ symbol, legs: [place({ ...sale, type: 'limit', price: 59_400 }), stop(beside)] }),
  ],
  ['a stop beyond the fill of a crossing entry', bracket({ entry: crossing, stopLoss: 61_000 })],
];

it.each(WRONG)('%s is denied', (_, action) => {
  const rig = programRig();
  submit(rig, action);
  expect(denials(rig)).toEqual(['wrong_side']);
  expect(rig.venue.creates()).toEqual([]);
});

const RIGHT: readonly [string, Action][] = [
  ['a long grid', grid({ ...around, side: 'long', stopLoss: 59_000, takeProfit: 61_000 })],
  ['a short grid', grid({ ...around, side: 'short', stopLoss: 61_000, takeProfit: 59_000 })],
  ['a neutral grid', grid({ ...around, stopLoss: 61_000, takeProfit: 62_000 })],
];

it.each(RIGHT)('the exits of %s lie on their sides', (_, action) => {
  const rig = programRig();
  submit(rig, action);
  expect(denials(rig)).toEqual([]);
});
