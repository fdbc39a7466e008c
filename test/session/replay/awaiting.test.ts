/**
 * Strategies that await decide the same again: what runs after an `await` sees in the replay what it saw in the session, in
 * real time and over real sockets.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import { replaySession } from '../../../src/session/replay/replay.ts';
import { realSession } from './real-session.ts';

const file = join(import.meta.dirname, 'strategies', 'awaiting.ts');

/** What begins the awaiting, and after how many decisions the session ends. */
const CASES: Readonly<Record<string, number>> = {
  timer: 30,
  'frequent timers': 1500,
  'one of two markets': 60,
  'what reads the time': 120,
};

describe('a real session decides the same again after an await that begins with', () => {
  for (const [index, [begins, decisions]] of Object.entries(CASES).entries()) {
    it(
      begins,
      async () => {
        const { folder, config } = await realSession({ file, params: { begins }, seed: index + 1, decisions });
        const report = await replaySession({ folder, config, logger: silentLogger });
        expect(report.first, JSON.stringify(report)).toBeNull();
        expect(report.left).toBeGreaterThanOrEqual(decisions);
        expect(report.right).toBe(report.left);
        expect(report.warnings).toEqual([]);
      },
      60_000,
    );
  }
});
