/** Threads of a search: no trial sees what another has left, and no thread lives for ever. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { workerPool, type PoolOptions } from '../../../src/research/sweep/worker-pool.ts';
import type { Evaluation, SweepGround } from '../../../src/research/sweep/evaluation.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';
import { freshDir } from '../../recording/fixtures.ts';

const clock = createSystemClock();

/** A strategy that fails, and says so, when it finds in `place` that another trial was there. */
function leaving(place: string, declared = ''): SweepGround {
  const file = join(freshDir(), 'leaving.ts');
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'tidewire';
     import { EMPTY } from 'rxjs';
     ${declared}
     export default defineStrategy({
       name: 'leaving',
       params: z.object({ symbol: z.string().default('BTCUSDT') }),
       setup() {
         if (${place} === true) throw new Error('another trial was here');
         ${place} = true;
         return EMPTY;
       },
     });`,
  );
  const data = [resolve(import.meta.dirname, '../../../data/sample')];
  return { file, fixed: {}, config: configSchema.parse({}), data, shared: null, seed: 1, argv: [] };
}

/** Trials that are handed in at once. */
async function evaluations(
  trials: number,
  ground: SweepGround,
  given: Partial<PoolOptions> = {},
): Promise<readonly Evaluation[]> {
  const pool = workerPool(ground, { workers: 1, timeoutMs: 60_000, clock, ...given });
  try {
    return await Promise.all(Array.from({ length: trials }, () => pool.evaluate({ params: {} })));
  } finally {
    await pool.close();
  }
}

/** How they came out. */
async function outcomes(...asked: Parameters<typeof evaluations>): Promise<readonly Evaluation['kind'][]> {
  return (await evaluations(...asked)).map(({ kind }) => kind);
}

test('the time of a trial begins with its turn', async () => {
  let running = 0;
  let atOnce = 0;
  const after = (ms: number, run: () => void) => {
    atOnce = Math.max(atOnce, ++running);
    const cancel = clock.after(ms, run);
    return () => {
      running--;
      cancel();
    };
  };
  const ground = leaving('seen', 'let seen = false;');
  expect(await outcomes(4, ground, { clock: { ...clock, after } })).toEqual(['done', 'done', 'done', 'done']);
  expect(atOnce).toBe(1);
});

test('what a strategy keeps in its module is gone in the next trial of the thread', async () => {
  expect(await outcomes(3, leaving('seen', 'let seen = false;'))).toEqual(['done', 'done', 'done']);
});

/** Of all that a thread has, the one thing of Node's that is neither made anew nor compared. */
const CHANNEL =
  "import { channel } from 'node:diagnostics_channel'; const thread = channel('thread') as { seen?: boolean };";

test('threads are replaced after so many trials, and what is under way on them comes to its end', async () => {
  const ground = leaving('thread.seen', CHANNEL);
  expect(await outcomes(2, ground)).toEqual(['done', 'failed']);
  expect(await outcomes(3, ground, { workers: 2, trialsPerThread: 1 })).toEqual(['done', 'done', 'done']);
});

test('a thread that a trial has changed for good takes no other trial', async () => {
  const place = '(Array.prototype as { seen?: boolean }).seen';
  const ground = leaving(place, "Object.defineProperty(Array.prototype, 'seen', { value: 0, writable: true });");
  for (const one of await evaluations(2, ground))
    expect(one).toMatchObject({ kind: 'failed', reason: expect.stringContaining('changed Array.prototype.seen') });
});
