/**
 * An order was held until own orders in its way had been cancelled, for nearly its whole time to live, and then waited in the
 * lane of the HTTP client for as long as that lane allows: it could not leave any more, and stayed pending with what it
 * reserves. Found by the simulator (L4, seed 5680).
 */
import { expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import { denials, makeRig, type Rig } from '../execution/rig.ts';

const place = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '60001',
  quantity: '0.01',
} as const satisfies Action;

/** `taker-1` met an order of `maker`, which is gone 9.9 s later; no request can leave. */
function waitingInALane(): Rig {
  const rig = makeRig();
  rig.executor.submit('maker', { ...place, side: 'sell' });
  rig.venue.cancelMode = 'hold';
  rig.executor.submit('taker', place);
  rig.clock.advance(9_900);
  rig.venue.queueing = true;
  rig.venue.end('v1', 'canceled');
  rig.venue.tell('v1');
  expect(stateOf(rig)).toBe('pending');
  return rig;
}

function stateOf(rig: Rig): string | undefined {
  return rig.executor.account('taker').orderByRef('taker-1')?.state;
}

it('expires with its time to live while it waits in a lane, and does not leave after that', () => {
  const rig = waitingInALane();
  rig.clock.advance(99);
  expect(stateOf(rig)).toBe('pending');
  rig.clock.advance(1);
  expect(stateOf(rig)).toBe('denied');
  expect(denials(rig)).toEqual(['expired']);
  rig.venue.release();
  rig.clock.advance(10_000);
  expect(rig.venue.creates()).toHaveLength(1);
  expect(denials(rig)).toEqual(['expired']);
});

it('leaves when a request can leave in time', () => {
  const rig = waitingInALane();
  rig.clock.advance(99);
  rig.venue.release();
  rig.clock.advance(10_000);
  expect(stateOf(rig)).toBe('open');
  expect(denials(rig)).toEqual([]);
});
