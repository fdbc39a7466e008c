/**
 * What the machine gives two processes that share nothing, by kind of work: the ceiling over any number of threads, and
 * whether caches, memory or the cores themselves set it. Called by `sweep.ts`.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { print, race } from '../harness.ts';

const run = promisify(execFile);
const LOOP = join(import.meta.dirname, 'loop.ts');

/** Rounds a second of so many processes together. */
async function together(kind: string, processes: number): Promise<number> {
  const ended = await Promise.all(Array.from({ length: processes }, () => run(process.execPath, [LOOP, kind])));
  return ended.reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

export async function ceilingBench(): Promise<void> {
  for (const kind of ['integers', 'memory', 'garbage']) {
    const results = await race([
      { name: 'one process', run: () => together(kind, 1) },
      { name: 'two processes, together', run: () => together(kind, 2) },
    ]);
    print(`What the machine gives: a loop of ${kind}`, 'rounds a second', results);
  }
}
