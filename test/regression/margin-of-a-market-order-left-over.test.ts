/**
 * A market order across several prices left 10^-18 of margin locked for ever: its average price was a quotient of sixty
 * digits, and the running sums of what orders would open did not come back to zero. Found by `npm run model-check`
 * (area futures, seed 5000).
 */
import { expect, it } from 'vitest';
import { play, type Step } from '../model-check/session.ts';

const steps: readonly Step[] = [
  { kind: 'leverage', who: 1, symbol: 'BTCUSDTPERP', leverage: 20 },
  {
    kind: 'f-place',
    who: 0,
    symbol: 'BTCUSDTPERP',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: 6,
    size: 5,
    position: 'open',
    reduceOnly: false,
  },
  {
    kind: 'f-place',
    who: 1,
    symbol: 'BTCUSDTPERP',
    side: 'sell',
    type: 'limit',
    timeInForce: 'gtc',
    price: 4,
    size: 3,
    position: 'open',
    reduceOnly: false,
  },
  {
    kind: 'f-place',
    who: 0,
    symbol: 'BTCUSDTPERP',
    side: 'sell',
    type: 'limit',
    timeInForce: 'gtc',
    price: 1,
    size: 8,
    position: 'close',
    reduceOnly: false,
  },
  {
    kind: 'f-place',
    who: 0,
    symbol: 'BTCUSDTPERP',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: 6,
    size: 3,
    position: 'open',
    reduceOnly: false,
  },
  {
    kind: 'f-place',
    who: 0,
    symbol: 'BTCUSDTPERP',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: 3,
    size: 8,
    position: 'close',
    reduceOnly: false,
  },
  {
    kind: 'f-place',
    who: 1,
    symbol: 'BTCUSDTPERP',
    side: 'sell',
    type: 'market',
    timeInForce: 'ioc',
    price: 1,
    size: 9,
    position: 'open',
    reduceOnly: false,
  },
];

it('locks no margin for a market order that is over', () => {
  expect(() => play(steps, new Map())).not.toThrow();
});
