/** The code hash: own files and imported packages, by relative path and content. Part of the run hash. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { localFiles } from './local-imports.ts';

/** SHA-256, hex, of paths and their contents' SHA-256. */
export function codeHash(root: string, files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  const named = [...files].map(([path, content]) => `${relative(root, path)}\n${content}\n`);
  for (const line of named.toSorted()) hash.update(line);
  return hash.digest('hex');
}

/** Files named in its text, loaded or not. */
export function ownFiles(file: string): ReadonlyMap<string, string> {
  return new Map(localFiles(file).map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}

export function strategyHash(file: string): string {
  return codeHash(dirname(file), ownFiles(file));
}
