/** The state after rows 1 to n as canonical JSON. A loaded replay and the original stay equal under further rows. */
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { canonicalJson } from '../../model/text/canonical.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import type { JournalStore } from '../../model/entries/journal.ts';
import type { SnapshotEntry } from '../../model/entries/snapshot-entry.ts';
import type { Replay } from '../replay.ts';
import { plainOf, valueOf } from './plain.ts';
import { SpecTable } from './spec-table.ts';

/** Raise it when the text or the meaning of rows changes. Older snapshots are then ignored. */
export const SNAPSHOT_VERSION = 16;

export function snapshotText(replay: Replay): string {
  const specs = new SpecTable();
  const saved = plainOf(replay, specs);
  return canonicalJson({ replay: saved, specs: specs.specs() });
}

/** Throws `RangeError` or `SyntaxError` on any other text. */
export function replayOf(text: string): Replay {
  const { replay, specs } = JSON.parse(text) as { readonly replay: unknown; readonly specs: readonly InstrumentSpec[] };
  return valueOf(replay, SpecTable.of(specs)) as Replay;
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

export type Resumable = Pick<JournalStore, 'read' | 'lastSnapshot'>;
