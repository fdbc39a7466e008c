/** Starts the processes of a hunt and reads their answers. Used by the table and by the slice in the suite. */
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

export interface HuntTask {
  readonly id: string;
  /** `3`, `3-20` or a list of those with commas. */
  readonly seeds: string;
}

export interface HuntPlan {
  /** Virtual hours of faults in a seed. */
  readonly hours: number;
  readonly wallMsMax: number;
}

/** Rejects when the mutant does not apply or the process fails otherwise. */
export async function huntMutant(task: HuntTask, plan: HuntPlan): Promise<Hunt> {
  const [hunt] = await start('mutant', [task], plan);
  if (hunt === undefined) throw new Error(`the hunt of ${task.id} has no answer`);
  return hunt;
}

/** The same worlds with the code as it is, in the order of the tasks; all of mutants with the same knobs. */
export function huntNothing(tasks: readonly HuntTask[], plan: HuntPlan): Promise<readonly Hunt[]> {
  return start('as-it-is', tasks, plan);
}

async function start(how: string, tasks: readonly HuntTask[], { hours, wallMsMax }: HuntPlan): Promise<Hunt[]> {
  const started = performance.now();
  const options = { timeout: wallMsMax, maxBuffer: 1e8 };
  const names = tasks.map(({ id, seeds }) => `${id}:${seeds}`);
  const { stdout } = await run(process.execPath, ['--no-warnings', HUNT, String(hours), how, ...names], options);
  const wallMs = Math.round((performance.now() - started) / tasks.length);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"id"'));
  return lines.map((line) => ({ ...(JSON.parse(line) as Omit<Hunt, 'wallMs'>), wallMs }));
}
