/**
 * The code hash of a strategy: its file and the files of its own that it imports, by path relative to the strategy and
 * content. Part of the run hash; the folder that the strategy lies in does not matter.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { localFiles } from './local-imports.ts';

/** SHA-256, hex. */
export function strategyHash(file: string): string {
  const files = localFiles(file);
  const root = dirname(files[0] ?? file);
  const hash = createHash('sha256');
  for (const path of files.toSorted()) {
    const content = readFileSync(path);
    hash.update(`${relative(root, path)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
