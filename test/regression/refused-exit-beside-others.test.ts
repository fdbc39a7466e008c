/**
 * Found by a stranger: a stop on a crumb, too small to be sold, was refused three times by the exchange, and for a minute every
 * exit of the strategy on that side and symbol was held back: the stop of the real position, `flatten`, `target 0`.
 */
import { expect, it } from 'vitest';
import { bracket, stop, trailingStop } from '../../src/index.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { denials, makeRig, type Rig } from '../execution/rig.ts';
import { programRig, submit } from '../programs/program-rig.ts';

const symbol = 'BTCUSDT';

function sells({ executor }: Rig, quantity: string): void {
  executor.submit('maker', { kind: 'place', symbol, side: 'sell', type: 'market', quantity, reduceOnly: true });
}

function held(): Rig {
  const rig = makeRig();
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.5' });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.5', '60000');
  Object.assign(rig.venue, { createMode: 'refuse', refusal: 'below_minimum' });
  for (let time = 0; time < 3; time++) sells(rig, '0.00002');
  rig.venue.createMode = 'accept';
  return rig;
}

it('holds back only exits as small', () => {
  const rig = held();
  sells(rig, '0.00002');
  expect(denials(rig)).toEqual([expect.stringContaining('repeated_rejects')]);
  sells(rig, '0.3');
  expect(rig.venue.resting()).toMatchObject([{ side: 'sell', quantity: '0.3' }]);
});

it('holds no flatten back', () => {
  const rig = held();
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  expect(denials(rig)).toEqual([]);
  expect(rig.venue.resting()).toMatchObject([{ side: 'sell', quantity: '0.5' }]);
});

it('is none of what opens a position', () => {
  const rig = held();
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'sell', type: 'market', quantity: '0.4' });
  expect(denials(rig).filter((denial) => denial.includes('repeated_rejects'))).toEqual([]);
});

/** 0.0001 is worth 6 USDT at the price and less than the minimum of 5 at 49,000. */
const tiny: Readonly<Record<string, Action>> = {
  bracket: bracket({ entry: { symbol, side: 'buy', type: 'market', quantity: '0.0001' }, stopLoss: 49_000 }),
  'bracket that trails': bracket({
    entry: { symbol, side: 'buy', type: 'market', quantity: '0.0001' },
    trailing: { distance: 11_000 },
  }),
  stop: stop({ symbol, side: 'sell', quantity: '0.0001', trigger: 49_000 }),
  'trailing stop': trailingStop({ symbol, side: 'sell', quantity: '0.0001', bps: 2_000 }),
};

it.each(Object.entries(tiny))('programs/%s: too small to leave at its own trigger is denied at once', (_, action) => {
  const rig = programRig();
  submit(rig, action);
  expect(denials(rig)).toEqual([expect.stringContaining('below_minimum')]);
  expect(rig.venue.creates()).toEqual([]);
});
