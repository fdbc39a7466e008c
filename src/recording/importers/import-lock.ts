/** One import at a time into a folder: `<out>.importing` holds the id of its process, and is left by one that was killed. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { messageOf } from '../../model/errors.ts';
import { recordingErrors } from '../errors.ts';
import { makeParents, PRIVATE_FILE } from '../frames/folder.ts';

const own = new Set<string>();

/** Returns its release. @throws recording_busy, recording_write_failed */
export function lockImport(out: string): () => void {
  const path = `${out}.importing`;
  makeParents(out);
  if (!wrote(path)) {
    refuseIfHeld(path, out);
    rmSync(path, { force: true });
    if (!wrote(path)) throw busy('another process', path, out);
  }
  own.add(path);
  return () => {
    own.delete(path);
    rmSync(path, { force: true });
  };
}

/** False: it is there. */
function wrote(path: string): boolean {
  let isNew = false;
  try {
    const file = openSync(path, 'wx', PRIVATE_FILE);
    isNew = true;
    writeSync(file, `${process.pid}\n`);
    closeSync(file);
    return true;
  } catch (thrown) {
    if (!isNew && codeOf(thrown) === 'EEXIST') return false;
    if (isNew) rmSync(path, { force: true });
    throw recordingErrors.make('recording_write_failed', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}

/** An empty one is just being written. */
function refuseIfHeld(path: string, out: string): void {
  let text = '';
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch {
    // Its import has ended.
  }
  const pid = Number(text);
  if (text !== '' && !own.has(path) && (pid === process.pid || !isRunning(pid))) return;
  throw busy(text === '' ? 'another process' : `process ${pid}`, path, out);
}

function busy(holder: string, path: string, out: string): Error {
  return recordingErrors.make('recording_busy', `${holder} is importing into ${out} (${path})`, { path });
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM';
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : null;
}
