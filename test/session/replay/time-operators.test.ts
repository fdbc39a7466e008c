/**
 * A strategy that uses every time operator of RxJS decides the same on paper, in real time's order of events, and in the
 * backtest of what was recorded, from any seed of the market.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import { replaySession } from '../../../src/session/replay/replay.ts';
import { sessionFiles } from '../../../src/session/store/store.ts';
import { recordedSession } from './sandbox-session.ts';

/** Off the grid of the sandbox's market: what comes at the very instant of the end may be heard or not. */
const FOR_MS = 2007;
const file = join(import.meta.dirname, 'strategies', 'timed.ts');

describe('time operators', () => {
  it('decide on paper as they do in the backtest of the recording', async () => {
    const seeds = fc.integer({ min: 1, max: 100_000 });
    await fc.assert(
      fc.asyncProperty(seeds, fc.constantFrom('BTCUSDT', 'ETHUSDT'), async (seed, symbol) => {
        const { folder, config } = await recordedSession({
          mode: 'paper',
          forMs: FOR_MS,
          file,
          params: { symbol },
          seed,
        });
        const decided = readFileSync(join(folder.path, sessionFiles.actions), 'utf8');
        const named = [...readFileSync(file, 'utf8').matchAll(/^ {2}(\w+): \(mids\)/gm)].map((match) => match[1] ?? '');
        expect(named.length).toBeGreaterThan(25);
        expect(named.filter((name) => !decided.includes(`"${name}"`))).toEqual([]);
        for (const simulate of [false, true]) {
          const { first, left, right } = await replaySession({ folder, config, logger: silentLogger, simulate });
          expect(first, JSON.stringify({ simulate, first })).toBeNull();
          expect(right).toBe(left);
        }
      }),
      { numRuns: 3 },
    );
  });
});
