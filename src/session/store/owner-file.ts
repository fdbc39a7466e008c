/** Files for their owner alone, written atomically and durably. */
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync } from 'node:fs';
import { renameSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../journal/files/files.ts';
import { messageOf } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';
import { writeText } from '../result/json-pieces.ts';
import { cannotWrite } from './cannot-write.ts';

const BYTES_MAX = 1_048_576;
const OTHERS = 0o077;

export interface OwnerFileWish {
  readonly replace: boolean;
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

function writeDraft(draft: string, text: string | Iterable<string>): void {
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeText(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Throws `owner_file_exists`, `disk_full`, `not_writable`. */
export function writeOwnerFile(path: string, text: string | Iterable<string>, { replace }: OwnerFileWish): void {
  const folder = dirname(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(folder, 0o700);
    writeDraft(draft, text);
    if (replace) renameSync(draft, path);
    else linkSync(draft, path);
    syncFolder(folder);
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST')
      throw sessionErrors.make('owner_file_exists', `${path} is there already`, { path });
    throw cannotWrite(path, thrown);
  } finally {
    dropDraft(draft);
  }
}

/** The earlier error matters more than a left draft. */
function dropDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // There is no folder.
  }
}

/** Throws `owner_file_open` when others have access, else `owner_file_unreadable`. */
export function readOwnerFile(path: string): string | null {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw sessionErrors.make('owner_file_unreadable', `cannot read ${path}: ${messageOf(thrown)}`, { path });
  }
  try {
    const status = fstatSync(handle);
    if (!status.isFile()) throw sessionErrors.make('owner_file_unreadable', `${path} is no file`, { path });
    const { mode, uid, size } = status;
    const bits = (mode & 0o777).toString(8);
    if (process.platform !== 'win32' && ((mode & OTHERS) !== 0 || uid !== process.getuid?.())) {
      throw sessionErrors.make(
        'owner_file_open',
        `${path} has mode ${bits} and owner ${uid}; expected 600 and yourself`,
        {
          path,
          mode: bits,
        },
      );
    }
    if (size > BYTES_MAX) {
      throw sessionErrors.make('owner_file_unreadable', `${path} has ${size} bytes, more than ${BYTES_MAX}`, { path });
    }
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}
