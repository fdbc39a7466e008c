/**
 * Makes the folder of a recording and those above it, step by step: Node's own recursive way goes round for ever where the
 * system says of a folder that is there that it is missing (`/proc`, some network mounts). The journal has its own, which
 * this room may not import. Called by the importer and by whoever writes a manifest.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../model/errors.ts';
import { recordingErrors } from './errors.ts';

/** What is there already is left as it is. @throws recording_write_failed */
export function makeRecordingFolder(path: string): void {
  try {
    makeMissing(path);
  } catch (thrown) {
    throw recordingErrors.make('recording_write_failed', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}

function makeMissing(path: string): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path));
  try {
    mkdirSync(path);
  } catch (thrown) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw thrown;
  }
}
