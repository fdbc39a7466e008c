/**
 * Keys that an action does not have were left out without a word, other than those of programs: `postonly` bought as a
 * taker, `reduceonly` opened a position, of two programs in `via` one ran.
 */
import { expect, test } from 'vitest';
import { bracket, cancel, cancelAll, oco, place, quote, stop, target, transfer } from 'tidewire';
import { actionProblem } from '../../src/strategy/action-shape.ts';

const order = { symbol: 'S', side: 'buy', type: 'limit', price: 1, quantity: 1 } as const;
const leg = { price: 1, quantity: 1 };
const sides = { bids: [leg], asks: [] };
/** As a caller without types writes them. */
const loose = (value: object): never => value as never;

test.each<[string, () => unknown]>([
  ["place: there is no 'postonly'; did you mean postOnly?", () => place(loose({ ...order, postonly: true }))],
  ["place: there is no 'reduceonly'; did you mean reduceOnly?", () => place(loose({ ...order, reduceonly: true }))],
  ["place: there is no 'fraction', only symbol, side, type,", () => place(loose({ ...order, fraction: 1 }))],
  ["cancelAll: there is no 'symbl'; did you mean symbol?", () => cancelAll(loose({ symbl: 'S' }))],
  ["quote: there is no 'tolerence'; did you mean tolerance?", () => quote('S', sides, loose({ tolerence: {} }))],
  [
    "quote: bids[0]: there is no 'postonly'; did you mean postOnly?",
    () => quote('S', { ...sides, bids: [loose({ ...leg, postonly: false })] }),
  ],
  ["target: there is no 'reduceOnly', only", () => target('S', loose({ quantity: 1, reduceOnly: true }))],
  [
    "target: via must be 'market', {limit: {price}} or one program such as {twap: {over}}, got an object with twap, chase",
    () => target('S', { quantity: 1, via: loose({ twap: { over: '1m' }, chase: {} }) }),
  ],
  [
    "target: via.twap: there is no 'slice'; did you mean slices?",
    () => target('S', { quantity: 1, via: loose({ twap: { over: '1m', slice: 4 } }) }),
  ],
  [
    "target: via.limit: there is no 'postOnly'",
    () => target('S', { quantity: 1, via: loose({ limit: { price: 1, postOnly: true } }) }),
  ],
  [
    "transfer: there is no 'ammount'; did you mean amount?",
    () => transfer(loose({ from: 'funding', to: 'p2p', currency: 'USDT', ammount: 1 })),
  ],
  [
    "bracket: entry: there is no 'postonly'; did you mean postOnly?",
    () => bracket({ entry: loose({ ...order, postonly: true }) }),
  ],
  [
    "oco: legs[1]: there is no 'trigered'; did you mean trigger?",
    () => oco(loose({ symbol: 'S', legs: [place(order), { kind: 'stop', trigered: 1 }] })),
  ],
])('%s', (message, build) => {
  expect(build).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
});

test('each key of the contract is taken, and an absent one may be written as undefined', () => {
  const whole = { ...order, timeInForce: 'gtc', reduceOnly: false, positionSide: 'both', postOnly: true } as const;
  const placed = place({ ...whole, ref: 'a', tag: 'b' });
  expect(actionProblem(placed)).toBeUndefined();
  expect(actionProblem({ ...placed, whatever: undefined })).toBeUndefined();
  expect(actionProblem(bracket({ entry: placed, takeProfit: 2 }))).toBeUndefined();
  const exit = { symbol: 'S', side: 'sell', quantity: 1, trigger: 1 } as const;
  expect(actionProblem(oco({ symbol: 'S', legs: [placed, stop(exit)] }))).toBeUndefined();
  for (const via of ['market', { limit: { price: 1 } }, { twap: { over: '1m', slices: 2 } }, { chase: {} }] as const)
    expect(actionProblem(target('S', { quantity: 1, positionSide: 'both', via, tag: 't' }))).toBeUndefined();
  // Whoever has an order may cancel it as it is.
  expect(cancel({ ...placed, ref: 'a' })).toEqual({ kind: 'cancel', ref: 'a' });
});
