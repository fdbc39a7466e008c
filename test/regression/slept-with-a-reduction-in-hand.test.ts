/**
 * Found by the fault simulator (seed 99, law S3): a reduction waited for its turn when the machine fell asleep, and left 28 s
 * after its decision. Its age was measured by a clock that stands still while the machine sleeps, and the gate that is shut
 * after a sleep lets reductions pass.
 */
import { expect, it } from 'vitest';
import { denials, makeRig } from '../execution/rig.ts';
import type { Rig } from '../execution/rig.ts';

function holding(): { readonly rig: Rig; readonly sleep: (ms: number) => void } {
  let sleptMs = 0;
  const rig: Rig = makeRig({ wall: () => rig.clock.now() + sleptMs });
  rig.executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '1' });
  rig.venue.tellFill('v1', '1');
  rig.venue.queueing = true;
  return { rig, sleep: (ms) => void (sleptMs += ms) };
}

function reduce(rig: Rig): void {
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'market',
    quantity: '0.5',
    reduceOnly: true,
  });
}

it('does not send what was decided before the sleep', () => {
  const { rig, sleep } = holding();
  reduce(rig);
  sleep(28_000);
  rig.venue.release();
  expect(rig.venue.creates()).toHaveLength(1);
  expect(denials(rig)).toEqual(['expired']);
});

it('sends what is decided after it, and what waited less than it may', () => {
  const { rig, sleep } = holding();
  sleep(28_000);
  reduce(rig);
  sleep(5000);
  rig.clock.advance(4000);
  rig.venue.release();
  expect(rig.venue.creates()).toHaveLength(2);
});

it('is not misled by a wall clock that is set back', () => {
  const { rig, sleep } = holding();
  reduce(rig);
  sleep(-3_600_000);
  rig.clock.advance(10_001);
  rig.venue.release();
  expect(denials(rig)).toEqual(['expired']);
});
