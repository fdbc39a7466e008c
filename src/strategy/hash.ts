/**
 * The code hash of a strategy: its file, the files of its own and the packages that it imports, by path relative to the
 * strategy and content. Part of the run hash; the folder that the strategy lies in does not matter.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { localFiles } from './local-imports.ts';

/** SHA-256, hex, of files by path with the SHA-256 of each. */
export function codeHash(root: string, files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  const named = [...files].map(([path, content]) => `${relative(root, path)}\n${content}\n`);
  for (const line of named.toSorted()) hash.update(line);
  return hash.digest('hex');
}

/** Of the files of its own that its text names, whether it loads them or not. */
export function ownFiles(file: string): ReadonlyMap<string, string> {
  return new Map(localFiles(file).map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}

export function strategyHash(file: string): string {
  return codeHash(dirname(file), ownFiles(file));
}
