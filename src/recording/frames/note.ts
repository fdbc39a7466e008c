/**
 * Notes between the frames. `connected` and `lost` become gaps; the others let `replay` repeat a session (docs/tape.md,
 * "What a session saw").
 */
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';

/** Others are not replayed. */
export const SESSION_NOTES_FORMAT = 1;

const connection = z.enum(['public', 'private']);

/** Market events delivered, decisions begun. `within`: during the last decision. */
const place = { at: z.tuple([z.number(), z.number()]).readonly(), within: z.literal(true).optional() };

const noteSchema = z.discriminatedUnion('note', [
  /** The socket is open and subscribed. */
  z.object({ note: z.literal('connected'), connection }),
  z.object({ note: z.literal('lost'), connection, reason: z.string() }),
  /** By the recorder: slow disk. */
  z.object({ note: z.literal('dropped'), frames: z.number() }),
  /** Free text. */
  z.object({ note: z.literal('remark'), text: z.string() }),
  /** A session process starts to record. */
  z.object({
    note: z.literal('session'),
    format: z.number(),
    seed: z.number(),
    /** Whether account events are recorded. */
    account: z.boolean(),
    strategies: z.array(
      z.object({ tag: z.string(), file: z.string(), code: z.string(), params: z.record(z.string(), z.unknown()) }),
    ),
  }),
  /** What strategies read from files until their `setup` returned, SHA-256 by path from the strategy's folder. */
  z.object({
    note: z.literal('inputs'),
    strategies: z.array(z.object({ tag: z.string(), files: z.record(z.string(), z.string()) })),
  }),
  /** Strategies start. */
  z.object({ note: z.literal('began'), ...place }),
  /** Strategies are asked to stop. */
  z.object({ note: z.literal('stopping'), ...place, reason: z.enum(['end', 'signal', 'error']) }),
  /** Overdue timers ran now. */
  z.object({ note: z.literal('stalled'), ...place }),
  /** The next step, at `toUs`, preceded pending promises. */
  z.object({ note: z.literal('joined'), ...place, toUs: z.number() }),
  /** Missing or stale since `fromUs`, or back. */
  z.object({
    note: z.literal('gap'),
    ...place,
    symbol: z.string(),
    reason: z.string(),
    fromUs: z.number(),
    open: z.boolean(),
  }),
  /** Until its next snapshot. */
  z.object({ note: z.literal('discarded'), ...place, symbol: z.string(), reason: z.string() }),
  /** A change of account or treasury, or an inbound signal. */
  z.object({
    note: z.literal('told'),
    ...place,
    tag: z.string(),
    of: z.enum(['account', 'treasury', 'signal']),
    event: z.record(z.string(), z.unknown()),
  }),
  /** A query with a changed answer: JSON, absent for undefined. */
  z.object({ note: z.literal('answer'), ...place, tag: z.string(), ask: z.string(), answer: z.string().optional() }),
]);

export type RecordingNote = Readonly<z.infer<typeof noteSchema>>;
export type SessionStart = Extract<RecordingNote, { readonly note: 'session' }>;
export type SessionFiles = Extract<RecordingNote, { readonly note: 'inputs' }>['strategies'];
export type SessionNote = Extract<RecordingNote, { readonly at: readonly [number, number] }>;

export type ParsedNote =
  | { readonly kind: 'note'; readonly note: RecordingNote }
  /** Another version or damaged. */
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
