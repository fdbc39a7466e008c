import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ClockOffset,
  dateSample,
  estimateOffset,
  type ClockSample,
} from '../../../src/exchange/client/clock-offset.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { ManualClock } from '../clocks.ts';

describe('the estimate', () => {
  it('holds the true offset within its uncertainty, however the round trip is split', () => {
    const sample = fc.tuple(fc.nat({ max: 3000 }), fc.nat({ max: 3000 }));
    fc.assert(
      fc.property(
        fc.integer({ min: -60_000, max: 60_000 }),
        fc.array(sample, { minLength: 1, maxLength: 6 }),
        (offset, delays) => {
          const samples = delays.map(([there, back], index): ClockSample => {
            const sentAt = index * 10_000;
            return {
              sentAt,
              receivedAt: sentAt + there + back,
              serverTime: sentAt + there + offset,
              resolutionMs: 0.5,
            };
          });
          const estimate = estimateOffset(samples);
          expect(estimate).not.toBeNull();
          if (estimate === null) return;
          expect(Math.abs(estimate.offsetMs - offset)).toBeLessThanOrEqual(estimate.uncertaintyMs);
          const shortest = Math.min(...delays.map(([there, back]) => there + back));
          expect(estimate.uncertaintyMs).toBe(shortest / 2 + 0.5);
        },
      ),
    );
  });

  it('ignores samples that ended before they began', () => {
    expect(estimateOffset([{ sentAt: 10, receivedAt: 5, serverTime: 10, resolutionMs: 0.5 }])).toBeNull();
  });
});

function offsetOf(
  skewMs: number,
  roundTripMs = 10,
): { clock: ManualClock; offset: ClockOffset; skew: { ms: number | null }; slept: { ms: number } } {
  const clock = new ManualClock();
  const skew: { ms: number | null } = { ms: skewMs };
  const slept = { ms: 0 };
  const sample = (): Promise<ClockSample | null> => {
    const sentAt = clock.now();
    clock.stall(roundTripMs);
    if (skew.ms === null) return Promise.resolve(null);
    const serverTime = sentAt + roundTripMs / 2 + skew.ms;
    return Promise.resolve({ sentAt, receivedAt: clock.now(), serverTime, resolutionMs: 0.5 });
  };
  const lead = (): number => slept.ms;
  return { clock, offset: new ClockOffset({ clock, sample, lead, logger: silentLogger }), skew, slept };
}

describe('the corrected clock', () => {
  it('shows exchange time once measured', async () => {
    const { clock, offset } = offsetOf(3000);
    expect(offset.clock.now()).toBe(clock.now());
    await offset.measure();
    expect(offset.clock.now()).toBe(clock.now() + 3000);
    expect(offset.clock.nowUs()).toBe(clock.nowUs() + 3_000_000);
    expect(offset.gate.closedBecause('BTCUSDT')).toBeNull();
  });

  it('closes the gate until it is measured, at more than 10 s, and when it is known badly', async () => {
    expect(offsetOf(0).offset.gate.closedBecause('X')).toMatchObject({ reason: 'clock_doubt' });
    const far = offsetOf(-10_001).offset;
    await far.measure();
    expect(far.gate.closedBecause('X')?.message).toMatch(/10\.0 s off/);
    const vague = offsetOf(0, 12_000).offset;
    await vague.measure();
    expect(vague.gate.closedBecause('X')?.message).toMatch(/±/);
  });

  it('keeps the last estimate when the exchange does not answer, and measures again every minute', async () => {
    const { clock, offset, skew } = offsetOf(500);
    await offset.start();
    skew.ms = null;
    await offset.measure();
    expect(offset.estimate?.offsetMs).toBe(500);
    skew.ms = 700;
    clock.advance(60_000);
    await offset.measure();
    expect(offset.estimate?.offsetMs).toBe(700);
    offset.stop();
    expect(clock.timers).toBe(0);
  });
});

