/**
 * Found by trying: a strategy that names its perpetual in the code alone was denied its first order on paper, as nothing of perpetuals
 * had been read by then. Its backtest traded. Live a key may not be allowed to read what is not named.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { driftOf } from '../../src/session/drift/drift.ts';
import { recordedSession } from '../session/replay/sandbox-session.ts';

const BUYS_AT_ONCE = `import { defineStrategy, place, z } from 'tidewire';
import { map, take } from 'rxjs';
const order = { symbol: 'BTCUSDTPERP', side: 'buy', type: 'market', quantity: '0.01' };
export default defineStrategy({
  name: 'buys-at-once',
  params: z.object({}),
  setup: ({ market }) => market.top('BTCUSDTPERP').pipe(take(1), map(() => place(order))),
});
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-unnamed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('trades on paper as in the backtest', async () => {
  const file = join(folder, 'buys-at-once.ts');
  writeFileSync(file, BUYS_AT_ONCE);
  const session = await recordedSession({ mode: 'paper', file, seed: 73, forMs: 6_000 });
  const { result } = await driftOf(session.folder, session.config, silentLogger);
  expect([result.session.fills, result.backtest.fills]).toEqual([1, 1]);
});
