/** Result files on disk: a bounded look at their heads, and one of them whole. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ResultRow } from '../schemas/research.ts';

/** A larger file is no result of this program. */
const BYTES_MAX = 256 * 1_048_576;
const HEAD_BYTES = 256;
const KIND = /^\s*\{\s*"command"\s*:\s*"(backtest|paper|run|sweep|validate)"/;

export interface FoundResult {
  readonly id: string;
  readonly kind: ResultRow['kind'];
  readonly file: string;
  readonly at: number;
  readonly bytes: number;
}

/** Result files directly in these folders. */
export function resultsIn(folders: readonly string[]): readonly FoundResult[] {
  return folders.flatMap((folder) => jsonFiles(folder).flatMap((file) => found(file) ?? []));
}

function jsonFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function found(file: string): FoundResult | null {
  try {
    const { size, mtimeMs } = statSync(file);
    if (size > BYTES_MAX) return null;
    const kind = KIND.exec(headOf(file))?.[1];
    if (kind === undefined) return null;
    const id = createHash('sha256').update(file).digest('hex').slice(0, 16);
    return { id, kind: kind as ResultRow['kind'], file, at: mtimeMs, bytes: size };
  } catch {
    return null;
  }
}

function headOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(handle);
  }
}
