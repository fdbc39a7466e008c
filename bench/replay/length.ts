/**
 * Whether the cost of an event depends on how many there were: the real file again and again in fresh processes, from 10^5
 * to 10^8 events, with the heap after a full collection at the end and the greatest resident size.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shown } from '../harness.ts';
import { benchData, IDLE, SPREAD_MAKER } from '../recordings.ts';

/** What `length-run.ts` answers. */
interface LengthRun {
  readonly events: number;
  readonly nsPerEvent: number;
  readonly heapMB: number;
  readonly residentMB: number;
}

const REPEATS = [1, 2, 20, 200];
const RUN = join(import.meta.dirname, 'length-run.ts');

export async function replayLengthBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    const data = await benchData(folder);
    if (data === null) return;
    for (const [name, file] of Object.entries({ 'an idle strategy': IDLE, 'spread-maker': SPREAD_MAKER })) {
      console.log(
        `\nLength of a replay of ${data.name} with ${name} (ns an event; MB of heap at the end; MB resident)`,
      );
      for (const repeat of REPEATS) {
        const args = ['--expose-gc', '--no-warnings', RUN, data.path, file, String(repeat)];
        const { events, nsPerEvent, heapMB, residentMB } = JSON.parse(
          execFileSync(process.execPath, args, { encoding: 'utf8' }),
        ) as LengthRun;
        console.log(
          `  ${events.toLocaleString('en').padStart(14)} events  ${shown(nsPerEvent).padStart(8)} ns  ${shown(heapMB).padStart(8)} MB  ${shown(residentMB).padStart(8)} MB`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
