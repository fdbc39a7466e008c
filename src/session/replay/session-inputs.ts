/** The last process's frames and notes, with a bounded look-ahead. */
import type { FrameRow } from '../../recording/frames/frame-row.ts';
import { readFrames } from '../../recording/frames/frame-reader.ts';
import { readManifest, type Manifest } from '../../recording/frames/manifest.ts';
import { parseNote, SESSION_NOTES_FORMAT, type SessionNote, type SessionStart } from '../../recording/frames/note.ts';
import { ReadReport } from '../../recording/frames/read-report.ts';
import { sessionErrors } from '../errors.ts';
import { ranWithOf, type RanWith } from './changed-since.ts';

/** More rows than one decision causes. */
const AHEAD = 4096;

/** In every market frame. */
const CHANNEL = '"channel"';

export type SessionInput =
  | { readonly kind: 'frame'; readonly us: number; readonly row: FrameRow }
  | { readonly kind: 'note'; readonly us: number; readonly note: SessionNote };

export interface ProcessRecording {
  readonly dir: string;
  readonly manifest: Manifest;
  readonly start: SessionStart;
  readonly ranWith: RanWith;
  /** Of earlier processes. */
  readonly rowsBefore: number;
  /** µs. */
  readonly lastUs: number;
}

/** Null for a recording without notes. Throws `replay_unreadable`. */
export async function lastProcess(dir: string): Promise<ProcessRecording | null> {
  const manifest = readManifest(dir);
  let found: { readonly start: SessionStart; readonly rowsBefore: number } | null = null;
  let ranWith: RanWith | null = null;
  let rows = 0;
  let lastUs = 0;
  for await (const block of readFrames(dir, manifest, new ReadReport())) {
    for (const { kind, text, receiveUs } of block.rows) {
      lastUs = Math.max(lastUs, receiveUs);
      const parsed = kind === 'note' ? parseNote(text) : null;
      const note = parsed?.kind === 'note' ? parsed.note : null;
      if (note?.note === 'session') found = { start: note, rowsBefore: rows };
      if (note?.note === 'session' || note?.note === 'inputs') ranWith = ranWithOf(ranWith, note);
      rows++;
    }
  }
  if (found === null || ranWith === null) return null;
  const { format } = found.start;
  if (format !== SESSION_NOTES_FORMAT) {
    throw sessionErrors.make(
      'replay_unreadable',
      `${dir}: what the session saw is kept in format ${format}, this version reads ${SESSION_NOTES_FORMAT}`,
      { path: dir },
    );
  }
  return { dir, manifest, lastUs, ranWith, ...found };
}

export class SessionInputs {
  readonly #recording: ProcessRecording;
  readonly #report = new ReadReport();
  readonly #queue: SessionInput[] = [];
  readonly #blocks: AsyncGenerator<{ readonly rows: readonly FrameRow[] }>;
  #rows = 0;
  #at = 0;
  #isOver = false;
  #dropped = 0;

  constructor(recording: ProcessRecording) {
    this.#recording = recording;
    this.#blocks = readFrames(recording.dir, recording.manifest, this.#report);
  }

  get problems(): readonly string[] {
    const dropped = this.#dropped === 0 ? [] : [`${this.#dropped} frames were dropped while recording`];
    return [...this.#report.listed(), ...dropped];
  }

  /** Throws `replay_unreadable` for an invalid note. */
  async fill(): Promise<void> {
    while (!this.#isOver && this.#queue.length - this.#at < AHEAD) {
      const next = await this.#blocks.next();
      if (next.done === true) this.#isOver = true;
      else for (const row of next.value.rows) this.#take(row);
    }
    if (this.#at < AHEAD) return;
    this.#queue.splice(0, this.#at);
    this.#at = 0;
  }

  get isAtHand(): boolean {
    return this.#queue.length - this.#at >= AHEAD || this.#isOver;
  }

  peek(): SessionInput | undefined {
    return this.#queue[this.#at];
  }

  next(): SessionInput | undefined {
    return this.#queue[this.#at++];
  }

  #take(row: FrameRow): void {
    if (this.#rows++ <= this.#recording.rowsBefore) return;
    const { kind, receiveUs: us, text } = row;
    // Pongs and replies precede notes that waited.
    if (kind === 'public' && text.includes(CHANNEL)) this.#queue.push({ kind: 'frame', us, row });
    if (kind !== 'note') return;
    const parsed = parseNote(text);
    if (parsed.kind === 'unknown') {
      throw sessionErrors.make(
        'replay_unreadable',
        `${this.#recording.dir}: ${parsed.problem}: ${text.slice(0, 120)}`,
        {
          path: this.#recording.dir,
        },
      );
    }
    if (parsed.note.note === 'dropped') this.#dropped += parsed.note.frames;
    if ('at' in parsed.note) this.#queue.push({ kind: 'note', us, note: parsed.note });
  }
}
