/** What the strategies of a session had beside the market and the account, for a backtest over its recording. */
import { createHash } from 'node:crypto';
import { deepFrozen } from '../../model/plain-data.ts';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import type { Candle } from '../../model/market/views.ts';
import { readFrames } from '../../recording/frames/frame-reader.ts';
import { readManifest } from '../../recording/frames/manifest.ts';
import { parseNote, type RecordingNote } from '../../recording/frames/note.ts';
import { ReadReport } from '../../recording/frames/read-report.ts';
import type { DueSignal, RecordedSignals } from '../signals/recorded-signals.ts';
import type { Warmup } from '../feed/warmup.ts';
import { answerOf } from './answer-text.ts';
import { ranWithOf, type RanWith } from './changed-since.ts';

export interface RecordedInputs {
  /** At their receipt; null without any. */
  readonly signals: Pick<RecordedSignals, 'signals' | 'hash'> | null;
  /** Of the last start; empty in a recording without the account. */
  readonly warmup: Warmup;
  /** Null for a recording without notes. */
  readonly ranWith: RanWith | null;
}

/** In the notes that are read. */
const SIGNS = ['"of":"signal"', '"ask":"warmup"', '"note":"session"', '"note":"inputs"'];

export async function inputsOfRecording(dir: string): Promise<RecordedInputs> {
  const heard = new Map<string, DueSignal>();
  const warmup = new Map<string, ReadonlyMap<string, readonly Candle[]>>();
  let ranWith: RanWith | null = null;
  for await (const { rows } of readFrames(dir, readManifest(dir), new ReadReport())) {
    for (const { kind, text, receiveUs } of rows) {
      if (kind !== 'note' || !SIGNS.some((sign) => text.includes(sign))) continue;
      const parsed = parseNote(text);
      if (parsed.kind === 'note') take(parsed.note, receiveUs);
    }
  }
  function take(note: RecordingNote, receiveUs: number): void {
    if (note.note === 'session' || note.note === 'inputs') ranWith = ranWithOf(ranWith, note);
    else if (note.note === 'answer') {
      const candles = answerOf(note.answer, receiveUs) as readonly (readonly [string, readonly Candle[]])[] | undefined;
      warmup.set(note.tag, new Map(candles));
    } else if (note.note === 'told') {
      // Each strategy received it.
      const signal = note.event as unknown as InboundSignal;
      const key = `${signal.name} ${signal.id}`;
      if (!heard.has(key)) heard.set(key, { dueUs: receiveUs, signal: deepFrozen(signal) });
    }
  }
  return { warmup, ranWith, signals: heard.size === 0 ? null : withHash([...heard.values()]) };
}

function withHash(signals: readonly DueSignal[]): RecordedInputs['signals'] {
  return { signals, hash: createHash('sha256').update(JSON.stringify(signals)).digest('hex') };
}
