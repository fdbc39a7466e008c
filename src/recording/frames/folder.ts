/**
 * Makes a folder level by level: recursive mkdir loops for ever where an existing one is reported missing (`/proc`,
 * network mounts).
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { recordingErrors } from '../errors.ts';

/** Recordings may hold orders and balances. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Parent folders follow the umask. */
const OPEN_FOLDER = 0o777;

/** Mode 0700 if new. @throws recording_write_failed */
export function makeRecordingFolder(path: string): void {
  made(path, path, PRIVATE_FOLDER);
}

/** Of a recording that is still to come. @throws recording_write_failed */
export function makeParents(path: string): void {
  made(path, dirname(path), OPEN_FOLDER);
}

function made(path: string, folder: string, mode: number): void {
  try {
    makeMissing(folder, mode);
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
    // Created by another process meanwhile.
    if (!existsSync(path)) throw thrown;
  }
}
