/**
 * Found from outside: the backtest in `drift` and `shadow` of a session that was resumed began without the values that `state` had kept:
 * it decided otherwise from the first moment, without a warning.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { driftOf } from '../../src/session/drift/drift.ts';
import { shadowSession } from '../../src/session/shadow.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { recordedSession } from '../session/replay/sandbox-session.ts';

/** Buys at its second look, and from its eighth look on. */
const COUNTS = `import { defineStrategy, place, z } from 'tidewire';
import { filter, map } from 'rxjs';
export default defineStrategy({
  name: 'counts',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup: ({ params: { symbol }, clock, state }) => {
    const looks = state(z.number(), 0, 'looks');
    return clock.every('1s').pipe(
      map(() => { looks.set(looks.get() + 1); return looks.get(); }),
      filter((count) => count === 2 || count > 7),
      map(() => place({ symbol, side: 'buy', type: 'market', quantity: '0.01' })),
    );
  },
});
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-resumed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('begins with the kept values, and names what it lacks', async () => {
  const file = join(folder, 'counts.ts');
  writeFileSync(file, COUNTS);
  const session = await recordedSession({ mode: 'paper', file, seed: 72, forMs: 7_500, goesOn: true });
  expect(session.folder.record.boots).toBe(2);
  const warning = expect.stringMatching(/^counts took over 0\.0\d+ BTCUSDT: its backtest begins without$/);

  const drift = await driftOf(session.folder, session.config, silentLogger);
  expect(drift.result.session.fills).toBeGreaterThan(4);
  expect(drift.result.backtest.fills).toBe(drift.result.session.fills);
  expect(drift.warnings).toEqual([warning]);

  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const shadow = await shadowSession(session.folder, strategies, session.config, silentLogger);
  expect(shadow.shadow.decisions).toBe(shadow.original.decisions);
  expect(shadow.warnings).toEqual([warning]);
});
