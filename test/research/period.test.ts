/** The period of a search and of a validation: what was asked for, as far as the data reach. */
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { spaceSchema } from '../../src/research/sweep/space.ts';
import { sweep } from '../../src/research/sweep/sweep.ts';
import { validate } from '../../src/research/validate/validate.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { freshDir, publicRow, recordingOf } from '../recording/fixtures.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const T0 = 1_700_000_000_000;
const TO = T0 + 300_000;
const MONTH = 30 * 86_400_000;

const COMMON = {
  file: join(ROOT, 'strategies', 'spread-maker.ts'),
  config: configSchema.parse({}),
  seed: 1,
  workers: 1,
  trialTimeoutMs: 60_000,
  clock: createSystemClock(),
  stopped: () => false,
};

async function fiveMinutes(): Promise<readonly string[]> {
  const rows: FrameRow[] = [];
  for (let at = 0; at <= 300; at++) {
    const ts = T0 + at * 1000;
    const data = { type: 'snapshot', bids: [[String(100 + (at % 7)), '1']], asks: [[String(108 + (at % 5)), '1']] };
    rows.push(publicRow(ts * 1000 + 2000, { channel: 'BTCUSDT@depth', seq: at + 1, ts, data }));
  }
  return [(await recordingOf(rows)).dir];
}

test('a validation asked for beyond the data cuts and keeps parts of the data alone', async () => {
  const result = await validate({
    ...COMMON,
    data: await fiveMinutes(),
    fromMs: T0 - MONTH,
    toMs: TO + MONTH,
    params: {},
    walk: { mode: 'rolling', folds: 2, purgeMs: 0, embargoMs: 0 },
    lockboxShare: 0.2,
    openLockbox: true,
    ledger: join(freshDir(), 'trials.db'),
  });
  expect(result.period).toEqual({ from: T0, to: TO });
  expect(result.lockbox.metrics).not.toBeNull();
  for (const { at } of result.lookAhead.cuts) expect(at).toBeLessThan(TO);
  expect(result.base.periods * result.base.sampleMs).toBeLessThanOrEqual(TO - T0);
  expect(result.warnings.join(' ')).toMatch(/the data begin at .* the data end at/);
});

test('a search asked for beyond the data tries its first rungs on a part of the data', async () => {
  const result = await sweep({
    ...COMMON,
    data: await fiveMinutes(),
    fromMs: T0 - MONTH,
    toMs: TO + MONTH,
    fixed: {},
    space: spaceSchema.parse({ parameters: { halfSpreadBps: { from: 0.2, to: 3, log: true } } }),
    method: 'random',
    trials: 3,
    halving: true,
    lockboxShare: 0,
    ledger: join(freshDir(), 'trials.db'),
  });
  expect(result.period).toEqual({ from: T0, to: TO });
  expect(result.counts).toMatchObject({ failed: 0 });
  expect(result.warnings.join(' ')).toMatch(/the data begin at .* the data end at/);
});
