/** The list of recordings said that there are no gaps and no damage where a session was killed and resumed. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FrameLog } from '../../src/recording/frames/frames.ts';
import { readManifest, writeManifest } from '../../src/recording/frames/manifest.ts';
import { gapLines, recordingInfo } from '../../src/recording/info.ts';
import { lossesOf } from '../../src/recording/losses.ts';
import { TAPE_FILE } from '../../src/recording/tape/tape-cache.ts';
import { createSession, sessionFiles } from '../../src/session/store/store.ts';
import { verifyRecording } from '../../src/recording/verify.ts';
import { Api } from '../bridge/paper-session.ts';
import { SECRET, served, type Served } from '../bridge/served.ts';
import { freshDir, readAll } from '../recording/fixtures.ts';

const SAMPLE = join(import.meta.dirname, '../../data/sample');
const FIRST = 'frames-000001.twf: was not closed';

interface List {
  readonly recordings: readonly { readonly path: string; readonly problems: readonly string[] }[];
}

let dir = '';
let here: Served;

/** A segment whose writer was killed, and one that a process wrote after it. */
beforeAll(async () => {
  here = await served();
  dir = freshDir();
  const manifest = readManifest(SAMPLE);
  const { rows } = await readAll(SAMPLE, manifest);
  const half = rows.length >> 1;
  const receiveUs = rows[half]!.receiveUs;
  const connected = {
    receiveUs,
    kind: 'note',
    generation: 1,
    text: '{"note":"connected","connection":"public"}',
  } as const;
  const segments = [];
  for (const part of [rows.slice(0, half), [connected, ...rows.slice(half + 500)]]) {
    const log = new FrameLog({ dir, compress: true, clock: null });
    for (const row of part) log.append(row);
    segments.push(...(await log.close()).segments);
  }
  writeManifest(dir, { ...manifest, segments: segments.slice(1) });
});

afterAll(() => here.close());

it('recording/losses: says what `data verify` and `data info` say, and writes no tape', async () => {
  const found = await lossesOf(dir, false);
  expect(existsSync(join(dir, TAPE_FILE))).toBe(false);
  const { problems } = await verifyRecording(dir);
  const { symbols } = await recordingInfo(dir);
  const gaps = gapLines(Object.entries(symbols));
  expect(found).toEqual([...problems, ...gaps]);
  expect(found).toEqual([expect.stringContaining(FIRST), expect.stringMatching(/^gaps .*: \w+ [1-9]/)]);
  rmSync(join(dir, TAPE_FILE));
  expect(await lossesOf(SAMPLE, false)).toEqual([]);
});

it('recording/losses: the end of one that grows is no damage', async () => {
  const growing = freshDir();
  cpSync(dir, growing, { recursive: true });
  writeManifest(growing, { ...readManifest(growing), segments: [] });
  const endsOf = async (isGrowing: boolean): Promise<number> =>
    (await lossesOf(growing, isGrowing)).filter((text) => text.includes('was not closed')).length;
  expect([await endsOf(false), await endsOf(true)]).toEqual([2, 1]);
});

it('bridge/recordings: lists gaps and damage, and again what a file has become', async () => {
  const { path } = createSession(here.root, {
    mode: 'paper',
    strategies: [{ name: 's', tag: 's', file: 's.ts', params: {} }],
    seed: 1,
    account: 'paper',
    exchange: 'sandbox',
    now: 1,
    suffix: 'x',
  });
  const recording = join(path, sessionFiles.recording);
  cpSync(SAMPLE, recording, { recursive: true });
  const api = new Api({ url: here.server.url, token: SECRET });
  const problems = async (): Promise<readonly string[] | undefined> => {
    let listed: readonly string[] | undefined;
    await expect
      .poll(async () => {
        listed = (await api.get<List>('/recordings')).recordings.find((row) => row.path === recording)?.problems;
        return listed?.some((text) => text.includes('still being read'));
      })
      .toBe(false);
    return listed;
  };
  expect(await problems()).toEqual([]);
  rmSync(recording, { recursive: true });
  cpSync(dir, recording, { recursive: true });
  expect(await problems()).toEqual(await lossesOf(dir, false));
});
