/**
 * Records a live session. After creation no call throws or waits; the first failure goes to `onFailure`. Session tokens
 * are masked.
 */
import type { TidewireError } from '../../model/errors.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import type { SequenceRule } from '../../model/market/market-event.ts';
import type { Clock } from '../../model/ports.ts';
import { recordingErrors } from '../errors.ts';
import { makeRecordingFolder } from './folder.ts';
import type { FrameKind } from './frame-row.ts';
import { FrameLog, type FrameLogSummary } from './frames.ts';
import { hasManifest, type Manifest, MANIFEST_FORMAT, readManifest, writeManifest } from './manifest.ts';
import type { RecordingNote } from './note.ts';

export interface RecorderOptions {
  /** An own recording is continued in a new segment. */
  readonly dir: string;
  readonly clock: Clock;
  readonly instruments: readonly InstrumentSpec[];
  /** By symbol; default `seq`. */
  readonly rules?: Readonly<Record<string, SequenceRule>>;
  readonly compress?: boolean;
  /** Keep private frames (config `recording.private`). */
  readonly private?: boolean;
  /** On the first write failure, and when dropping starts. */
  readonly onFailure?: (failure: TidewireError) => void;
}

export interface Recorder {
  readonly dir: string;
  readonly frames: number;
  /** Frames missing in the recording. */
  readonly dropped: number;
  readonly failure: TidewireError | null;
  /** Before the first frame of an instrument that the options do not have. */
  cover(instrument: InstrumentSpec): void;
  /** `receiveUs`: local clock; `generation`: connection count. */
  frame(kind: Exclude<FrameKind, 'note'>, text: string, receiveUs: number, generation: number): void;
  /** `receiveUs`: default now. */
  note(note: RecordingNote, generation?: number, receiveUs?: number): void;
  /** Flushes and syncs. Never rejects: see `failure`. */
  close(): Promise<FrameLogSummary>;
}

/** @throws recording_exists, recording_write_failed, recording_manifest_invalid */
export function createRecorder(options: RecorderOptions): Recorder {
  let manifest = manifestFor(options);
  makeRecordingFolder(options.dir);
  writeManifest(options.dir, manifest);
  const log = new FrameLog({
    dir: options.dir,
    compress: options.compress ?? true,
    clock: options.clock,
    ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
  });
  const keepPrivate = options.private ?? true;
  return {
    dir: options.dir,
    get frames() {
      return log.frames;
    },
    get dropped() {
      return log.dropped;
    },
    get failure() {
      return log.failure;
    },
    cover(spec) {
      if (manifest.symbols.includes(spec.symbol)) return;
      manifest = covering(manifest, spec, options.rules);
      try {
        writeManifest(options.dir, manifest);
      } catch (thrown) {
        options.onFailure?.(unwritten(options.dir, thrown));
      }
    },
    frame(kind, text, receiveUs, generation) {
      if (kind === 'private' && !keepPrivate) return;
      log.append({ receiveUs, kind, generation, text: kind === 'public' ? text : maskTokens(text) });
    },
    note(note, generation = 0, receiveUs = options.clock.nowUs()) {
      log.append({ receiveUs, kind: 'note', generation, text: JSON.stringify(note) });
    },
    close: () => closeRecording(options.dir, manifest, log),
  };
}

async function closeRecording(dir: string, manifest: Manifest, log: FrameLog): Promise<FrameLogSummary> {
  const summary = await log.close();
  try {
    writeManifest(dir, { ...manifest, segments: [...manifest.segments, ...summary.segments] });
    return summary;
  } catch (thrown) {
    return { ...summary, failure: summary.failure ?? unwritten(dir, thrown) };
  }
}

function unwritten(dir: string, thrown: unknown): TidewireError {
  return recordingErrors.make('recording_write_failed', `${dir}: the manifest was not completed`, {}, thrown);
}

function covering(manifest: Manifest, spec: InstrumentSpec, rules: RecorderOptions['rules'] = {}): Manifest {
  const { symbol } = spec;
  return {
    ...manifest,
    symbols: [...manifest.symbols, symbol],
    instruments: [...manifest.instruments, { ...spec }],
    rules: { ...manifest.rules, [symbol]: rules[symbol] ?? 'seq' },
  };
}

function manifestFor(options: RecorderOptions): Manifest {
  const symbols = options.instruments.map((instrument) => instrument.symbol);
  const rules = Object.fromEntries(symbols.map((symbol) => [symbol, options.rules?.[symbol] ?? 'seq'] as const));
  const fresh: Manifest = {
    format: MANIFEST_FORMAT,
    source: 'tidewire',
    created: Math.floor(options.clock.now()),
    symbols,
    instruments: options.instruments.map((spec) => ({ ...spec })),
    rules,
    options: { compress: options.compress ?? true },
    inputs: [],
    warnings: [],
    problems: [],
    segments: [],
  };
  return hasManifest(options.dir) ? continued(options.dir, readManifest(options.dir), fresh) : fresh;
}

function continued(dir: string, old: Manifest, fresh: Manifest): Manifest {
  const same = old.source === 'tidewire' && old.instruments.every((spec) => agrees(spec, fresh));
  if (!same) {
    throw recordingErrors.make(
      'recording_exists',
      `${dir} holds a recording of ${old.symbols.join(', ')} (${old.source}) that cannot be continued with ${fresh.symbols.join(', ')}`,
      { path: dir },
    );
  }
  return { ...fresh, created: old.created, segments: old.segments };
}

function agrees(spec: Manifest['instruments'][number], fresh: Manifest): boolean {
  const now = fresh.instruments.find((other) => other.symbol === spec.symbol);
  return (
    now !== undefined && now.tickSize === spec.tickSize && now.lotSize === spec.lotSize && now.market === spec.market
  );
}

const TOKEN = /("(?:token|listenKey|accessToken|refreshToken|signature|secretKey)"\s*:\s*")[^"]*(")/gi;

function maskTokens(text: string): string {
  return text.replace(TOKEN, '$1***$2');
}
