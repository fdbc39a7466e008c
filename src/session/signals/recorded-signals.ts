/** Signals of a backtest: those of a file whose lines all give a `ts`, or others with their times. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import { messageOf } from '../../model/errors.ts';
import { usOf } from '../../model/time.ts';
import type { VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import { sessionErrors } from '../errors.ts';
import type { SignalInbox } from './inbox.ts';
import { LINE_BYTES_MAX, parseSignalLine } from './signal-line.ts';

const FILE_BYTES_MAX = 256 * 2 ** 20;
const TOLD_MAX = 20;

export interface DueSignal {
  readonly dueUs: number;
  readonly signal: InboundSignal;
}

export interface RecordedSignals {
  /** In order of their times. */
  readonly signals: readonly DueSignal[];
  /** SHA-256 of the file, hex. */
  readonly hash: string;
  /** Of the file; absent where a session recorded them. */
  readonly path?: string;
  /** A sentence for each line that is no signal. */
  readonly warnings: readonly string[];
}

/** Throws `signal_file_unreadable`. */
export function readSignals(path: string): RecordedSignals {
  const text = textOf(path);
  const warnings: string[] = [];
  const signals: InboundSignal[] = [];
  const seen = new Set<string>();
  let at = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const parsed = line.trim() === '' ? undefined : lineOf(line, at, seen);
    at += Buffer.byteLength(line) + 1;
    if (typeof parsed === 'string') warnings.push(`${path}:${index + 1} is not delivered: ${parsed}`);
    else if (parsed !== undefined) signals.push(parsed);
  }
  const more = warnings.length - TOLD_MAX;
  return {
    signals: signals
      .toSorted((left, right) => left.ts - right.ts)
      .map((signal) => ({ signal, dueUs: usOf(signal.ts) })),
    hash: createHash('sha256').update(text).digest('hex'),
    path,
    warnings: more > 0 ? [...warnings.slice(0, TOLD_MAX), `${path}: ${more} more lines are not delivered`] : warnings,
  };
}

function lineOf(line: string, at: number, seen: Set<string>): InboundSignal | string {
  if (Buffer.byteLength(line) > LINE_BYTES_MAX) return `it has more than ${LINE_BYTES_MAX} bytes`;
  const parsed = parseSignalLine(line, at);
  if (typeof parsed === 'string') return parsed;
  const { ts } = parsed;
  if (ts === undefined) return 'it gives no ts: a backtest cannot know when it came';
  const key = `${parsed.name} ${parsed.id}`;
  if (seen.has(key)) return `signal ${key} was delivered before`;
  seen.add(key);
  return Object.freeze({ ...parsed, ts });
}

/** Of a file whose signals lie outside the run. Unix ms. */
export function signalsOutside(
  { path, signals }: Pick<RecordedSignals, 'path' | 'signals'>,
  from: number,
  to: number,
): readonly string[] {
  const count = signals.filter(({ signal: { ts } }) => ts < from || ts > to).length;
  if (path === undefined || count === 0) return [];
  const times = [from, to].map((ms) => new Date(ms).toISOString());
  return [`${path}: ${count} ${count === 1 ? 'line is' : 'lines are'} not delivered: not from ${times.join(' to ')}`];
}

/** What came before the clock's time is not delivered. */
export function scheduleSignals(
  signals: readonly DueSignal[],
  clock: Pick<VirtualClock, 'nowUs' | 'schedule'>,
  inbox: SignalInbox,
): void {
  for (const { dueUs, signal } of signals)
    if (dueUs >= clock.nowUs()) clock.schedule(dueUs, 'delivery', () => inbox.accept(signal));
}

function textOf(path: string): string {
  try {
    if (statSync(path).size > FILE_BYTES_MAX) throw new RangeError(`it has more than ${FILE_BYTES_MAX / 2 ** 20} MiB`);
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    throw sessionErrors.make('signal_file_unreadable', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}
