/**
 * A recording that says that frames of it are lost, of an exchange whose updates bear no numbers: a backtest went on with the
 * book of before as if nothing were missing, and filled at prices that were long gone.
 */
import { expect, it } from 'vitest';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { publicRow } from '../recording/fixtures.ts';
import { played } from './looker.ts';

const T0 = 1_700_000_000_000;

function depth(ms: number, type: string, bids: readonly string[], asks: readonly string[]): FrameRow {
  const levels = (prices: readonly string[]) => prices.map((price) => [price, '5']);
  const data = { type, bids: levels(bids), asks: levels(asks) };
  return publicRow((T0 + ms) * 1000, { channel: 'BTCUSDT@depth', ts: T0 + ms, data });
}

it('does not go on with a book of which frames are lost', async () => {
  const text = JSON.stringify({ note: 'dropped', frames: 40 });
  const seen = await played([
    depth(0, 'snapshot', ['100'], ['104']),
    depth(500, 'update', ['101'], []),
    { receiveUs: (T0 + 2000) * 1000, kind: 'note', generation: 1, text },
    depth(3000, 'update', ['102'], []),
    depth(4000, 'snapshot', ['110'], ['112']),
    depth(6000, 'update', ['111'], []),
  ]);
  expect(seen).toEqual({ mids: [102, 102.5, 111, 111.5], fills: [] });
});
