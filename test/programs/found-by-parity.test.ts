/** Faults of programs that the references of test/parity/programs found. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { dca, grid, twap } from '../../src/index.ts';
import { ProgramWakes } from '../../src/execution/programs/program-wakes.ts';
import type { ProgramState } from '../../src/spine/programs/programs.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { denials } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, submit, SYMBOL } from './program-rig.ts';

test('programs/wakes/never a part of a microsecond early, where it would be set again for ever; at most 2 ms late', () => {
  // Only its identity is used.
  const program = {} as ProgramState;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 1_000, max: 9e6 }),
      fc.integer({ min: 1, max: 97 }),
      (us, over, parts) => {
        const clock = new VirtualClock(1_723_161_250_000_000 + us);
        const wanted = clock.now() + over / 1_000 / parts;
        let at: number | undefined;
        const wakes = new ProgramWakes(clock, () => (at = clock.now()));
        wakes.at(program, wanted);
        clock.step();
        expect(at).toBeGreaterThanOrEqual(wanted);
        expect((at ?? 0) - wanted).toBeLessThan(2);
      },
    ),
  );
});

describe('a twap', () => {
  it('sends no order of a slice while the one of the slice before may still fill: never ahead of its plan', () => {
    const rig = programRig();
    submit(rig, twap({ symbol: SYMBOL, side: 'buy', quantity: '0.04', over: '40s', slices: 4, urgency: 'low' }));
    expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
    rig.venue.cancelMode = 'hold';
    rig.clock.advance(10_001);
    expect(rig.venue.creates()).toHaveLength(1);
  });
});

describe('what looks at the last price', () => {
  it('is heard by a dca', () => {
    const rig = programRig();
    const levels = [{ bps: 0, quantity: '0.01' }];
    submit(rig, dca({ symbol: SYMBOL, levels, takeProfit: { bps: 100 }, stopLoss: { bps: 100 }, by: 'last' }));
    fills(rig, 'buy', '60001');
    rig.market.print(59_000, 1);
    expect(resting(rig)).toEqual(['sell 0.01 @ market']);
  });

  it('is heard by a grid', () => {
    const rig = programRig();
    const levels = { low: 59_000, high: 61_000, levels: 5, quantity: '0.01', side: 'long', stopLoss: 58_000 } as const;
    submit(rig, grid({ symbol: SYMBOL, ...levels, by: 'last' }));
    fills(rig, 'buy');
    rig.market.print(57_900, 1);
    expect(resting(rig)).toEqual(['sell 0.01 @ market']);
  });
});

describe('a neutral grid', () => {
  it('has one order at a level that two of its intervals share: the one that closes', () => {
    const rig = programRig();
    submit(rig, grid({ symbol: SYMBOL, low: 59_000, high: 61_500, levels: 6, quantity: '0.01', side: 'neutral' }));
    const fill = (side: string, at: string): void => {
      const found = rig.venue.resting().find((order) => order.side === side && order.price === at);
      rig.venue.tellFill(found?.orderId ?? '', '0.01');
    };
    // The sale at 61,000 closes at 60,500, that at 61,500 closes at 61,000.
    rig.market.move(61_600);
    fill('sell', '61000');
    fill('sell', '61500');
    rig.market.move(60_400);
    fill('buy', '60500');
    expect(resting(rig)).toContain('buy 0.01 @ 61000');
    expect(rests(rig, 'buy').price).toBe('61000');
    expect(resting(rig).filter((text) => text.startsWith('sell'))).toEqual([]);
    fills(rig, 'buy');
    expect([...resting(rig)].filter((text) => text.startsWith('sell')).toSorted()).toEqual([
      'sell 0.01 @ 61000',
      'sell 0.01 @ 61500',
    ]);
    expect(programOf(rig).state).toBe('working');
  });

  it('closes a level when its own order there is proved gone, and is not denied in between', () => {
    const rig = programRig();
    submit(rig, grid({ symbol: SYMBOL, low: 59_000, high: 61_500, levels: 6, quantity: '0.01', side: 'neutral' }));
    rig.venue.createMode = 'hold';
    rig.venue.cancelMode = 'hold';
    const sold = rig.venue.resting().find(({ side, price }) => side === 'sell' && price === '61500');
    const before = rig.venue.creates().length;
    rig.venue.tellFill(sold?.orderId ?? '', '0.01');
    expect(rig.venue.creates()).toHaveLength(before);
    expect(denials(rig)).toEqual([]);
  });
});
