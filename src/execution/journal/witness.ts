/**
 * The witness of a journal: a small file beside it that says how far it went, by the number and the hash of a row that was
 * durable. A journal that was put back by hand, lost its end or is gone says nothing of it; the witness does, and the next
 * start is in amnesia, as after a restore (reliability §4.3, 11). It is written in idle moments and at the ends, over what is
 * there, and never on the way of an order: it may be behind the journal, never ahead of it. An older copy of the whole folder
 * brings an older witness: what it lacks only the exchange can tell (`reconcile/adopt.ts`). Used by the SQLite store; read by
 * whoever only looks.
 */
import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RestoredEntry } from '../../model/journal.ts';
import { messageOf } from '../../model/errors.ts';
import { syncFolder } from './sync-folder.ts';

const WITNESS_FILE = 'journal.witness';
/** Of one length, so that it is written over in one piece. */
const SEQ_CHARS = 16;
const CHECK_CHARS = 16;
const TEXT = new RegExp(`^tidewire journal (\\d{${SEQ_CHARS}}) ([0-9a-f]{64}) ([0-9a-f]{${CHECK_CHARS}})\\n$`);

/** The code of a journal that knows less than was told, in its row and wherever it is said. */
export const REWOUND = 'journal_rewound';

/** The last row of a journal; seq 0 before the first. */
export interface Tail {
  readonly seq: number;
  readonly hash: string;
}

/** `none`: nothing was ever told here, as beside a journal of before, or one that was put into a new folder. */
export type Testimony =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'row'; readonly tail: Tail };

/** What the file of these words says. */
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

/** In what a journal of `lastSeq` rows is another than the one that was told of; null when it may be the same. */
export function rewoundBecause(
  told: Testimony,
  lastSeq: number,
  hashOf: (seq: number) => string | undefined,
): string | null {
  if (told.kind !== 'row') return null;
  const { seq, hash: link } = told.tail;
  if (seq > lastSeq) {
    const ends = lastSeq === 0 ? 'the journal has no row' : `the journal ends at row ${lastSeq}`;
    return `${ends}, and ${seq} were told: at least ${seq - lastSeq} are gone`;
  }
  if (seq === 0 || hashOf(seq) === link) return null;
  return `row ${seq} of the journal is not the one that was told: it is another journal, or an older one that went on`;
}

/** The row that puts the journal into amnesia; `because` as above. */
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

/** Writes the witness of a journal that is open. A disk that refuses leaves it behind the journal, which harms nobody. */
export class Witness {
  readonly #path: string;
  /** Null: nothing that can be written over. */
  #told: number | null;

  /** `told`: what was found there. */
  constructor(journal: string, told: Testimony) {
    this.#path = witnessPath(journal);
    this.#told = told.kind === 'row' ? told.tail.seq : null;
  }

  /** `durable`: also after a power cut; it costs an fsync. */
  tell(tail: Tail, durable: boolean): void {
    if (!durable && this.#told === tail.seq) return;
    try {
      if (this.#told === null) replaceWhole(this.#path, witnessText(tail));
      else writeOver(this.#path, witnessText(tail), durable);
      this.#told = tail.seq;
    } catch {
      // Somebody may have taken it away: the next one is put there whole.
      this.#told = null;
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

/** Whoever dies here leaves the old one, or none. */
function replaceWhole(path: string, text: string): void {
  const draft = join(dirname(path), `.${basename(path)}.partial`);
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}
