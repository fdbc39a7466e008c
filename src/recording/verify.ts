/** `data verify`: decodes every frame, uncached. Sequence gaps are no failures: the command counts them beside. */
import { isTidewireError } from '../model/errors.ts';
import { Instruments } from '../model/market/instrument.ts';
import type { MarketSink } from '../model/market/market-event.ts';
import { createDecoder } from './compile/decode.ts';
import { readFrames } from './frames/frame-reader.ts';
import { locate } from './locate.ts';
import { readManifest } from './frames/manifest.ts';
import { ReadReport } from './frames/read-report.ts';
import { TapeFile } from './tape/tape-file.ts';

export interface VerifyResult {
  readonly ok: boolean;
  readonly frames: number;
  /** Frames known to be lost. */
  readonly lost: number;
  /** False: `lost` is a minimum. */
  readonly lostKnown: boolean;
  readonly lostBytes: number;
  readonly undecoded: number;
  /** Frames without market event, by kind. */
  readonly ignored: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const WHOLE: VerifyResult = {
  ok: true,
  frames: 0,
  lost: 0,
  lostKnown: true,
  lostBytes: 0,
  undecoded: 0,
  ignored: {},
  problems: [],
};

/** @throws recording_not_found */
export async function verifyRecording(path: string, progress?: (frames: number) => void): Promise<VerifyResult> {
  let result = WHOLE;
  for (const place of locate(path)) {
    const part = place.kind === 'tape' ? verifyTape(place.path) : await verifyFrames(place.path, progress);
    result = joined(result, part);
  }
  return result;
}

/** `sink` gets what is decoded, and a gap for each loss. */
export async function verifyFrames(
  dir: string,
  progress?: (frames: number) => void,
  sink: MarketSink = () => {},
): Promise<VerifyResult> {
  const manifest = readManifest(dir);
  const report = new ReadReport();
  const decoder = createDecoder(manifest, new Instruments(manifest.instruments));
  for await (const block of readFrames(dir, manifest, report)) {
    const first = block.rows[0];
    if (block.lossBefore && first !== undefined) decoder.loss(first.receiveUs, sink);
    for (const row of block.rows) decoder.row(row, sink);
    progress?.(report.frames);
  }
  const { failed, samples, ignored } = decoder.report;
  const problems = [...manifest.problems, ...report.listed()];
  if (failed > 0) problems.push(`${failed} frames cannot be decoded, first: ${samples.slice(0, 3).join(' · ')}`);
  return {
    ok: problems.length === 0,
    frames: report.frames,
    lost: report.lostFrames,
    lostKnown: report.lostFramesKnown,
    lostBytes: report.lostBytes,
    undecoded: failed,
    ignored: Object.fromEntries(ignored),
    problems,
  };
}

function verifyTape(path: string): VerifyResult {
  try {
    const file = TapeFile.open(path);
    try {
      file.verify();
      const { frames, lostFrames, lostFramesKnown, lostBytes, undecoded, problems } = file.footer;
      return {
        ok: problems.length === 0,
        frames,
        lost: lostFrames,
        lostKnown: lostFramesKnown,
        lostBytes,
        undecoded,
        ignored: {},
        problems,
      };
    } finally {
      file.close();
    }
  } catch (thrown) {
    if (!isTidewireError(thrown)) throw thrown;
    return { ...WHOLE, ok: false, lostKnown: false, problems: [thrown.message] };
  }
}

function joined(a: VerifyResult, b: VerifyResult): VerifyResult {
  const ignored: Record<string, number> = { ...a.ignored };
  for (const [kind, count] of Object.entries(b.ignored)) ignored[kind] = (ignored[kind] ?? 0) + count;
  return {
    ok: a.ok && b.ok,
    frames: a.frames + b.frames,
    lost: a.lost + b.lost,
    lostKnown: a.lostKnown && b.lostKnown,
    lostBytes: a.lostBytes + b.lostBytes,
    undecoded: a.undecoded + b.undecoded,
    ignored,
    problems: [...a.problems, ...b.problems],
  };
}
