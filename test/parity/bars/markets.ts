/** Bars to compare on: a made-up market with gaps between bars and missing ones, and the real minutes where they are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { normal, seededRandom } from '../../../src/model/random.ts';
import type { Bar } from './ledger.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2024, 0, 1);
const REAL = join(import.meta.dirname, '../../../../shared/data/candles/ftx-btc-perp-1m-20211231-20220201.csv.gz');

export const hasRealMinutes = existsSync(REAL);

function toTick(price: number): number {
  return Math.round(price * 100) / 100;
}

/** Each open lies away from the close before it; one bar in forty is missing. */
export function gappedBars(seed: number, count: number): readonly Bar[] {
  const random = seededRandom(seed);
  const bars: Bar[] = [];
  let last = 100;
  let openTime = START_MS;
  for (let index = 0; index < count; index++) {
    const open = toTick(Math.max(1, last + 0.3 * normal(random)));
    const close = toTick(Math.max(1, open + 0.2 * normal(random) + 0.01 * (100 - open)));
    const high = toTick(Math.max(open, close) + 0.1 * random.next());
    const low = toTick(Math.min(open, close) - 0.1 * random.next());
    bars.push({ openTime, open, high, low, close, volume: 10 + Math.round(90 * random.next()) });
    last = close;
    openTime += MINUTE_MS * (random.next() < 1 / 40 ? 1 + Math.ceil(5 * random.next()) : 1);
  }
  return bars;
}

/** Times of the file are those of the close, volumes in the quote currency. */
export function realMinutes(): readonly Bar[] {
  const [header = '', ...lines] = gunzipSync(readFileSync(REAL)).toString('utf8').trim().split('\n');
  const names = header.trim().toLowerCase().split(',');
  const at = (...wanted: readonly string[]): number => names.findIndex((name) => wanted.includes(name));
  const [time, open, high, low] = [at('timestamp', 'time', 'date'), at('open'), at('high'), at('low')];
  const [close, volume] = [at('close'), at('volume')];
  return lines.map((line) => {
    const row = line.trim().split(',');
    const closeMs = /^\d+$/.test(row[time]!) ? Number(row[time]) : Date.parse(`${row[time]!.replace(' ', 'T')}Z`);
    const price = Number(row[close]);
    return {
      openTime: closeMs - MINUTE_MS,
      open: Number(row[open]),
      high: Number(row[high]),
      low: Number(row[low]),
      close: price,
      volume: Number(row[volume]) / price,
    };
  });
}
