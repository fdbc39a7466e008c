/** A recording of BTCUSDT whose best bid moves at given times after a snapshot, and nothing else. */
import { join } from 'node:path';
import { importRecording } from '../../src/recording/importers/import.ts';
import { BTC } from '../execution/rig.ts';
import { freshDir, writeFixture } from './fixtures.ts';

/** `moves`: ms after `fromMs`. Answers the folder. */
export async function bookOfDepth(fromMs: number, moves: readonly number[]): Promise<string> {
  const levels = { bids: [['59999', '5']], asks: [['60001', '5']] };
  const depth = moves.map((ms, at) => {
    return { ts: fromMs + ms, type: 'depth', bids: [['59990', String(ms)]], asks: [], seq: at + 2 };
  });
  const lines = [{ ts: fromMs, type: 'snapshot', ...levels, seq: 1 }, ...depth];
  const out = join(freshDir(), 'book');
  const text = lines.map((line) => JSON.stringify({ symbol: BTC.symbol, ...line })).join('\n');
  const files = [writeFixture('book.jsonl', text)];
  const instrumentFile = writeFixture('btc.json', JSON.stringify(BTC));
  await importRecording({ format: 'jsonl', files, symbols: [BTC.symbol], out, now: fromMs, instrumentFile });
  return out;
}

/** Multiples of `by` above 0 and below `to`. */
export function everyMs(by: number, to: number): readonly number[] {
  return Array.from({ length: Math.ceil(to / by) - 1 }, (_, at) => (at + 1) * by);
}
