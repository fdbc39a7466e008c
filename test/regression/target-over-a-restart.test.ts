/**
 * Found by a stranger: after a restart a newer target did not end the program of an earlier one, so that both traded: the position
 * ended at neither, or twice the size.
 */
import { describe, expect, it } from 'vitest';
import { target } from '../../src/index.ts';
import type { Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, size, submit, SYMBOL } from '../programs/program-rig.ts';

const twap = { twap: { over: '40s', slices: 4 } } as const;

/** The next process on the same journal and exchange. */
function again({ clock, venue, journal }: Rig): Rig {
  venue.listen(() => {});
  const rig = programRig({ clock, venue, journal, bootId: 'b2' });
  rig.executor.goOn('maker');
  return rig;
}

describe('a target after a restart', () => {
  it.each([
    ['another one', '0', 0, []],
    ['the same again', '0.04', 0.01, ['buy 0.0075 @ 60000']],
  ])('ends the program of the one before: %s', (_name, quantity, held, left) => {
    const before = programRig();
    submit(before, target(SYMBOL, { quantity: '0.04', via: twap }));
    fills(before, 'buy');
    before.clock.advance(10_001);
    const rig = again(before);
    const old = programOf(rig).ref;
    submit(rig, target(SYMBOL, { quantity, ...(quantity === '0' ? {} : { via: twap }) }));
    expect(programOf(rig, old).state).toBe('canceled');
    if (quantity === '0') fills(rig, 'sell', '60000');
    expect(size(rig)).toBeCloseTo(held, 12);
    expect(resting(rig)).toEqual(left);
  });

  it('waits for orders of a program that was ended before', () => {
    const before = programRig();
    submit(before, target(SYMBOL, { quantity: '0.04', via: twap }));
    before.venue.cancelMode = 'hold';
    submit(before, target(SYMBOL, { quantity: '0' }));
    const rig = again(before);
    submit(rig, target(SYMBOL, { quantity: '0.02', via: twap }));
    expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
    rig.venue.cancelMode = 'accept';
    fills(rig, 'buy');
    expect(resting(rig)).toEqual(['buy 0.0025 @ 60000']);
  });

  it('replaces the order of the one before', () => {
    const before = programRig();
    submit(before, target(SYMBOL, { quantity: '0.04', via: { limit: { price: 59_990 } } }));
    expect(resting(before)).toEqual(['buy 0.04 @ 59990']);
    const rig = again(before);
    submit(rig, target(SYMBOL, { quantity: '0' }));
    expect(resting(rig)).toEqual([]);
  });
});
