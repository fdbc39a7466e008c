/** The files of a recording's folder: manifest, segments, compiled tape, and drafts of them. */
import { MANIFEST_FILE } from './manifest.ts';
import { isSegment } from './segments.ts';

const TAPE = /^compiled\.tape(\..*)?$/;

export function isRecordingFile(name: string): boolean {
  return isSegment(name) || TAPE.test(name) || name === MANIFEST_FILE || name.startsWith(`${MANIFEST_FILE}.`);
}
