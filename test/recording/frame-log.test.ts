import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_KINDS, type FrameRow } from '../../src/recording/frames/frame-row.ts';
import { FrameLog } from '../../src/recording/frames/frames.ts';
import { freshDir, manifestOf, readAll, recordingOf } from './fixtures.ts';

const row: fc.Arbitrary<FrameRow> = fc.record({
  receiveUs: fc.integer({ min: 0, max: 2 ** 53 - 1 }),
  kind: fc.constantFrom(...FRAME_KINDS),
  generation: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  text: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed()),
});

function numbered(count: number): FrameRow[] {
  return Array.from({ length: count }, (_, index) => ({
    receiveUs: 1000 + index,
    kind: 'public' as const,
    generation: 1,
    text: `frame ${index} ${'x'.repeat(index % 17)}`,
  }));
}

describe('the raw frame log', () => {
  it('gives back exactly the frames that were written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 40 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 400 }),
        async (rows, compress, blockBytes) => {
          const { dir, summary } = await recordingOf(rows, manifestOf(), {
            compress,
            blockBytes,
            maxSegmentBytes: 900,
          });
          const read = await readAll(dir, manifestOf({ segments: [...summary.segments] }));
          expect(read.rows).toEqual(rows);
          expect(read.report.problems).toEqual([]);
          expect(summary.frames).toBe(rows.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('uses every whole block of a file that is torn at any byte, and says what is lost', async () => {
    const rows = numbered(30);
    const { dir, summary } = await recordingOf(rows, manifestOf(), { blockBytes: 200 });
    const name = summary.segments[0]?.file ?? '';
    const size = statSync(join(dir, name)).size;
    const boundaries = await wholeRowsBySize(dir, name, size);
    const torn = freshDir();
    for (let bytes = 0; bytes < size; bytes++) {
      copyFileSync(join(dir, name), join(torn, name));
      truncateSync(join(torn, name), bytes);
      const crashed = await readAll(torn, manifestOf());
      expect(crashed.rows).toEqual(rows.slice(0, boundaries(bytes)));
      const closed = await readAll(torn, manifestOf({ segments: [...summary.segments] }));
      expect(closed.report.frames + closed.report.lostFrames).toBe(rows.length);
      expect(closed.report.problems.length).toBeGreaterThan(0);
    }
  });

  it('loses only the block whose bytes are flipped', async () => {
    const rows = numbered(40);
    const { dir, summary } = await recordingOf(rows, manifestOf(), { blockBytes: 200 });
    const name = summary.segments[0]?.file ?? '';
    const whole = readFileSync(join(dir, name));
    const broken = freshDir();
    for (let at = 0; at < whole.length; at += 3) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x41, at);
      writeFileSync(join(broken, name), bytes);
      const { rows: read, report } = await readAll(broken, manifestOf({ segments: [...summary.segments] }));
      expect(report.lostFrames).toBeGreaterThan(0);
      expect(report.lostFrames).toBeLessThanOrEqual(12);
      expect(read.length + report.lostFrames).toBe(rows.length);
      expect(rows.filter((candidate) => read.some((found) => found.text === candidate.text))).toEqual(read);
      expect(report.problems.length).toBeGreaterThan(0);
    }
  });

  it('tells a missing segment file', async () => {
    const { dir, summary } = await recordingOf(numbered(40), manifestOf(), { blockBytes: 200, maxSegmentBytes: 300 });
    expect(summary.segments.length).toBeGreaterThan(2);
    const gone = summary.segments[1];
    rmSync(join(dir, gone?.file ?? ''));
    const { report, losses } = await readAll(dir, manifestOf({ segments: [...summary.segments] }));
    expect(report.lostFrames).toBe(gone?.frames);
    expect(losses).toBe(1);
  });

  it('drops and counts frames beyond its bound, says so in the recording, and goes on', async () => {
    const dir = freshDir();
    const failures: string[] = [];
    const log = new FrameLog({
      dir,
      compress: false,
      clock: null,
      blockBytes: 100,
      maxPendingBytes: 1000,
      onFailure: (failure) => failures.push(failure.code),
    });
    for (const frame of numbered(200)) log.append(frame);
    expect(log.dropped).toBeGreaterThan(0);
    while (log.frames + log.dropped < 201) {
      await log.drain();
      await new Promise((resolve) => setImmediate(resolve));
      log.append({ receiveUs: 9999, kind: 'public', generation: 1, text: 'after' });
      if (log.frames > 0 && log.dropped > 0) break;
    }
    const summary = await log.close();
    expect(failures[0]).toBe('recording_overrun');
    expect(summary.failure).toBeNull();
    const { rows } = await readAll(dir, manifestOf({ segments: [...summary.segments] }));
    expect(rows.length).toBe(summary.frames);
  });

  it('reports a directory that cannot be written to once, and never throws into the stream', async () => {
    const dir = join(freshDir(), 'gone');
    mkdirSync(dir);
    const failures: string[] = [];
    const log = new FrameLog({
      dir,
      compress: true,
      clock: null,
      blockBytes: 50,
      onFailure: (f) => failures.push(f.code),
    });
    rmSync(dir, { recursive: true });
    for (const frame of numbered(50)) log.append(frame);
    const summary = await log.close();
    expect(failures).toEqual(['recording_write_failed']);
    expect(summary.failure?.code).toBe('recording_write_failed');
    expect(summary.frames).toBe(0);
    expect(summary.dropped).toBe(50);
  });
});

/** Rows that lie in blocks that are whole within the first `bytes`. */
async function wholeRowsBySize(dir: string, name: string, size: number): Promise<(bytes: number) => number> {
  const bytes = readFileSync(join(dir, name));
  const ends: [number, number][] = [];
  let at = 0;
  let count = 0;
  while (at < size) {
    count += bytes.readUInt32LE(at + 16);
    at += 40 + bytes.readUInt32LE(at + 8);
    ends.push([at, count]);
  }
  return (limit) => ends.filter(([end]) => end <= limit).at(-1)?.[1] ?? 0;
}
