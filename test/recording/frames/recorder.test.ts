import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';
import { createRecorder } from '../../../src/recording/frames/recorder.ts';
import { readManifest } from '../../../src/recording/frames/manifest.ts';
import { verifyRecording } from '../../../src/recording/verify.ts';
import { BTC, freshDir, readAll } from '../fixtures.ts';

const clock = createSystemClock();

describe('the recorder', () => {
  it('writes frames and notes, and continues its own recording in a new segment', async () => {
    const dir = join(freshDir(), 'rec');
    for (const pass of [1, 2]) {
      const recorder = createRecorder({ dir, clock, instruments: [BTC] });
      recorder.note({ note: 'connected', connection: 'public' });
      recorder.frame('public', `{"pong":${pass}}`, 5, pass);
      expect((await recorder.close()).failure).toBeNull();
    }
    const manifest = readManifest(dir);
    expect(manifest.segments.map((segment) => segment.frames)).toEqual([2, 2]);
    const { rows } = await readAll(dir, manifest);
    expect(rows.map((row) => row.kind)).toEqual(['note', 'public', 'note', 'public']);
    expect(await verifyRecording(dir)).toMatchObject({ ok: true, frames: 4, lost: 0, problems: [] });
  });

  it('leaves private frames out when told so, and masks session tokens otherwise', async () => {
    const quiet = createRecorder({ dir: join(freshDir(), 'rec'), clock, instruments: [BTC], private: false });
    quiet.frame('private', '{}', 1, 1);
    expect((await quiet.close()).frames).toBe(0);
    const dir = join(freshDir(), 'rec');
    const recorder = createRecorder({ dir, clock, instruments: [BTC] });
    recorder.frame('private', '{"token": "canary-token","ok":true}', 1, 1);
    await recorder.close();
    const { rows } = await readAll(dir, readManifest(dir));
    expect(rows[0]?.text).toBe('{"token": "***","ok":true}');
  });

  it('refuses to continue a recording with another grid', async () => {
    const dir = join(freshDir(), 'rec');
    await createRecorder({ dir, clock, instruments: [BTC] }).close();
    expect(() => createRecorder({ dir, clock, instruments: [{ ...BTC, tickSize: '0.5' }] })).toThrow(
      /cannot be continued/,
    );
  });
});
