/** Sessions and recordings on disk with their sizes, and why each is needed. Reads only. */
import { lstatSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { hasManifest } from '../../recording/frames/manifest.ts';
import { isRunning } from '../../session/store/is-running.ts';
import { sessionState } from '../../session/upkeep/session-state.ts';
import { folderPaths, isOver, readSession, sessionFiles, type SessionFolder } from '../../session/store/store.ts';
import { tradesOf } from '../trades/session-fills.ts';
import type { Stored } from './choose.ts';

/** A recording that was written to lately may still be written to. */
const IN_USE_MS = 3_600_000;
const DEPTH_MAX = 4;

interface Held {
  readonly path: string;
  readonly folder: SessionFolder | null;
  readonly needed: string | null;
}

export interface Survey {
  readonly sessions: readonly Stored[];
  /** Of sessions, too. */
  readonly recordings: readonly Stored[];
}

/** `now`: Unix ms. */
export function survey(sessionsDir: string, recordingsDir: string, now: number): Survey {
  const held = heldSessions(sessionsDir);
  const sessions = held.map(({ path, folder, needed }): Stored => {
    const at = folder === null ? now : (folder.record.endedAt ?? folder.record.startedAt);
    return { kind: 'session', path, bytes: sizeOf(path, sessionFiles.recording), at, needed };
  });
  const ofSessions = held.flatMap(({ path, needed }) => {
    const recording = join(path, sessionFiles.recording);
    return hasManifest(recording) ? [recordingAt(recording, needed, now)] : [];
  });
  const inSession = (path: string): boolean => held.some((session) => path.startsWith(`${session.path}${sep}`));
  const others = recordingsUnder(recordingsDir, 0).filter((path) => !inSession(path));
  return { sessions, recordings: [...ofSessions, ...others.map((path) => recordingAt(path, null, now))] };
}

function heldSessions(root: string): readonly Held[] {
  const seen = new Set<string>();
  const found = folderPaths(root).flatMap((path): readonly Held[] => {
    if (!lstatSync(path).isDirectory()) return [];
    try {
      const folder = readSession(path);
      return folder === null ? [] : [{ path, folder, needed: null }];
    } catch (thrown) {
      return [{ path, folder: null, needed: `it cannot be read: ${messageOf(thrown)}` }];
    }
  });
  const startedAt = ({ folder }: Held): number => folder?.record.startedAt ?? Number.POSITIVE_INFINITY;
  const newestFirst = found.toSorted((left, right) => startedAt(right) - startedAt(left));
  return newestFirst.map((held) => {
    if (held.folder === null) return held;
    const { mode, account, exchange, strategies } = held.folder.record;
    const kind = JSON.stringify([mode, account, exchange, strategies.map(({ tag }) => tag)]);
    const isNewest = !seen.has(kind);
    seen.add(kind);
    return { ...held, needed: neededBecause(held.folder, isNewest) };
  });
}

/** An orderly end says that nothing is left; the journal must say so, too. */
function neededBecause(folder: SessionFolder, isNewest: boolean): string | null {
  try {
    if (isRunning(folder)) return 'it runs';
    if (!isOver(folder.record)) return 'the next start continues it';
    if (isNewest) return 'it is the newest of its strategies: the next start takes the loss of the day from it';
    const { unresolved, openOrders, positions, killed, restored } = sessionState(folder);
    if (unresolved > 0 || openOrders.length > 0) return 'an order or a movement of money in it is unresolved';
    if (killed !== null) return 'its kill switch is on';
    if (restored !== null) return 'it was restored and not acknowledged';
    // Of spot it is what was bought and kept.
    if (positions.some(({ market, isFlat }) => market === 'derivative' && !isFlat)) return 'it holds a position';
    // Those of a live session are kept when it goes.
    if (folder.record.mode === 'live') tradesOf(folder);
    return null;
  } catch (thrown) {
    return `its journal cannot be read: ${messageOf(thrown)}`;
  }
}

function recordingAt(path: string, needed: string | null, now: number): Stored {
  const at = lastWrite(path);
  const inUse = now - at < IN_USE_MS ? 'it was written to within the last hour' : null;
  return { kind: 'recording', path, bytes: sizeOf(path), at, needed: needed ?? inUse };
}

function recordingsUnder(dir: string, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return [];
  return entriesOf(dir).flatMap((name) => {
    const path = join(dir, name);
    if (name.startsWith('.') || !lstatSync(path).isDirectory()) return [];
    return hasManifest(path) ? [path] : recordingsUnder(path, depth + 1);
  });
}

function entriesOf(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Bytes of its files; links are not followed. */
function sizeOf(path: string, without?: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return entriesOf(path)
    .filter((name) => name !== without)
    .reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Of its frames; a tape beside them is only a cache. */
function lastWrite(path: string): number {
  const times = entriesOf(path)
    .filter((name) => !name.endsWith('.tape'))
    .map((name) => lstatSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(0, ...times);
}
