/** Recordings on disk, by their manifests and the sizes of their files. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { hasManifest, readManifest } from '../../recording/frames/manifest.ts';
import type { RecordingRow } from '../schemas/research.ts';
import type { RecordingLosses } from './recording-losses.ts';

export interface RecordingPlace {
  readonly path: string;
  readonly session: string | null;
  readonly running: boolean;
}

/** Folders directly in these that hold a recording, and these themselves. */
export function recordingsIn(folders: readonly string[]): readonly RecordingPlace[] {
  return folders
    .flatMap((folder) => [folder, ...foldersIn(folder)])
    .filter(hasManifest)
    .map((path) => ({ path, session: null, running: false }));
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

export async function recordingRow(
  { path, session, running }: RecordingPlace,
  losses: RecordingLosses,
): Promise<RecordingRow> {
  const { bytes, files, newest } = sizeOf(path);
  const nothing = { source: '', symbols: [], channels: [], from: null, to: newest };
  try {
    const manifest = readManifest(path);
    return {
      path,
      session,
      source: manifest.source,
      symbols: manifest.symbols,
      channels: [],
      from: manifest.created,
      to: newest,
      bytes,
      files,
      running,
      problems: [...manifest.warnings, ...(await losses.of(path, running))],
    };
  } catch (thrown) {
    return { path, session, ...nothing, bytes, files, running, problems: [messageOf(thrown)] };
  }
}

function sizeOf(path: string): { readonly bytes: number; readonly files: number; readonly newest: number | null } {
  let [bytes, files] = [0, 0];
  let newest: number | null = null;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = statSync(join(path, entry.name));
    bytes += size;
    files++;
    newest = Math.max(newest ?? 0, mtimeMs);
  }
  return { bytes, files, newest };
}
