/**
 * Found by a stranger: of two stops on one position the second one ended "its position was closed by external trades", where the
 * first one had closed it and the account had no external trade.
 */
import { expect, it } from 'vitest';
import { place, stop } from '../../src/index.ts';
import { alarms } from '../execution/rig.ts';
import { fills, programOf, programRig, size, submit, SYMBOL } from '../programs/program-rig.ts';

it('programs/stop: blames nobody where another exit of its strategy was first', () => {
  const rig = programRig();
  const base = { symbol: SYMBOL, quantity: '0.02' } as const;
  submit(rig, place({ ...base, side: 'buy', type: 'market' }));
  fills(rig, 'buy', '60001');
  for (const [ref, trigger] of [
    ['first', 59_600],
    ['second', 59_500],
  ] as const)
    submit(rig, stop({ ...base, side: 'sell', trigger, ref }));
  rig.market.move(59_600);
  fills(rig, 'sell', '59600');
  rig.market.move(59_400);
  rig.clock.advance(1_000);
  expect(programOf(rig, 'first')).toMatchObject({ state: 'done' });
  expect(programOf(rig, 'second')).toMatchObject({
    state: 'canceled',
    reason: 'its strategy holds nothing that it could close',
  });
  expect([size(rig), alarms(rig)]).toEqual([0, []]);
});
