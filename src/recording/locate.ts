/** Resolves a PATH: a recording, a `.tape`, or a directory of several. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recordingErrors } from './errors.ts';
import { hasManifest } from './frames/manifest.ts';
import { TAPE_FILE } from './tape/tape-cache.ts';

export type Located =
  | { readonly kind: 'recording'; readonly path: string }
  | { readonly kind: 'tape'; readonly path: string };

/** In order of name. @throws recording_not_found */
export function locate(path: string): readonly Located[] {
  const found = at(path) ?? inside(path);
  if (found.length > 0) return found;
  throw recordingErrors.make('recording_not_found', `${path} holds no recording and no tape`, { path });
}

function at(path: string): readonly Located[] | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw recordingErrors.make('recording_not_found', `${path} does not exist`, { path });
  if (stat.isFile()) return path.endsWith('.tape') ? [{ kind: 'tape', path }] : [];
  if (hasManifest(path)) return [{ kind: 'recording', path }];
  return null;
}

function inside(dir: string): readonly Located[] {
  const found: Located[] = [];
  for (const name of readdirSync(dir).sort()) {
    const path = join(dir, name);
    if (name.endsWith('.tape') && name !== TAPE_FILE) found.push({ kind: 'tape', path });
    else if (!name.endsWith('.partial') && hasManifest(path)) found.push({ kind: 'recording', path });
  }
  return found;
}
