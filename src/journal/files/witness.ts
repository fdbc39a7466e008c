/**
 * Seq and hash of a durable row, in a file beside the journal. A journal behind its witness was rewound or cut, and
 * starts in amnesia mode. Written when idle and at ends, never ahead. An old copy of the whole folder is detected only
 * at the exchange (`execution/intake/adopt.ts`).
 */
import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RestoredEntry } from '../../model/entries/journal.ts';
import { messageOf } from '../../model/errors.ts';
import { writeWhole } from './files.ts';

const WITNESS_FILE = 'journal.witness';
/** Fixed length, so that it is overwritten in one write. */
const SEQ_CHARS = 16;
const CHECK_CHARS = 16;
const TEXT = new RegExp(`^tidewire journal (\\d{${SEQ_CHARS}}) ([0-9a-f]{64}) ([0-9a-f]{${CHECK_CHARS}})\\n$`);

export const REWOUND = 'journal_rewound';

/** Seq 0 before the first row. */
export interface Tail {
  readonly seq: number;
  readonly hash: string;
}

/** `none`: no witness, as for an older journal or new folder. */
export type Testimony =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'row'; readonly tail: Tail };

export function testimonyOf(text: string): Testimony {
  const [, seq, link, check] = TEXT.exec(text) ?? [];
  if (seq === undefined || link === undefined) return { kind: 'unreadable', reason: 'it is torn, or no witness' };
  if (check !== checkOf(seq, link)) return { kind: 'unreadable', reason: 'it was changed' };
  return { kind: 'row', tail: { seq: Number(seq), hash: link } };
}

export function witnessText({ seq, hash: link }: Tail): string {
  const digits = String(seq).padStart(SEQ_CHARS, '0');
  return `tidewire journal ${digits} ${link} ${checkOf(digits, link)}\n`;
}

function checkOf(seq: string, link: string): string {
  return hash('sha256', `${seq} ${link}`, 'hex').slice(0, CHECK_CHARS);
}

/** Null: no contradiction. */
export function rewoundBecause(
  testimony: Testimony,
  lastSeq: number,
  hashOf: (seq: number) => string | undefined,
): string | null {
  if (testimony.kind !== 'row') return null;
  const { seq, hash: link } = testimony.tail;
  if (seq > lastSeq) {
    const ends = lastSeq === 0 ? 'the journal has no row' : `the journal ends at row ${lastSeq}`;
    return `${ends}, but ${seq} were written: at least ${seq - lastSeq} are lost`;
  }
  if (seq === 0 || hashOf(seq) === link) return null;
  return `row ${seq} of the journal differs from its witness: it is another journal, or an older copy that was continued`;
}

export function rewoundEntry(because: string): RestoredEntry {
  return { kind: 'restored', event: 'restored', reason: `${REWOUND}: ${because}` };
}

/** `path`: the journal. */
export function readWitness(path: string): Testimony {
  try {
    return testimonyOf(readFileSync(witnessPath(path), 'utf8'));
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return { kind: 'none' };
    return { kind: 'unreadable', reason: messageOf(thrown) };
  }
}

function witnessPath(path: string): string {
  return join(dirname(path), WITNESS_FILE);
}

/** A refused write leaves the witness older, which is harmless. */
export class Witness {
  readonly #path: string;
  /** Null: nothing to overwrite. */
  #written: number | null;

  constructor(journal: string, testimony: Testimony) {
    this.#path = witnessPath(journal);
    this.#written = testimony.kind === 'row' ? testimony.tail.seq : null;
  }

  /** `durable`: survives a power cut; costs an fsync. */
  note(tail: Tail, durable: boolean): void {
    if (!durable && this.#written === tail.seq) return;
    try {
      if (this.#written === null) writeWhole(this.#path, Buffer.from(witnessText(tail)));
      else writeOver(this.#path, witnessText(tail), durable);
      this.#written = tail.seq;
    } catch {
      // It may have been removed, so the next write replaces the whole file.
      this.#written = null;
    }
  }
}

function writeOver(path: string, text: string, durable: boolean): void {
  const handle = openSync(path, 'r+');
  try {
    writeSync(handle, text, 0);
    if (durable) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
