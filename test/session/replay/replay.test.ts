/**
 * Twelve paper sessions and two live ones, recorded against the sandbox, are shown to their strategies again and decide the
 * same: spot and perpetual, with holes in the stream, a cut socket, an exchange that refuses, and a process that stood still.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import { readFrames } from '../../../src/recording/frames/frame-reader.ts';
import { readManifest } from '../../../src/recording/frames/manifest.ts';
import { ReadReport } from '../../../src/recording/frames/read-report.ts';
import { replaySession } from '../../../src/session/replay/replay.ts';
import { sessionFiles } from '../../../src/session/store/store.ts';
import { recordedSession, type SessionPlan } from './sandbox-session.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const viewing = join(import.meta.dirname, 'strategies', 'viewing.ts');
const reactive = join(import.meta.dirname, 'strategies', 'reactive.ts');
const programmed = join(import.meta.dirname, 'strategies', 'programmed.ts');
const maker = join(root, 'strategies', 'spread-maker.ts');
const perpetual = { symbol: 'BTCUSDTPERP', quantity: '0.01' };
const paper = { mode: 'paper', forMs: 4000 } as const;
const hole = { afterMs: 1500, rules: [{ fault: 'gap', match: { channel: '*' }, times: 20 }] };
const cut = { afterMs: 2000, rules: [{ fault: 'disconnect', match: { channel: '*' }, times: 1 }] };
const mute = { afterMs: 1000, rules: [{ fault: 'mute', match: { channel: '*' }, times: 150 }] };
const overload = [
  { fault: 'rateLimit', match: { path: '/api/v2/exchange/client/order/*' }, ms: 500, times: 3 },
  { fault: 'status', match: { method: 'POST', path: '/api/v2/exchange/client/order/*' }, status: 503, times: 3 },
];

interface Recording extends Omit<SessionPlan, 'seed'> {
  /** What must be in the recording, so that the session had what it is named after. */
  readonly has: readonly RegExp[];
}

const fills = /"kind":"fill"/;
const answers = /"ask":"position/;
const unknown = /"text":"view","data":\{"bid":null/;
const held = /"quantity":"0.002","kind":"target"/;
const lost = /"note":"lost","connection":"public"/;
const missing = /messages are missing/;

const plans: Readonly<Record<string, Recording>> = {
  'a maker': { ...paper, file: maker, params: { halfSpreadBps: '0.5' }, has: [/"note":"began"/] },
  'looks by the clock and samples': { ...paper, file: viewing, faults: [hole], has: [unknown, held] },
  'all that a strategy is told': { ...paper, file: reactive, has: [fills, answers, /"state":"canceled"/] },
  'another seed of it': { ...paper, file: reactive, params: { quantity: '0.02' }, has: [fills, answers] },
  'another symbol of it': { ...paper, file: reactive, params: { symbol: 'ETHUSDT' }, has: [fills, answers] },
  'a perpetual': { ...paper, file: reactive, params: perpetual, has: [fills, answers] },
  'a hole in the stream': { ...paper, file: reactive, faults: [hole], has: [fills, missing] },
  'a cut socket': { ...paper, file: reactive, faults: [cut], has: [fills, lost, /"note":"discarded"/] },
  'a hole and a reconnect on a perpetual': {
    ...paper,
    file: reactive,
    params: perpetual,
    faults: [hole, cut],
    has: [fills, lost, missing],
  },
  'a mute stream': { ...paper, forMs: 8000, file: reactive, faults: [mute], has: [/depth is stale/] },
  'a process that stood still': {
    ...paper,
    file: reactive,
    stall: { afterMs: 2000, ms: 3000 },
    has: [/"note":"stalled"/],
  },
  'a live account': { mode: 'live', forMs: 4000, file: reactive, has: [fills, answers] },
  'an exchange that refuses a live account': {
    mode: 'live',
    forMs: 6000,
    file: reactive,
    faults: [{ afterMs: 1500, rules: overload }, cut],
    has: [fills, lost, /"state":"(unknown|rejected)"/],
  },
  // New ones at the end: the place of a plan is its seed.
  'order programs and what is told of them': {
    ...paper,
    file: programmed,
    faults: [cut],
    has: [fills, lost, /"state":"done"/, /"leg":"takeProfit/],
  },
};

/** What a session was told and what it decided, as text. */
async function textOf(path: string): Promise<string> {
  const dir = join(path, sessionFiles.recording);
  const lines = [readFileSync(join(path, sessionFiles.actions), 'utf8')];
  for await (const { rows } of readFrames(dir, readManifest(dir), new ReadReport())) {
    for (const { kind, text } of rows) if (kind === 'note') lines.push(text);
  }
  return lines.join('\n');
}

describe('a recorded session decides the same again', () => {
  for (const [index, [name, { has, ...plan }]] of Object.entries(plans).entries()) {
    it(`with ${name}`, async () => {
      const { folder, config } = await recordedSession({ ...plan, seed: index + 1 });
      const text = await textOf(folder.path);
      for (const sign of has) expect(text).toMatch(sign);
      const report = await replaySession({ folder, config, logger: silentLogger });
      expect(report.first, JSON.stringify(report.first)).toBeNull();
      expect(report.account).toBe('recorded');
      expect(report.left).toBeGreaterThan(5);
      expect(report.right).toBe(report.left);
      expect(report.warnings).toEqual([]);
    });
  }

  it('and a strategy that fails in the replay alone is named with its error', async () => {
    const file = join(import.meta.dirname, 'strategies', 'reading.ts');
    const { folder, config } = await recordedSession({ mode: 'paper', file, seed: 61, forMs: 3000 });
    const replayed = await replaySession({ folder, config, logger: silentLogger });
    expect(replayed).toMatchObject({ left: 3, right: 0 });
    expect(replayed.warnings.join()).toContain('reading fails in the replay: ');
  });

  it('and what differs first is named with its instant, the input before it and the fields', async () => {
    const { folder, config } = await recordedSession({
      ...paper,
      file: maker,
      seed: 30,
      params: { halfSpreadBps: '1' },
    });
    const file = join(folder.path, sessionFiles.actions);
    const lines = readFileSync(file, 'utf8').split('\n');
    const changed = lines[4]!.replace('"quantity":"0.001"', '"quantity":"0.002"');
    const before = lines[0]!.replace(/"ts":[\d.]+/, '"ts":1');
    writeFileSync(file, [before, before, ...lines.slice(0, 4), changed, ...lines.slice(5)].join('\n'));
    const { first, equal, warnings } = await replaySession({ folder, config, logger: silentLogger });
    expect(warnings).toContain('2 decisions of earlier processes of the session are not compared');
    expect(equal).toBe(4);
    expect(first).toMatchObject({ index: 4, at: first?.left?.ts });
    expect(first?.reason).toBe(
      'both decided on quote BTCUSDT, with other values: bids.0.quantity "0.002" in the session, "0.001" in the replay',
    );
    expect(first?.input).toMatchObject({ stream: expect.stringContaining('BTCUSDT@'), sequence: expect.any(Number) });
    expect(first!.input!.receivedAt).toBeLessThanOrEqual(first!.at);
  });
});
