/** Explains the first difference of a replay. */
import { readServerMessage } from '../../exchange/wire/socket-messages.ts';
import { usOf } from '../../model/time.ts';
import type { FrameRow } from '../../recording/frames/frame-row.ts';
import { readFrames } from '../../recording/frames/frame-reader.ts';
import { readManifest } from '../../recording/frames/manifest.ts';
import { parseNote, type RecordingNote } from '../../recording/frames/note.ts';
import { ReadReport } from '../../recording/frames/read-report.ts';
import type { ActionDifference, LoggedAction } from '../decisions/action-log.ts';

export interface LastInput {
  /** A channel or a note: `account of maker`, `gap BTCUSDT`. */
  readonly stream: string;
  readonly sequence: number | null;
  /** Unix ms with µs. */
  readonly receivedAt: number;
}

export interface ExplainedDifference extends ActionDifference {
  /** Of the earlier decision, Unix ms with µs. */
  readonly at: number;
  readonly input: LastInput | null;
  readonly reason: string;
}

const FIELDS_MAX = 4;

export function instantOf({ left, right }: ActionDifference): number {
  return Math.min(left?.ts ?? Infinity, right?.ts ?? Infinity);
}

export function reasonOf({ left, right }: ActionDifference, others: readonly string[]): string {
  return [differenceOf(left, right), ...others].join('; ');
}

function differenceOf(left: LoggedAction | null, right: LoggedAction | null): string {
  if (left === null) return `the replay decides on ${nameOf(right)}, and the session had made no further decision`;
  if (right === null) return `the session decided on ${nameOf(left)}, and the replay makes no further decision`;
  if (left.tag !== right.tag) {
    return `in the session ${left.tag} decided next, on ${nameOf(left)}, in the replay ${right.tag}, on ${nameOf(right)}`;
  }
  const [own, other] = [nameOf(left), nameOf(right)];
  if (own !== other) return `the session decided on ${own}, the replay on ${other}`;
  const fields = [...fieldsThatDiffer('', left.action, right.action)];
  const listed = fields.slice(0, FIELDS_MAX).join(', ');
  const more = fields.length > FIELDS_MAX ? ` and ${fields.length - FIELDS_MAX} more fields` : '';
  return `both decided on ${own}, with other values: ${listed}${more}`;
}

function nameOf(logged: LoggedAction | null): string {
  const { kind, symbol } = (logged?.action ?? {}) as { readonly kind?: string; readonly symbol?: string };
  return [kind ?? 'an action', symbol].filter((part) => part !== undefined).join(' ');
}

function* fieldsThatDiffer(path: string, left: unknown, right: unknown): Generator<string> {
  if (JSON.stringify(left) === JSON.stringify(right)) return;
  if (isTree(left) && isTree(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      yield* fieldsThatDiffer(path === '' ? key : `${path}.${key}`, left[key], right[key]);
    }
    return;
  }
  yield `${path} ${shown(left)} in the session, ${shown(right)} in the replay`;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** The last recorded frame or note up to `atMs`, Unix ms. */
export async function lastInput(dir: string, atMs: number): Promise<LastInput | null> {
  const atUs = usOf(atMs);
  let last: FrameRow | null = null;
  for await (const { rows } of readFrames(dir, readManifest(dir), new ReadReport())) {
    for (const row of rows) {
      if (row.receiveUs <= atUs && row.receiveUs >= (last?.receiveUs ?? 0) && isInput(row)) last = row;
    }
  }
  if (last === null) return null;
  return { ...nameOfInput(last), receivedAt: last.receiveUs / 1000 };
}

function isInput({ kind, text }: FrameRow): boolean {
  if (kind === 'public') return readServerMessage(text).kind === 'push';
  if (kind !== 'note') return false;
  const parsed = parseNote(text);
  return parsed.kind === 'note' && parsed.note.note !== 'answer' && parsed.note.note !== 'joined';
}

function nameOfInput({ kind, text }: FrameRow): Omit<LastInput, 'receivedAt'> {
  if (kind === 'note') {
    const parsed = parseNote(text);
    return { stream: parsed.kind === 'note' ? nameOfNote(parsed.note) : 'a note', sequence: null };
  }
  const message = readServerMessage(text);
  return message.kind === 'push'
    ? { stream: message.channel, sequence: message.seq }
    : { stream: message.kind, sequence: null };
}

function nameOfNote(note: RecordingNote): string {
  switch (note.note) {
    case 'told':
      return `${note.of} of ${note.tag}: ${String(note.event['kind'] ?? note.event['name'])}`;
    case 'gap':
      return `${note.open ? 'gap' : 'end of gap'} ${note.symbol}: ${note.reason}`;
    case 'discarded':
      return `book of ${note.symbol} given up: ${note.reason}`;
    case 'lost':
      return `${note.connection} connection lost: ${note.reason}`;
    case 'connected':
      return `${note.connection} connection`;
    default:
      return `session: ${note.note}`;
  }
}
