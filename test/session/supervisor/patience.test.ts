/** Whether a thread that was told to end is ended: by whether it comes back, at the looks of a supervisor that may come late, too. */
import { describe, expect, it } from 'vitest';
import { Patience, type EndCause } from '../../../src/session/supervisor/patience.ts';

interface World {
  /** Between two looks. */
  readonly gapMs?: number;
  /** The signal comes at 1 s. Beats before it come at each look. */
  readonly beatsAgainAfterMs?: number;
  readonly isArmed?: boolean;
  readonly stallMs?: number;
  readonly forMs?: number;
}

/** What it ends with, and how long after the signal. */
function ended(world: World): readonly [cause: EndCause | null, afterMs: number, stoodMs: number] {
  const { gapMs = 100, beatsAgainAfterMs = Infinity, isArmed = true, stallMs = 600_000, forMs = 60_000 } = world;
  const patience = new Patience(stallMs, 0, 0);
  let beat = 0;
  for (let now = gapMs; now <= forMs; now += gapMs) {
    const since = now - 1_000;
    const isBack = since >= beatsAgainAfterMs;
    if (isArmed && (since <= 0 || isBack)) beat++;
    if (since >= 0 && since < gapMs) patience.signalled();
    const cause = patience.look({ beat, nowMs: now, isArmed, isEnding: isBack, isAtOnce: false });
    if (cause !== null) return [cause, since, patience.stoodMs];
  }
  return [null, forMs, 0];
}

describe('a session that was told to end', () => {
  it.each([true, false])('is ended when its thread does not come back for two seconds (armed: %s)', (isArmed) => {
    const [cause, afterMs, stoodMs] = ended({ isArmed });
    expect(cause).toBe('blocked');
    expect(afterMs).toBeGreaterThanOrEqual(1_900);
    expect(afterMs).toBeLessThanOrEqual(2_200);
    expect(stoodMs).toBeGreaterThanOrEqual(2_000);
    expect(stoodMs).toBeLessThanOrEqual(2_200);
  });

  it('has its time for an orderly end when its thread comes back late', () => {
    for (const beatsAgainAfterMs of [600, 1_000, 1_800]) {
      expect(ended({ beatsAgainAfterMs, forMs: 20_000 })[0]).toBeNull();
      expect(ended({ beatsAgainAfterMs })[0]).toBe('late');
    }
  });

  it('has more of it where the supervisor gets no processor either', () => {
    const [cause, afterMs] = ended({ gapMs: 400 });
    expect(cause).toBe('blocked');
    expect(afterMs).toBeGreaterThan(5_000);
    expect(ended({ gapMs: 400, beatsAgainAfterMs: 4_500, forMs: 20_000 })[0]).toBeNull();
  });

  it('is ended in the end where its thread lives and does not hear', () => {
    const patience = new Patience(600_000, 0, 0);
    patience.signalled();
    const looks = Array.from({ length: 300 }, (_, beat) =>
      patience.look({ beat, nowMs: (beat + 1) * 100, isArmed: true, isEnding: false, isAtOnce: false }),
    );
    expect(looks.findIndex((cause) => cause !== null)).toBe(219);
    expect(looks[219]).toBe('late');
  });

  it('is ended when it blocks within its end', () => {
    const patience = new Patience(600_000, 0, 0);
    patience.signalled();
    const look = (nowMs: number): EndCause | null =>
      patience.look({ beat: Math.min(nowMs, 500), nowMs, isArmed: true, isEnding: true, isAtOnce: false });
    for (let now = 100; now < 2_500; now += 100) expect(look(now)).toBeNull();
    expect(look(2_500)).toBe('blocked');
  });

  it('is ended by a second signal, which one within a second is not', () => {
    const patience = new Patience(600_000, 0, 0);
    const look = (nowMs: number): EndCause | null =>
      patience.look({ beat: nowMs, nowMs, isArmed: true, isEnding: true, isAtOnce: false });
    patience.signalled();
    for (let now = 100; now <= 900; now += 100) look(now);
    patience.signalled();
    expect(look(1_000)).toBeNull();
    patience.signalled();
    expect(look(1_100)).toBe('twice');
  });
});

it('a thread that stands still for the stall limit is ended without a signal', () => {
  const patience = new Patience(5_000, 0, 0);
  const looks = Array.from({ length: 60 }, (_, index) =>
    patience.look({ beat: 0, nowMs: (index + 1) * 100, isArmed: true, isEnding: false, isAtOnce: false }),
  );
  expect(looks.indexOf('stalled')).toBe(49);
});
