/** The state of rows 1 to n as canonical JSON. A loaded replay and the original stay equal under further rows. */
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { canonicalJson } from '../../model/canonical.ts';
import type { InstrumentSpec } from '../../model/instrument.ts';
import type { JournalRow } from '../../model/journal.ts';
import type { SnapshotEntry } from '../../model/snapshot-entry.ts';
import { Replay } from '../replay.ts';
import { loadState, savedState, type SavedState } from './saved-state.ts';
import { SpecTable } from './spec-table.ts';

/** Raise it when the text or the meaning of rows changes: older snapshots are then ignored. */
export const SNAPSHOT_VERSION = 5;

interface SavedReplay {
  readonly rows: number;
  readonly fills: number;
  /** Indexes into `specs` of the newest spec of each symbol. */
  readonly instruments: readonly number[];
  readonly specs: readonly InstrumentSpec[];
  readonly state: SavedState;
}

export function snapshotText({ rows, fills, instruments, state }: Replay): string {
  const specs = new SpecTable();
  const saved: SavedReplay = {
    rows,
    fills,
    instruments: instruments.all().map((instrument) => specs.numberOf(instrument)),
    state: savedState(state, specs),
    specs: specs.specs(),
  };
  return canonicalJson(saved);
}

/** Throws `RangeError` or `SyntaxError` on any other text. */
export function replayOf(text: string): Replay {
  const saved = JSON.parse(text) as SavedReplay;
  const replay = new Replay();
  const specs = SpecTable.of(saved.specs);
  for (const number of saved.instruments) replay.instruments.put(specs.at(number));
  loadState(saved.state, replay.state, specs);
  replay.rows = saved.rows;
  replay.fills = saved.fills;
  return replay;
}

export function snapshotOf(replay: Replay): SnapshotEntry {
  const text = snapshotText(replay);
  return {
    kind: 'snapshot',
    version: SNAPSHOT_VERSION,
    at: replay.rows,
    state: zstdCompressSync(text).toString('base64'),
    check: hash('sha256', text, 'hex'),
  };
}

/** Throws `RangeError` when the text was changed. */
export function textOf({ at, state, check }: SnapshotEntry): string {
  const text = zstdDecompressSync(Buffer.from(state, 'base64')).toString();
  if (hash('sha256', text, 'hex') !== check) throw new RangeError(`the snapshot after row ${at} was changed`);
  return text;
}

export interface Resumable {
  read(fromSeq?: number): Iterable<JournalRow>;
  readonly lastSnapshot?: () => SnapshotEntry | undefined;
}

/** Replays from the newest snapshot of this version, or from row 1. Throws as `textOf` does. */
export function resume(journal: Resumable): Replay {
  const entry = journal.lastSnapshot?.();
  const replay = entry?.version === SNAPSHOT_VERSION ? replayOf(textOf(entry)) : new Replay();
  for (const row of journal.read(replay.rows + 1)) replay.row(row);
  return replay;
}
