/**
 * Consecutive rows compressed in one file, without hashes. The hashes follow from `before` and the rows, and the last
 * one in the journal verifies them all. Pure.
 *
 *   "tidewire segment 1\n" then a line for each row: ts, tab, body
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Segment } from '../../model/entries/archive-segment.ts';
import { linkHash, type StoredRow } from '../chain.ts';

const HEAD = 'tidewire segment 1';

export function packed(rows: readonly StoredRow[]): Buffer {
  return zstdCompressSync([HEAD, ...rows.map(({ ts, body }) => `${ts}\t${body}`), ''].join('\n'));
}

/** Throws `RangeError` or zlib's error unless these are the packed rows. */
export function unpacked(bytes: Buffer, { first, last, before, hash }: Segment): readonly StoredRow[] {
  const [head, ...lines] = zstdDecompressSync(bytes).toString().split('\n');
  if (head !== HEAD || lines.pop() !== '' || lines.length !== last - first + 1)
    throw new RangeError(`it does not contain the rows ${first} to ${last}`);
  let link = before;
  const rows = lines.map((line, index) => {
    const cut = line.indexOf('\t');
    const [seq, ts, body] = [first + index, Number(line.slice(0, cut)), line.slice(cut + 1)];
    link = linkHash(link, seq, ts, body);
    return { seq, ts, body, hash: link };
  });
  if (link !== hash) throw new RangeError(`its rows ${first} to ${last} are not those that were archived`);
  return rows;
}
