/**
 * Makes the folder of a recording and those above it, step by step: Node's own recursive way goes round for ever where the
 * system says of a folder that is there that it is missing (`/proc`, some network mounts). The journal has its own, which
 * this room may not import. Called by the importer and by whoever writes a manifest.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../model/errors.ts';
import { recordingErrors } from './errors.ts';

/** Of each file in a recording: orders and balances may be among the frames, and they are for their owner. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Of the folders above: as the umask of the process has it. */
const OPEN_FOLDER = 0o777;

/** For its owner alone, where it is not there yet; what is there is left as it is. @throws recording_write_failed */
export function makeRecordingFolder(path: string): void {
  try {
    makeMissing(path, PRIVATE_FOLDER);
  } catch (thrown) {
    throw recordingErrors.make('recording_write_failed', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}

function makeMissing(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path), OPEN_FOLDER);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw thrown;
  }
}