describe('a machine that was suspended', () => {
  it('is moved on by as much as its clock fell behind, so that the gate opens again', async () => {
    const { offset, skew, slept } = offsetOf(0);
    const advanced: number[] = [];
    const advance = (ms: number): void => {
      advanced.push(ms);
      // The clock that is measured is the one that was moved on.
      skew.ms = 0;
    };
    await offset.start(advance);
    for (const ms of [47_000, 8_000_000]) {
      skew.ms = ms;
      slept.ms += ms;
      await offset.measure();
      expect(advanced.at(-1)).toBe(ms);
      expect(offset.estimate?.offsetMs).toBe(0);
      expect(offset.gate.closedBecause('X')).toBeNull();
      await offset.measure();
    }
    expect(advanced).toHaveLength(2);
    offset.stop();
  });

  it('is moved on also when it slept while it was measured', async () => {
    const { offset, skew, slept } = offsetOf(0);
    const advanced: number[] = [];
    await offset.start((ms) => advanced.push(ms));
    const round = offset.measure();
    slept.ms = 47_000;
    await round;
    expect(advanced).toEqual([]);
    skew.ms = 47_000;
    await offset.measure();
    expect(advanced).toEqual([47_000]);
    offset.stop();
  });

  it.each([
    ['all of it (seed 53868)', 47_000],
    ['a part of it (seed 64048)', 17_500],
  ])(
    'is moved on by a sleep of which an exchange that was behind hid %s, when that is right again',
    async (_what, behindMs) => {
      const { offset, skew, slept } = offsetOf(0);
      let advanced = 0;
      await offset.start((ms) => {
        advanced += ms;
        skew.ms = (skew.ms ?? 0) - ms;
      });
      slept.ms = 47_000;
      skew.ms = 47_000 - behindMs;
      for (let count = 0; count < 3; count++) await offset.measure();
      expect(advanced).toBe(47_000 - behindMs);
      // It sleeps again, and nobody measures before the exchange is right.
      slept.ms += 30_000;
      skew.ms += 30_000 + behindMs;
      await offset.measure();
      expect(advanced).toBe(77_000);
      expect(offset.gate.closedBecause('X')).toBeNull();
      offset.stop();
    },
  );

  it('follows no step of the exchange that is not as far as the wall clock has gone ahead', async () => {
    const { offset, skew, slept } = offsetOf(0);
    const advanced: number[] = [];
    await offset.start((ms) => advanced.push(ms));
    // Set by hand.
    slept.ms = 60_000;
    await offset.measure();
    for (const ms of [30_000, 90_000, 3_600_000]) {
      skew.ms = ms;
      await offset.measure();
      expect(offset.gate.closedBecause('X')?.reason).toBe('clock_doubt');
    }
    expect(advanced).toEqual([]);
    offset.stop();
  });

  it('is never moved back, and not for what the gate allows', async () => {
    const { offset, skew } = offsetOf(0);
    const advanced: number[] = [];
    await offset.start((ms) => advanced.push(ms));
    for (const ms of [-47_000, 1900]) {
      skew.ms = ms;
      await offset.measure();
      expect(offset.estimate?.offsetMs).toBe(ms);
    }
    expect(advanced).toEqual([]);
    offset.stop();
  });
});

describe('an exchange whose clock steps', () => {
  it('does not move the local clock: signatures follow it, and the gate is shut until it is back', async () => {
    const { clock, offset, skew } = offsetOf(0);
    const advanced: number[] = [];
    await offset.start((ms) => advanced.push(ms));
    for (const ms of [3_600_000, 60_000, -60_000, -3_600_000]) {
      skew.ms = ms;
      clock.advance(60_000);
      await offset.measure();
      expect(offset.clock.now()).toBe(clock.now() + ms);
      expect(offset.gate.closedBecause('X')?.reason).toBe('clock_doubt');
      expect(offset.doubtMs).toBeGreaterThanOrEqual(Math.abs(ms));
    }
    skew.ms = 0;
    await offset.measure();
    expect(offset.gate.closedBecause('X')).toBeNull();
    expect(advanced).toEqual([]);
    offset.stop();
  });

  it('moves it by what a drift explains alone: two seconds a minute', async () => {
    const { clock, offset, skew } = offsetOf(0);
    const advanced: number[] = [];
    await offset.start((ms) => {
      advanced.push(ms);
      skew.ms = (skew.ms ?? 0) - ms;
    });
    skew.ms = 9000;
    for (let count = 0; count < 5; count++) await offset.measure();
    expect(advanced).toEqual([2000]);
    expect(offset.estimate?.offsetMs).toBe(7000);
    expect(offset.gate.closedBecause('X')).toBeNull();
    clock.advance(62_000);
    await offset.measure();
    expect(advanced).toEqual([2000, 2000]);
    offset.stop();
  });
});

describe('Date headers', () => {
  it('tell the time to half a second while the time operation cannot be read', async () => {
    const { clock, offset, skew } = offsetOf(0);
    skew.ms = null;
    await offset.measure();
    const header = new Date(clock.now() + 3000).toUTCString();
    const sample = dateSample(header, clock.now() - 20, clock.now());
    if (sample === null) throw new Error('unreadable');
    offset.observeDate(sample);
    expect(offset.estimate?.uncertaintyMs).toBe(510);
    expect(Math.abs((offset.estimate?.offsetMs ?? 0) - 3000)).toBeLessThanOrEqual(510);
    expect(offset.gate.closedBecause('X')).toBeNull();
  });

  it('do not disturb a measurement', async () => {
    const { clock, offset } = offsetOf(700);
    await offset.measure();
    offset.observeDate({ sentAt: clock.now(), receivedAt: clock.now(), serverTime: 0, resolutionMs: 0 });
    expect(offset.estimate?.offsetMs).toBe(700);
  });

  it('are nothing when unreadable', () => {
    expect(dateSample(undefined, 0, 0)).toBeNull();
    expect(dateSample('noon', 0, 0)).toBeNull();
  });
});
