/**
 * A process that stood still runs the timers that are overdue, tells what is stale, and takes the frame that waited, all in one turn:
 * what a strategy awaits in those timers runs after the frame. The replay let it run before, where the session had noted a gap
 * ahead of the join. Found by a test that was unsteady under load (`awaiting.test.ts`, "frequent timers").
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { SESSION_NOTES_FORMAT, type RecordingNote } from '../../src/recording/frames/note.ts';
import { createRecorder } from '../../src/recording/frames/recorder.ts';
import { playRecording } from '../../src/session/replay/player.ts';
import { lastProcess } from '../../src/session/replay/session-inputs.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { BTC } from '../execution/rig.ts';
import { ManualClock } from '../exchange/clocks.ts';

const file = join(import.meta.dirname, '..', 'session', 'replay', 'strategies', 'awaiting.ts');
const T = 1_795_000_000_000_000;
const WOKE = T + 5_000_000;

it('run after the frame that the session took in the same turn', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-stall-'));
  const strategies = await prepareStrategies({ file, params: { begins: 'frequent timers' }, entries: [] });
  const [strategy] = strategies;
  if (strategy === undefined) throw new Error('no strategy');
  const clock = new ManualClock(T / 1000);
  const recorder = createRecorder({ dir, clock, instruments: [BTC, { ...BTC, symbol: 'ETHUSDT', base: 'ETH' }] });
  const note = (us: number, what: RecordingNote): void => recorder.note(what, 0, us);
  const book = (us: number, seq: number, bid: string, ask: string): void => {
    const data = { type: 'snapshot', bids: [[bid, '1']], asks: [[ask, '1']] };
    recorder.frame('public', JSON.stringify({ channel: 'BTCUSDT@depth', seq, ts: us / 1000, data }), us, 1);
  };
  const { tag, loaded, params } = strategy;
  const known = [{ tag, file, code: loaded.hash, params }];
  note(T, { note: 'session', format: SESSION_NOTES_FORMAT, seed: 1, account: true, strategies: known });
  note(T, { note: 'began', at: [0, 0] });
  book(T + 2_000, 1, '99', '101');
  note(WOKE, { note: 'stalled', at: [1, 0] });
  const gap = { note: 'gap', symbol: 'BTCUSDT', reason: 'silent', fromUs: T + 2_000 } as const;
  note(WOKE, { ...gap, at: [1, 0], open: true });
  note(WOKE, { note: 'discarded', at: [2, 0], symbol: 'BTCUSDT', reason: 'silent' });
  note(WOKE, { note: 'joined', at: [2, 0], toUs: WOKE });
  book(WOKE, 2, '199', '201');
  note(WOKE, { ...gap, at: [2, 0], open: false });
  note(WOKE + 500, { note: 'stopping', at: [4, 2], reason: 'end' });
  expect((await recorder.close()).failure).toBeNull();

  const seen: unknown[] = [];
  const recording = await lastProcess(dir);
  const onActions = (ts: number, _: string, actions: readonly object[]): void => void seen.push([ts, ...actions]);
  await playRecording({ recording: recording!, strategies, logger: silentLogger, onActions });
  const decided = (text: string) => [WOKE / 1000, expect.objectContaining({ text, data: { latest: 200 } })];
  expect(seen).toEqual([decided('three'), decided('seven')]);
  rmSync(dir, { recursive: true });
});
