/** Configuration of a long run on a busy machine: a process that gets no time for a while has not hung. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STALL_MS = 120_000;

/** Arguments of a session in this folder. */
export function patient(folder: string): readonly string[] {
  const file = join(folder, 'tidewire.yaml');
  writeFileSync(file, `risk: { stallMs: ${STALL_MS} }\n`);
  return ['--config', file];
}
