/**
 * Found by a stranger: `panic --for 5s` took 38 s where the exchange took requests and answered none. The time that proves an
 * empty list was added also without a list, and each request had its own deadline, however little was left.
 */
import { expect, it } from 'vitest';
import type { Reading } from '../../src/model/result.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { cancelEverything, Problems, type Cancelled } from '../../src/session/emergency/panic.ts';
import { HandClock, START } from '../execution/rig.ts';

type Exchange = Parameters<typeof cancelEverything>[0];

const LAG_MS = 30_000;
/** The hand-moved clock moves in steps. */
const STEP_MS = 10;
const STEPS_MAX = 10;

/** Hangs for good once `untilMs` is over. Returns what a panic of five seconds says, and when it is over, ms. */
async function panicked(untilMs: number): Promise<{ readonly said: Cancelled; readonly tookMs: number }> {
  const clock = new HandClock();
  const hangs = (): boolean => clock.now() >= START + untilMs;
  const exchange = {
    http: { keyRefused: null },
    orders: {
      cancelAll: (_: null, __: object, done: (outcome: object) => void) =>
        void (hangs() || done({ kind: 'accepted', canceled: [] })),
      active: () =>
        new Promise<Reading<OrderReport>>((resolve) => {
          if (!hangs()) resolve({ kind: 'complete', asOf: clock.now(), items: [] });
        }),
    },
  } as unknown as Exchange;
  let tookMs = Number.NaN;
  const ends = cancelEverything(exchange, clock, new Problems(), { patienceMs: 5_000, lagMs: LAG_MS });
  const done = ends.then((said) => {
    tookMs = clock.now() - START;
    return said;
  });
  await clock.advanceAsync(50_000, STEP_MS);
  return { said: await done, tookMs };
}

function expectOver(tookMs: number, atMs: number): void {
  expect(tookMs).toBeGreaterThanOrEqual(atMs);
  expect(tookMs).toBeLessThanOrEqual(atMs + STEPS_MAX * STEP_MS);
}

it('ends when its time is over, though no request was answered', async () => {
  const { said, tookMs } = await panicked(0);
  expect(said).toEqual({ requests: 1, canceled: 0, openAfter: null, resting: null });
  expectOver(tookMs, 5_000);
});

it('gives an empty list the time to prove it, and no more where the exchange falls silent', async () => {
  const proved = await panicked(100_000);
  expect(proved.said).toMatchObject({ openAfter: 0 });
  expectOver(proved.tookMs, LAG_MS);
  const silent = await panicked(10_000);
  expect(silent.said).toMatchObject({ openAfter: null, resting: [] });
  expectOver(silent.tookMs, 5_000 + LAG_MS);
});
