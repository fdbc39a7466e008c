/**
 * A strategy that answers the denial of an order with another order held the process of a live session for minutes within
 * one instant: no signal, no timer and no other strategy had its turn, and each round was a row on the disk. One whose
 * timers have no delay kept every other timer of the session from running, its own end included. One that called
 * `process.exit` ended the process with 0, its orders left.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../../src/journal/verify.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { replaySession } from '../../src/session/replay/replay.ts';
import { readResult } from '../../src/session/result/result.ts';
import { sessionFiles } from '../../src/session/store/store.ts';
import { recordedSession } from '../session/replay/sandbox-session.ts';

const strategies = join(import.meta.dirname, '..', 'session', 'replay', 'strategies');
const stubborn = join(strategies, 'stubborn.ts');
const leaving = join(strategies, 'leaving.ts');
const restless = join(strategies, 'restless.ts');

describe('a strategy that answers itself without end', () => {
  for (const mode of ['live', 'paper'] as const) {
    it(`is stopped alone, in a ${mode} session`, async () => {
      const { folder, config } = await recordedSession({ mode, file: stubborn, seed: 51, forMs: 5000 });
      expect(folder.record.clean).toBe(true);
      const denials = [...readJournal(folder.path)].filter(({ entry }) => entry.kind === 'denial');
      expect(denials.length).toBeGreaterThan(100);
      expect(denials.length).toBeLessThanOrEqual(501);
      const log = readResult(readFileSync(join(folder.path, sessionFiles.result), 'utf8'), folder.path);
      expect(log.orderCounts).toMatchObject({ submitted: 0, denied: denials.length });
      const replayed = await replaySession({ folder, config, logger: silentLogger });
      expect(replayed).toMatchObject({ left: denials.length + 1, right: denials.length + 1, first: null });
    });
  }

  it('is stopped alone where it would end the process', async () => {
    const { folder } = await recordedSession({ mode: 'paper', file: leaving, seed: 53, forMs: 5000 });
    expect(folder.record.clean).toBe(true);
    const { failures } = readResult(readFileSync(join(folder.path, sessionFiles.result), 'utf8'), folder.path);
    expect(failures).toMatchObject([{ strategy: 'leaving', message: expect.stringMatching(/leaving\.ts:8:\d+, at/) }]);
  });

  it('is stopped alone where its timers have no delay', async () => {
    const { folder } = await recordedSession({ mode: 'live', file: restless, seed: 52, forMs: 5000 });
    const { clean, decidingFrom, decidingTo } = folder.record;
    expect(clean).toBe(true);
    expect((decidingTo ?? 0) - (decidingFrom ?? 0)).toBeLessThan(1000);
  });
});
