/**
 * The ladder on recorded Binance USD-M frames: after every thousandth message it equals a naive model. Needs the real data
 * beside the repository; without it the test is skipped and says so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BookSync } from '../../src/model/book/book-sync.ts';
import { Instrument } from '../../src/model/market/instrument.ts';
import { createLadder } from '../../src/model/book/ladder.ts';
import { ASK, BID, type BookSide, type DepthEvent } from '../../src/model/market/market-event.ts';

const file = new URL('../../../shared/data/binance-frames/usdm-btcusdt-20240808.gz', import.meta.url);
const present = existsSync(file);
if (!present)
  process.stderr.write('skipped: ../shared/data/binance-frames is absent, the ladder is not tried on real data\n');

const instrument = new Instrument({
  symbol: 'BTCUSDT',
  market: 'derivative',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.1',
  lotSize: '0.001',
  minQuantity: '0.001',
  maxQuantity: '1000',
  minNotional: '5',
  status: 'trading',
});

type Pairs = readonly (readonly [string, string])[];

interface Frame {
  readonly lastUpdateId?: number;
  readonly bids?: Pairs;
  readonly asks?: Pairs;
  readonly T?: number;
  readonly data?: {
    readonly e: string;
    readonly T: number;
    readonly U: number;
    readonly u: number;
    readonly pu: number;
    readonly b: Pairs;
    readonly a: Pairs;
  };
}

function depthOf(frame: Frame): DepthEvent | null {
  const { data } = frame;
  const update = data?.e === 'depthUpdate' ? data : null;
  if (update === null && frame.lastUpdateId === undefined) return null;
  const rows: [BookSide, number, number][] = [];
  for (const [side, pairs] of [
    [BID, update?.b ?? frame.bids ?? []],
    [ASK, update?.a ?? frame.asks ?? []],
  ] as const) {
    for (const [price, quantity] of pairs) rows.push([side, instrument.ticksOf(price), instrument.lotsOf(quantity)]);
  }
  return {
    kind: 'depth',
    instrument,
    exchangeUs: (update?.T ?? frame.T ?? 0) * 1000,
    receiveUs: 0,
    snapshot: update === null,
    firstId: update?.U ?? frame.lastUpdateId ?? 0,
    lastId: update?.u ?? frame.lastUpdateId ?? 0,
    previousId: update?.pu ?? 0,
    levels: {
      sides: Uint8Array.from(rows, (row) => row[0]),
      ticks: Float64Array.from(rows, (row) => row[1]),
      lots: Float64Array.from(rows, (row) => row[2]),
      from: 0,
      to: rows.length,
    },
  };
}

describe.skipIf(!present)('the ladder on real data', () => {
  it('equals a naive book built from the same messages, with no gap in them', () => {
    const ladder = createLadder(instrument);
    const sync = new BookSync(ladder, { rule: 'pu', start: 'snapshot' });
    const naive: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
    let applied = 0;
    let levels = 0;
    const applyNaive = (event: DepthEvent): void => {
      if (event.snapshot) for (const side of naive) side.clear();
      const { sides, ticks, lots } = event.levels;
      sides.forEach((side, row) => {
        const book = naive[side === BID ? BID : ASK];
        if (lots[row] === 0) book.delete(ticks[row] ?? 0);
        else book.set(ticks[row] ?? 0, lots[row] ?? 0);
      });
    };
    const compare = (): void => {
      for (const side of [BID, ASK] as const) {
        const expected = [...naive[side]].sort((a, b) => (side === BID ? b[0] - a[0] : a[0] - b[0]));
        const actual: [number, number][] = [];
        ladder.walk(side, (ticks, lots) => actual.push([ticks, lots]) > 0);
        expect(actual).toEqual(expected);
      }
    };
    const waiting: DepthEvent[] = [];
    for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
      if (!line.includes('depth') && !line.includes('lastUpdateId')) continue;
      const event = depthOf(JSON.parse(line.slice(line.indexOf(' ') + 1)) as Frame);
      if (event === null) continue;
      levels += event.snapshot ? 0 : event.levels.to;
      const verdict = sync.onDepth(event);
      expect(verdict, sync.gapReason).not.toBe('gap');
      if (verdict === 'buffered') waiting.push(event);
      if (verdict !== 'applied') continue;
      applyNaive(event);
      if (event.snapshot) for (const held of waiting) if (held.lastId >= event.lastId) applyNaive(held);
      if (++applied % 1000 === 1) compare();
    }
    compare();
    expect(applied).toBeGreaterThan(6000);
    expect(levels).toBe(443_521);
  });
});
