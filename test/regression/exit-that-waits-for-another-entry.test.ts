/**
 * Found by the chaos of processes: the strategy itself had closed what a bracket held, and an entry of its rested. The exit of the
 * bracket waited for that entry without end, cancelled its neighbours on its side each second, and let no other exit pass. What
 * has entered by its own order waits for no other: it is over. Where nothing is held an exit asks nobody for room.
 */
import { expect, it } from 'vitest';
import { bracket, place, stop } from '../../src/index.ts';
import { fills, programOf, programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';

const symbol = SYMBOL;

it('a bracket whose position others closed ends, and leaves their orders alone', () => {
  const rig = programRig();
  submit(
    rig,
    bracket({ entry: { symbol, side: 'buy', type: 'market', quantity: '0.02' }, stopLoss: { bps: 50 }, ref: 'b' }),
  );
  fills(rig, 'buy', '60001');
  submit(rig, place({ symbol, side: 'sell', type: 'market', quantity: '0.02' }));
  fills(rig, 'sell', '60000');
  submit(rig, place({ symbol, side: 'buy', type: 'limit', price: 55_000, quantity: '0.02' }));
  rig.market.move(59_000);
  submit(rig, place({ symbol, side: 'sell', type: 'limit', price: 62_000, quantity: '0.01' }));
  rig.clock.advance(60_000);
  expect(programOf(rig, 'b')).toMatchObject({
    state: 'canceled',
    reason: 'its strategy holds nothing that it could close',
  });
  expect(resting(rig)).toEqual(['buy 0.02 @ 55000', 'sell 0.01 @ 62000']);
});

it('a stop that has entered nothing goes on waiting for the entry beside it', () => {
  const rig = programRig();
  submit(rig, place({ symbol, side: 'buy', type: 'limit', price: 59_500, quantity: '0.02' }));
  submit(rig, stop({ symbol, side: 'sell', quantity: '0.02', trigger: 59_400, ref: 's' }));
  submit(rig, place({ symbol, side: 'sell', type: 'limit', price: 62_000, quantity: '0.01' }));
  rig.market.move(59_300);
  submit(rig, place({ symbol, side: 'sell', type: 'limit', price: 63_000, quantity: '0.01' }));
  rig.clock.advance(60_000);
  expect(programOf(rig, 's').state).toBe('working');
  expect(resting(rig)).toEqual(['buy 0.02 @ 59500', 'sell 0.01 @ 62000', 'sell 0.01 @ 63000']);
  fills(rig, 'buy', '59500');
  rig.clock.advance(1_000);
  expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market', quantity: '0.02' });
});
