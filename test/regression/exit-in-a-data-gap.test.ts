/**
 * Found by a stranger: in a gap of the data the simulated venue, which knows no market then, ended exits at once. A time limit
 * and `onStale: exit` used up their five tries on that, and the position stood without an exit when prices were back.
 */
import { expect, it } from 'vitest';
import { bracket, flatten, place } from '../../src/index.ts';
import { NO_MARKET_DATA } from '../../src/model/trading/order.ts';
import { alarms, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, size, submit, SYMBOL } from '../programs/program-rig.ts';

const entry = { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.02' } as const;

function held(...actions: readonly Parameters<typeof submit>[1][]): Rig {
  const rig = programRig();
  for (const action of actions) submit(rig, action);
  fills(rig, 'buy', '60001');
  return rig;
}

/** As the simulated venue ends what would trade at once. */
function ends(rig: Rig, reason: string): void {
  const { orderId } = rests(rig, 'sell');
  Object.assign(rig.venue.orders.get(orderId)!, { status: 'expired', reason });
  rig.venue.tell(orderId);
}

const sales = (rig: Rig): number => rig.venue.creates().filter(({ side }) => side === 'sell').length;

it('programs/bracket: its time limit waits for a price and leaves then, as often as the market goes', () => {
  const rig = held(bracket({ entry, timeLimit: '60s' }));
  for (let gap = 1; gap <= 6; gap++) {
    rig.clock.advance(60_000);
    rig.market.open = false;
    ends(rig, NO_MARKET_DATA);
    rig.clock.advance(600_000);
    expect(sales(rig)).toBe(gap);
    rig.market.open = true;
    rig.clock.advance(1_000);
    expect(resting(rig)).toEqual(['sell 0.02 @ market']);
  }
  fills(rig, 'sell', '59000');
  expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'timeLimit' });
  expect([size(rig), alarms(rig)]).toEqual([0, []]);
});

it('programs/bracket: an order that the venue ends for another reason is a try', () => {
  const rig = held(bracket({ entry, timeLimit: '60s' }));
  rig.clock.advance(60_000);
  for (let tried = 1; tried <= 5; tried++) {
    ends(rig, 'no_liquidity');
    rig.clock.advance(20_000);
  }
  expect(sales(rig)).toBe(5);
  expect(programOf(rig)).toMatchObject({ state: 'failed' });
});

it('flatten: waits for a price, says so once a gap, and closes then', () => {
  const rig = held(place(entry));
  submit(rig, flatten(SYMBOL));
  for (let gap = 1; gap <= 6; gap++) {
    rig.market.open = false;
    ends(rig, NO_MARKET_DATA);
    rig.clock.advance(600_000);
    expect(sales(rig)).toBe(gap);
    expect(alarms(rig)).toEqual(Array.from({ length: gap }, () => 'flatten_stuck'));
    rig.market.open = true;
    rig.clock.advance(1_000);
  }
  fills(rig, 'sell', '59000');
  expect(size(rig)).toBe(0);
  expect(rig.executor.programs()).toEqual([]);
});
