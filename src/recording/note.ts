/**
 * Notes in a recording: JSON rows of our own between the frames. `connected` and `lost` bound the time in which data may
 * be missing; a tape turns them into gap events (rule T5). The others are a session's: what its strategies saw other than
 * by a frame, so that `replay` can show it to them again (docs/tape.md, "What a session saw").
 */
import { z } from 'zod';
import { messageOf } from '../model/errors.ts';

/** Of the notes of sessions. A replay reads no other; everything else in the recording can be read all the same. */
export const SESSION_NOTES_FORMAT = 1;

const connection = z.enum(['public', 'private']);

/**
 * Where in a session something was: market events that had been handed to the strategies, decisions that had been begun.
 * `within`: it came while the last of these decisions was carried out.
 */
const place = { at: z.tuple([z.number(), z.number()]).readonly(), within: z.literal(true).optional() };

const noteSchema = z.discriminatedUnion('note', [
  /** The socket of `connection` is open and subscribed. */
  z.object({ note: z.literal('connected'), connection }),
  z.object({ note: z.literal('lost'), connection, reason: z.string() }),
  /** The recorder itself dropped frames before this row (disk too slow). */
  z.object({ note: z.literal('dropped'), frames: z.number() }),
  /** Free text for people. */
  z.object({ note: z.literal('remark'), text: z.string() }),
  /** A process of a session begins to record: what follows, up to the next such note, is its own. */
  z.object({
    note: z.literal('session'),
    format: z.number(),
    seed: z.number(),
    /** Whether what its strategies were told of the account is here. */
    account: z.boolean(),
    strategies: z.array(
      z.object({ tag: z.string(), file: z.string(), code: z.string(), params: z.record(z.string(), z.unknown()) }),
    ),
  }),
  /** Its strategies begin. */
  z.object({ note: z.literal('began'), ...place }),
  /** They are told to stop. */
  z.object({ note: z.literal('stopping'), ...place, reason: z.enum(['end', 'signal', 'error']) }),
  /** The process had stood still: timers that were overdue ran at this time. */
  z.object({ note: z.literal('stalled'), ...place }),
  /** What the session did next, at `toUs`, it did before the promises of what it had just done could run. */
  z.object({ note: z.literal('joined'), ...place, toUs: z.number() }),
  /** Data of a symbol is missing or stale since `fromUs`, or came back. */
  z.object({
    note: z.literal('gap'),
    ...place,
    symbol: z.string(),
    reason: z.string(),
    fromUs: z.number(),
    open: z.boolean(),
  }),
  /** The order book was given up until its next snapshot. */
  z.object({ note: z.literal('discarded'), ...place, symbol: z.string(), reason: z.string() }),
  /** A strategy was told a change of its account, or of the money beside it. */
  z.object({
    note: z.literal('told'),
    ...place,
    tag: z.string(),
    of: z.enum(['account', 'treasury']),
    event: z.record(z.string(), z.unknown()),
  }),
  /** What a strategy asked, and was answered otherwise than the time before: JSON, absent for nothing. */
  z.object({ note: z.literal('answer'), ...place, tag: z.string(), ask: z.string(), answer: z.string().optional() }),
]);

export type RecordingNote = Readonly<z.infer<typeof noteSchema>>;
export type SessionStart = Extract<RecordingNote, { readonly note: 'session' }>;
/** A note with its place in a session. */
export type SessionNote = Extract<RecordingNote, { readonly at: readonly [number, number] }>;

export type ParsedNote =
  | { readonly kind: 'note'; readonly note: RecordingNote }
  /** Of another version, or damaged: skipped by whoever can do without, and never silently. */
  | { readonly kind: 'unknown'; readonly problem: string };

export function parseNote(text: string): ParsedNote {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { kind: 'unknown', problem: `a note that is not JSON: ${messageOf(thrown)}` };
  }
  const parsed = noteSchema.safeParse(value);
  if (parsed.success) return { kind: 'note', note: parsed.data };
  const issue = parsed.error.issues[0];
  return { kind: 'unknown', problem: `a note that this version does not know (${issue?.message ?? 'no reason'})` };
}
