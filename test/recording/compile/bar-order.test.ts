/** Which bars of a file are shown, and how those that are not are counted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BarOrder } from '../../../src/recording/compile/bar-order.ts';
import { candle } from '../../simulation/market.ts';

function readAll(minutes: readonly number[]) {
  const order = new BarOrder();
  const shown = minutes.filter((minute) => order.admits(candle([1, 1, 1, 1], 1, { openTime: minute * 60_000 })));
  return { shown, warnings: order.warnings().join() };
}

const counted = (warnings: string, what: string): number =>
  Number(new RegExp(`(\\d+) ${what} and left out`).exec(warnings)?.[1] ?? 0);

describe('bars that stand twice in a file', () => {
  it('are doubled when the whole file follows itself', () => {
    const minutes = [0, 1, 2, 5, 6, 9];
    const { shown, warnings } = readAll([...minutes, ...minutes]);
    expect(shown).toEqual(minutes);
    expect(warnings).toContain('6 doubled and left out');
    expect(warnings).not.toContain('unordered');
  });

  it('are doubled wherever they stand; unordered are those whose time is new', () => {
    const random = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 });
    fc.assert(
      fc.property(random, (minutes) => {
        const { shown, warnings } = readAll(minutes);
        const times = new Set(minutes);
        expect(counted(warnings, 'doubled')).toBe(minutes.length - times.size);
        expect(counted(warnings, 'unordered')).toBe(times.size - shown.length);
        expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b));
      }),
    );
  });
});
