/**
 * A session's recording as a replay reads it: what its last process recorded, frames and notes in their order, with enough
 * of what comes next at hand to know what the strategies were told while they decided. Memory is a few blocks of frames.
 */
import type { FrameRow } from '../../recording/frame-row.ts';
import { readFrames } from '../../recording/frame-reader.ts';
import { readManifest, type Manifest } from '../../recording/manifest.ts';
import { parseNote, SESSION_NOTES_FORMAT, type SessionNote, type SessionStart } from '../../recording/note.ts';
import { ReadReport } from '../../recording/read-report.ts';
import { sessionErrors } from '../errors.ts';

/** Rows that are at hand, at the end of the recording fewer. What one decision causes is told in far less. */
const AHEAD = 4096;

/** Every frame that tells of a market has it. */
const CHANNEL = '"channel"';

export type SessionInput =
  | { readonly kind: 'frame'; readonly us: number; readonly row: FrameRow }
  | { readonly kind: 'note'; readonly us: number; readonly note: SessionNote };

/** What the last process of a session recorded. */
export interface ProcessRecording {
  readonly dir: string;
  readonly manifest: Manifest;
  readonly start: SessionStart;
  /** Rows of the recording before its own. */
  readonly rowsBefore: number;
  /** Time of its last row, µs. */
  readonly lastUs: number;
}

/** Null where the recording was made by a version that kept no such notes. Throws `replay_unreadable`. */
export async function lastProcess(dir: string): Promise<ProcessRecording | null> {
  const manifest = readManifest(dir);
  let found: { readonly start: SessionStart; readonly rowsBefore: number } | null = null;
  let rows = 0;
  let lastUs = 0;
  for await (const block of readFrames(dir, manifest, new ReadReport())) {
    for (const { kind, text, receiveUs } of block.rows) {
      lastUs = Math.max(lastUs, receiveUs);
      const parsed = kind === 'note' ? parseNote(text) : null;
      if (parsed?.kind === 'note' && parsed.note.note === 'session') found = { start: parsed.note, rowsBefore: rows };
      rows++;
    }
  }
  if (found === null) return null;
  const { format } = found.start;
  if (format !== SESSION_NOTES_FORMAT) {
    throw sessionErrors.make(
      'replay_unreadable',
      `${dir}: what the session saw is kept in format ${format}, this version reads ${SESSION_NOTES_FORMAT}`,
      { path: dir },
    );
  }
  return { dir, manifest, lastUs, ...found };
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

  /** What is missing, one sentence each. */
  get problems(): readonly string[] {
    const dropped = this.#dropped === 0 ? [] : [`${this.#dropped} frames were dropped while recording`];
    return [...this.#report.listed(), ...dropped];
  }

  /** Reads on until enough is at hand. Throws `replay_unreadable` for a note that cannot be understood. */
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

  /** What comes next, left where it is. */
  peek(): SessionInput | undefined {
    return this.#queue[this.#at];
  }

  next(): SessionInput | undefined {
    return this.#queue[this.#at++];
  }

  #take(row: FrameRow): void {
    if (this.#rows++ <= this.#recording.rowsBefore) return;
    const { kind, receiveUs: us, text } = row;
    // A pong or a reply to a subscription is nothing to a strategy, and stands before notes that waited when it came.
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
