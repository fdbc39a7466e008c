/**
 * Deletes by the retention rules. A folder is renamed first, so that a half-deleted one is no session. The trades of a
 * live session stay. Recordings go first: on a full disk they make room for them.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Keep } from '../../model/keep.ts';
import { readSession } from '../../session/store/store.ts';
import { keepTrades } from '../trades/kept-trades.ts';
import { expired, type Stored } from './choose.ts';
import { survey } from './survey.ts';

export interface PruneOptions {
  readonly sessionsDir: string;
  readonly recordingsDir: string;
  readonly journals: Keep | null;
  readonly recordings: Keep | null;
  readonly dryRun: boolean;
  /** Unix ms. */
  readonly now: number;
}

export interface Pruned {
  readonly gone: readonly Stored[];
  readonly freed: number;
  /** What a rule would have let go, were it not needed. */
  readonly kept: readonly Stored[];
}

const GOING = '.pruned-';

export function prune({ sessionsDir, recordingsDir, journals, recordings, dryRun, now }: PruneOptions): Pruned {
  if (!dryRun) finishEarlier([sessionsDir, recordingsDir]);
  const found = survey(sessionsDir, recordingsDir, now);
  const gone: Stored[] = [...expired(found.sessions, journals, now)];
  const goesWith = ({ path }: Stored): boolean => gone.some((session) => dirname(path) === session.path);
  // The recording of a session that goes is in its folder.
  const along = found.recordings.filter(goesWith);
  const others = found.recordings.filter((recording) => !goesWith(recording));
  gone.push(...along, ...expired(others, recordings, now));
  const kept = [...keptOf(found.sessions, journals, now), ...keptOf(others, recordings, now)];
  if (!dryRun) for (const stored of recordingsFirst(gone)) remove(stored, sessionsDir);
  return { gone, freed: gone.reduce((sum, { bytes }) => sum + bytes, 0), kept };
}

/** By age: what is old enough. By size: what was passed over. */
function keptOf(all: readonly Stored[], keep: Keep | null, now: number): readonly Stored[] {
  if (keep === null) return [];
  const needed = all.filter(({ needed: why }) => why !== null);
  if (keep.kind === 'age') return needed.filter(({ at }) => now - at > keep.ms);
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  return total > keep.bytes ? needed : [];
}

function recordingsFirst(gone: readonly Stored[]): readonly Stored[] {
  return [...gone.filter(({ kind }) => kind === 'recording'), ...gone.filter(({ kind }) => kind === 'session')];
}

function remove({ kind, path }: Stored, sessionsDir: string): void {
  const folder = kind === 'session' ? readSession(path) : null;
  if (folder?.record.mode === 'live') keepTrades(sessionsDir, folder);
  const going = join(dirname(path), `${GOING}${basename(path)}`);
  try {
    renameSync(path, going);
  } catch (thrown) {
    // Another prune was faster.
    if ((thrown as { readonly code?: unknown }).code === 'ENOENT') return;
    throw thrown;
  }
  rmSync(going, { recursive: true, force: true });
}

/** What an earlier run was interrupted at. */
function finishEarlier(dirs: readonly string[]): void {
  for (const dir of dirs)
    for (const name of namesIn(dir))
      if (name.startsWith(GOING)) rmSync(join(dir, name), { recursive: true, force: true });
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
