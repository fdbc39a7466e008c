/** Starts the process of one mutant and reads its answer. Used by the table and by the slice in the suite. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HUNT = fileURLToPath(new URL('hunt.ts', import.meta.url));
const run = promisify(execFile);

export interface Hunt {
  readonly id: string;
  readonly seeds: number;
  readonly virtualHours: number;
  /** Null: no law saw anything. */
  readonly caught: { readonly seed: number; readonly violation: string } | null;
  readonly wallMs: number;
}

export interface HuntPlan {
  /** `3`, `3-20` or a list of those with commas. */
  readonly seeds: string;
  readonly hours: number;
  readonly wallMsMax: number;
  /** The same worlds with the code as it is. */
  readonly asItIs?: boolean;
}

/** Rejects when the mutant does not apply or the process fails otherwise. */
export async function huntMutant(id: string, { seeds, hours, wallMsMax, asItIs = false }: HuntPlan): Promise<Hunt> {
  const started = performance.now();
  const options = { timeout: wallMsMax, maxBuffer: 1e8 };
  const { stdout } = await run(
    process.execPath,
    ['--no-warnings', HUNT, id, seeds, String(hours), asItIs ? 'as-it-is' : ''],
    options,
  );
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Omit<Hunt, 'wallMs'>;
  return { ...answer, wallMs: Math.round(performance.now() - started) };
}
