/**
 * A strategy file was edited after its session, as was a file that it reads in `setup`: `shadow` gave the session the money of
 * the edited code, and `drift` and `shadow` warned of nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { driftOf } from '../../src/session/drift/drift.ts';
import { replaySession } from '../../src/session/replay/replay.ts';
import { shadowSession } from '../../src/session/shadow.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { recordedSession, type Recorded } from '../session/replay/sandbox-session.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-other-code-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeBuyer(quantity: string, name = 'buyer'): string {
  const path = join(folder, `${name}.ts`);
  writeFileSync(
    path,
    `import { defineStrategy, file, place, z } from 'tidewire';
     import { map } from 'rxjs';
     export default defineStrategy({
       name: 'buyer',
       params: z.object({ symbol: z.string().default('BTCUSDT'), settings: z.string().default('size.json') }),
       setup: ({ params: { symbol, settings }, clock }) => {
         const { times } = file(settings).json();
         const order = { symbol, side: 'buy', type: 'market', quantity: String(${quantity} * times) };
         return clock.every('1s').pipe(map(() => place(order)));
       },
     });`,
  );
  return path;
}

function writeSize(times: number): void {
  writeFileSync(join(folder, 'size.json'), JSON.stringify({ times }));
}

async function shadowed({ folder: session, config }: Recorded, file: string) {
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  return shadowSession(session, strategies, config, silentLogger);
}

async function recordedBuyer() {
  writeSize(1);
  const file = writeBuyer('0.01');
  return { file, session: await recordedSession({ mode: 'paper', file, seed: 71, forMs: 5000 }) };
}

const CODE = 'the code of buyer is not that of the session';
const SIZE = 'size.json, which buyer reads, is not that of the session';

it('shadow/the-session-keeps-its-own-money', async () => {
  const { file, session } = await recordedBuyer();
  const before = await shadowed(session, file);
  expect(before.original.fills).toBeGreaterThan(2);
  expect(before.original.netPnl).toBeLessThan(0);
  expect(before.original.netPnl).toBeCloseTo(before.shadow.netPnl!, 6);
  expect(before.warnings).toEqual([]);

  writeBuyer('0.2');
  const edited = await shadowed(session, file);
  expect(edited.original).toEqual(before.original);
  expect(edited.shadow.netPnl).toBeLessThan(10 * before.original.netPnl!);
  expect(edited.warnings).toEqual([CODE]);

  const other = await shadowed(session, writeBuyer('0.2', 'buyer-2'));
  expect(other.original).toEqual(before.original);
});

it('drift/warns-of-changed-code-and-files', async () => {
  const { session } = await recordedBuyer();
  const run = () => driftOf(session.folder, session.config, silentLogger);
  const before = await run();
  expect(before.warnings).toEqual([]);
  writeBuyer('0.2');
  writeSize(2);
  const after = await run();
  expect(after.result.session).toEqual(before.result.session);
  expect(after.warnings).toEqual([CODE, SIZE]);
});

it.each([false, true])('replay/warns-of-changed-files (simulate: %s)', async (simulate) => {
  const { session } = await recordedBuyer();
  const run = () => replaySession({ ...session, logger: silentLogger, simulate });
  const before = await run();
  expect([before.first, before.warnings]).toEqual([null, []]);
  rmSync(join(folder, 'size.json'));
  writeSize(2);
  const { warnings, first } = await run();
  expect(warnings).toEqual([SIZE]);
  expect(first?.reason).toContain(SIZE);
});
