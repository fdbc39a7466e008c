/**
 * An exchange that came back within five seconds counted from below: on a tape its new snapshot was taken for a late one
 * of the old sequence, the next update for a step back, and both sides of a backtest were blind for the rest of the data.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import type { FrameRow } from '../../src/recording/frame-row.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir, publicRow, recordingOf } from '../recording/fixtures.ts';

const T0 = 1_700_000_000_000;

const STRATEGY = `
import { defineStrategy, note, place, z } from 'tidewire';
import { map, merge, timer } from 'rxjs';
const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '1' };
export default defineStrategy({
  name: 'looker',
  params: z.object({}),
  setup: ({ market }) => merge(
    market.top('BTCUSDT').pipe(map(({ mid }) => note('mid', { mid }))),
    timer(3500).pipe(map(() => place(buy))),
  ),
});
`;

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

async function played(rows: readonly FrameRow[]) {
  const { dir } = await recordingOf(rows);
  const file = join(freshDir(), 'looker.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const config = configSchema.parse({});
  const { result } = await backtest({ config, strategies, data: [dir], seed: 1, repeat: 1, logger: silentLogger });
  return {
    mids: result.notes.map(({ data }) => (data as { mid: number }).mid),
    fills: result.fills.map(({ price, quantity }) => `${quantity}@${price}`),
  };
}

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
