/** Distinguishes a full disk from an unwritable path. */
import { messageOf } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** `disk_full`, or `not_writable`: rights, a read-only disk, a path that is no folder. */
export function cannotWrite(path: string, thrown: unknown): Error {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  const kind = FULL.has(code) ? 'disk_full' : 'not_writable';
  return sessionErrors.make(kind, `cannot write ${path}: ${messageOf(thrown)}`, { path }, thrown);
}
