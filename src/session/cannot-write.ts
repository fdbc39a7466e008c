/**
 * What could not be written, as an error that says why: a full disk is something else than a folder of somebody else's.
 * Called wherever a session or a command writes a file.
 */
import { messageOf } from '../model/errors.ts';
import { sessionErrors } from './errors.ts';

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** `disk_full`, or `not_writable` for rights, a read-only disk, or a path that is no folder. */
export function cannotWrite(path: string, thrown: unknown): Error {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  const kind = FULL.has(code) ? 'disk_full' : 'not_writable';
  return sessionErrors.make(kind, `cannot write ${path}: ${messageOf(thrown)}`, { path }, thrown);
}
