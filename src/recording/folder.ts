/**
 * Makes the folder of a recording and those above it, step by step: Node's own recursive way goes round for ever where the
 * system says of a folder that is there that it is missing (`/proc`, some network mounts). The journal has its own, which
 * this room may not import. Called by the importer and by whoever writes a manifest.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../model/errors.ts';
import { recordingErrors } from './errors.ts';

/** As the umask of the process has it. */
const OPEN_MODE = 0o777;

/** `mode`: of the folder itself, where it is not there yet; what is there is left as it is. @throws recording_write_failed */
export function makeRecordingFolder(path: string, mode = OPEN_MODE): void {
  try {
    makeMissing(path, mode);
  } catch (thrown) {
    throw recordingErrors.make('recording_write_failed', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}

function makeMissing(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path), OPEN_MODE);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw thrown;
  }
}
