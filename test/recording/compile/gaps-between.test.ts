import { describe, expect, it } from 'vitest';
import type { FrameRow } from '../../../src/recording/frames/frame-row.ts';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import { eventsOf, publicRow, recordingOf } from '../fixtures.ts';

const T0 = 1_700_000_000_000;
const HOUR = 3_600_000;

function depth(seq: number, ms: number, bid: string, ask: string, type = 'update'): FrameRow {
  const data = { type, bids: [[bid, '1']], asks: [[ask, '1']] };
  return publicRow((T0 + ms) * 1000 + 2000, { channel: 'BTCUSDT@depth', seq, ts: T0 + ms, data });
}

/** Two messages a second apart, from `ms` on. */
async function recorded(ms: number, ask: string): Promise<string> {
  const rows = [depth(1, ms, '1', ask, 'snapshot'), depth(2, ms + 1000, '2', ask)];
  return (await recordingOf(rows)).dir;
}

async function candlesAlone(ms: number): Promise<string> {
  const bar = { openTime: T0 + ms, open: '1', high: '1', low: '1', close: '1', volume: '1', closed: true };
  const row = publicRow((T0 + ms) * 1000 + 2000, { channel: 'BTCUSDT@candles', seq: 1, ts: T0 + ms, data: [bar] });
  return (await recordingOf([row])).dir;
}

describe('recordings that follow each other', () => {
  it('have a gap from the end of one to the begin of the next, on both sides, whatever their order', async () => {
    const first = await recorded(0, '101');
    const second = await recorded(48 * HOUR, '201');
    for (const paths of [
      [first, second],
      [second, first],
    ]) {
      const tape = await openTape(paths);
      for (const order of ['exchange', 'receive'] as const) {
        const events = eventsOf(tape, order);
        expect(events.map((event) => event['kind']).filter((kind) => kind !== 'gap')).toHaveLength(4);
        const lateUs = order === 'exchange' ? 0 : 2000;
        expect(events.filter((event) => event['kind'] === 'gap')).toMatchObject([
          { open: true, exchangeUs: (T0 + 1000) * 1000, receiveUs: (T0 + 1000) * 1000 + 2000 },
          { open: false, exchangeUs: (T0 + 48 * HOUR) * 1000, fromUs: (T0 + 1000) * 1000 },
        ]);
        // After the last message of the first, and not after the second one of the next.
        const open = events.findIndex((event) => event['open'] === true);
        expect(events[open - 1]).toMatchObject({ kind: 'depth', lastId: 2 });
        expect(events.findIndex((event) => event['open'] === false)).toBeLessThan(events.length - 1);
        expect(events[open]![order === 'exchange' ? 'exchangeUs' : 'receiveUs']).toBe((T0 + 1000) * 1000 + lateUs);
      }
      tape.close();
    }
  });

  it('have none within a minute, within each other, and where one holds candles alone', async () => {
    const day = await recorded(0, '101');
    const next = await recorded(60_000, '102');
    const around = (await recordingOf([depth(1, 0, '1', '101', 'snapshot'), depth(2, 3 * HOUR, '2', '101')])).dir;
    const within = await recorded(HOUR, '101');
    const after = await recorded(3 * HOUR + 2000, '101');
    const bars = await candlesAlone(48 * HOUR);
    for (const paths of [
      [day, next],
      [around, within, after],
      [day, bars],
    ]) {
      const tape = await openTape(paths);
      expect(eventsOf(tape, 'exchange').filter((event) => event['kind'] === 'gap')).toEqual([]);
      tape.close();
    }
  });

  it('have it in every pass, and in a period what lies within', async () => {
    const paths = [await recorded(0, '101'), await recorded(48 * HOUR, '201')];
    const gapsOf = async (options: Parameters<typeof openTape>[1]): Promise<unknown[]> => {
      const tape = await openTape(paths, options);
      const gaps = eventsOf(tape, 'exchange').filter((event) => event['kind'] === 'gap');
      tape.close();
      return gaps.map((event) => [event['open'], Number(event['exchangeUs']) / 1000 - T0]);
    };
    const whole = [
      [true, 1000],
      [false, 48 * HOUR],
    ];
    const passMs = 48 * HOUR + 60_000;
    expect(await gapsOf({ repeat: 2 })).toEqual([...whole, [true, passMs + 1000], [false, passMs + 48 * HOUR]]);
    expect(await gapsOf({ toMs: T0 + HOUR })).toEqual([[true, 1000]]);
    expect(await gapsOf({ toMs: T0 + 1000 })).toEqual([]);
    expect(await gapsOf({ fromMs: T0 + 48 * HOUR + 500 })).toEqual([]);
    expect(await gapsOf({ fromMs: T0 + 24 * HOUR })).toEqual([
      [true, 24 * HOUR],
      [false, 48 * HOUR],
    ]);
  });

  it('leave a period that begins between them without a book', async () => {
    const paths = [await recorded(48 * HOUR, '201'), await recorded(0, '101')];
    const tape = await openTape(paths, { fromMs: T0 + 24 * HOUR });
    for (const order of ['exchange', 'receive'] as const) {
      const events = eventsOf(tape, order);
      const gap = events.findIndex((event) => event['open'] === true);
      expect(events.slice(0, gap).every((event) => event['snapshot'] === true)).toBe(true);
      expect(events.slice(gap + 1).every((event) => Number(event['exchangeUs']) >= (T0 + 48 * HOUR) * 1000)).toBe(true);
      expect(gap).toBeGreaterThanOrEqual(0);
    }
    tape.close();
  });
});
