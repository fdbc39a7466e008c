/** For how long somebody stood still, by the clock of one who may be stopped, too. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StandStill } from '../../../src/session/supervisor/stand-still.ts';

const GAP_MS_MAX = 500;
const gap = fc.integer({ min: 0, max: 100_000 });

function after(looks: readonly (readonly [gapMs: number, beats: boolean])[]): StandStill {
  const watch = new StandStill(0, 0, GAP_MS_MAX);
  let now = 0;
  let beat = 0;
  for (const [gapMs, beats] of looks) {
    now += gapMs;
    if (beats) beat++;
    watch.look(beat, now);
  }
  return watch;
}

describe('standing still', () => {
  it('counts what lies between looks that follow each other', () => {
    expect(after(Array.from({ length: 50 }, () => [100, false] as const)).stoodMs).toBe(5_000);
  });

  it('is over with the next beat', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, fc.boolean())), gap, (looks, last) => {
        expect(after([...looks, [last, true]]).stoodMs).toBe(0);
      }),
    ));

  it('counts a sleep of both for one gap at most, however long it was', () =>
    fc.assert(
      fc.property(fc.array(gap), (gaps) => {
        const { stoodMs, livedMs } = after(gaps.map((gapMs) => [gapMs, false] as const));
        expect(stoodMs).toBe(livedMs);
        expect(stoodMs).toBeLessThanOrEqual(gaps.length * GAP_MS_MAX);
      }),
    ));

  it('needs no more than what was lived through', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, fc.boolean())), (looks) => {
        const { stoodMs, livedMs } = after(looks);
        expect(stoodMs).toBeLessThanOrEqual(livedMs);
      }),
    ));
});
