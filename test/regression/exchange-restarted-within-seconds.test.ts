/**
 * An exchange that came back within five seconds counted from below: on a tape its new snapshot was taken for a late one
 * of the old sequence, the next update for a step back, and both sides of a backtest were blind for the rest of the data.
 */
import { expect, it } from 'vitest';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { publicRow } from '../recording/fixtures.ts';
import { played } from './looker.ts';

const T0 = 1_700_000_000_000;

function depth(seq: number, ms: number, bid: number, ask: number, type = 'update'): FrameRow {
  const [bids, asks] = [[[`${bid}`, '5']], [[`${ask}`, '5']]];
  return publicRow((T0 + ms) * 1000, { channel: 'BTCUSDT@depth', seq, ts: T0 + ms, data: { type, bids, asks } });
}

function note(ms: number, message: object): FrameRow {
  return { receiveUs: (T0 + ms) * 1000, kind: 'note', generation: 1, text: JSON.stringify(message) };
}

const lost = note(1000, { note: 'lost', connection: 'public', reason: 'closed' });
const connected = note(2000, { note: 'connected', connection: 'public' });
const before = [depth(500, 0, 100, 104, 'snapshot'), depth(501, 500, 101, 104)];

it('sees and trades on the book of the exchange that has started again', async () => {
  const after = [depth(3, 2100, 102, 103, 'snapshot'), depth(4, 3000, 102.5, 103), depth(5, 5000, 102.5, 103)];
  expect(await played([...before, lost, connected, ...after])).toEqual({
    mids: [102, 102.5, 102.5, 102.75],
    fills: ['1@103'],
  });
});

it('does so when the book had not been had yet', async () => {
  const after = [depth(3, 2100, 102, 103, 'snapshot'), depth(4, 3000, 102.5, 103), depth(5, 5000, 102.5, 103)];
  const seen = await played([depth(501, 500, 101, 104), lost, connected, ...after]);
  expect(seen).toEqual({ mids: [102.5, 102.75], fills: ['1@103'] });
});

it('keeps the book that goes on after the gap when a late snapshot of it follows', async () => {
  const after = [depth(502, 2100, 102, 104), depth(501, 2200, 90, 110, 'snapshot'), depth(503, 3000, 102, 103)];
  expect(await played([...before, lost, connected, ...after, depth(504, 5000, 102, 103)])).toEqual({
    mids: [102, 102.5, 103, 102.5],
    fills: ['1@103'],
  });
});
