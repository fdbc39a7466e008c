/** The end of an oco raised the alarm `unprotected` while the stop of another program of its strategy covered the same coins. */
import { expect, it } from 'vitest';
import { bracket, oco, place, stop, type Action } from '../../src/index.ts';
import { alarms } from '../execution/rig.ts';
import { fills, programOf, programRig, rests, submit, SYMBOL } from '../programs/program-rig.ts';

const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.02' } as const;
const leg = { symbol: SYMBOL, side: 'sell', quantity: '0.02' } as const;
const pair = oco({
  ref: 'o1',
  symbol: SYMBOL,
  legs: [place({ ...leg, type: 'limit', price: 61_000 }), stop({ ...leg, trigger: 59_000 })],
});
const guarded = bracket({ ref: 'b1', entry, stopLoss: 59_500 });

/** An oco whose order the exchange ends, beside another exit of the same coins. */
function ended(...actions: readonly Action[]) {
  const rig = programRig();
  submit(rig, actions[0] ?? []);
  fills(rig, 'buy');
  for (const action of actions.slice(1)) submit(rig, action);
  const { orderId } = rests(rig, 'sell');
  rig.venue.end(orderId, 'canceled');
  rig.venue.tell(orderId);
  rig.clock.advance(2_000);
  expect(programOf(rig, 'o1')).toMatchObject({ state: 'canceled', reason: 'the order of one leg has ended' });
  return rig;
}

it('programs/oco: its end raises no alarm where a bracket covers the coins', () => {
  const rig = ended(guarded, pair);
  expect([alarms(rig), rig.executor.unprotected]).toEqual([[], []]);
  submit(rig, { kind: 'cancel', ref: 'b1' });
  expect(rig.executor.unprotected).toMatchObject([{ quantity: '0.02', ref: 'b1' }]);
});

it('programs/oco: it names what the other exits leave', () => {
  expect(ended(place(entry), pair).executor.unprotected).toMatchObject([{ quantity: '0.02', ref: 'o1' }]);
  const half = ended(place(entry), stop({ ...leg, quantity: '0.015', trigger: 59_500 }), pair);
  expect(half.executor.unprotected).toMatchObject([{ quantity: '0.005', ref: 'o1' }]);
});

it('programs: what a command ends together is named once', () => {
  const rig = programRig();
  submit(rig, guarded);
  fills(rig, 'buy');
  submit(rig, [pair, place({ ...leg, type: 'limit', price: 62_000, reduceOnly: true })]);
  submit(rig, { kind: 'cancelAll' });
  expect(rig.executor.unprotected).toMatchObject([{ quantity: '0.02' }]);
  expect(alarms(rig)).toEqual(['unprotected']);
});
