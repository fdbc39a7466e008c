import { describe, expect, it } from 'vitest';
import type { FrameRow } from '../../../src/recording/frames/frame-row.ts';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import { publicRow, recordingOf } from '../fixtures.ts';

const T0 = 1_700_000_000_000;

function trade(seq: number, ms: number): FrameRow {
  const data = [{ tradeId: String(seq), price: '100', quantity: '1', side: 'buy', ts: T0 + ms }];
  return publicRow((T0 + ms) * 1000 + 2000, { channel: 'BTCUSDT@trades', seq, ts: T0 + ms, data });
}

function depth(seq: number, ms: number): FrameRow {
  const data = { type: 'snapshot', bids: [['99', '1']], asks: [['101', '1']] };
  return publicRow((T0 + ms) * 1000 + 2000, { channel: 'BTCUSDT@depth', seq, ts: T0 + ms, data });
}

async function warningsOf(...rows: readonly (readonly FrameRow[])[]): Promise<readonly string[]> {
  const paths = [];
  for (const each of rows) paths.push((await recordingOf([...each])).dir);
  const tape = await openTape(paths);
  tape.close();
  return tape.warnings.filter((warning) => warning.includes('overlap'));
}

describe('recordings of one symbol', () => {
  it('that hold the same kind at the same time are named', async () => {
    const [warning, ...others] = await warningsOf([trade(1, 0), trade(2, 2000)], [trade(1, 1000), trade(2, 3000)]);
    expect(warning).toMatch(/ and .+ overlap: trades of BTCUSDT that are in both count twice$/);
    expect(others).toEqual([]);
  });

  it('that follow each other, or hold other kinds, are not', async () => {
    expect(await warningsOf([trade(1, 0), trade(2, 1000)], [trade(1, 1000), trade(2, 3000)])).toEqual([]);
    expect(await warningsOf([trade(1, 0), trade(2, 2000)], [depth(1, 0), depth(2, 2000)])).toEqual([]);
  });
});
