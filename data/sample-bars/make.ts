/**
 * Makes the recording in this folder: `node data/sample-bars/make.ts`. A month of minutes of a market that does not exist,
 * the same bars at each call. Its log price is a random walk, so no rule on past prices has an edge; what it has of a real
 * market is noise: volatility that comes in clusters and has a time of day, volume that goes with it, now and then a gap.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normal, seededRandom } from '../../src/model/random.ts';
import { importRecording } from '../../src/recording/importers/import.ts';

const SEED = 20_260_901;
const START_MS = Date.UTC(2026, 8, 1);
const MINUTE_MS = 60_000;
const MINUTES = 30 * 24 * 60;
const STEPS_A_MINUTE = 12;
const START_PRICE = 60_000;
/** Standard deviation of a minute's log return on average: about 40 % a year. */
const MINUTE_DEVIATION = 0.00055;
/** The logarithm of the volatility goes back to its mean with this memory, and is pushed by so much each minute. */
const CLUSTER_MEMORY = 0.995;
const CLUSTER_PUSH = 0.05;
/** One open in so many lies away from the close before it, by so many deviations of a minute. */
const GAP_ONE_IN = 2000;
const GAP_DEVIATIONS = 3;
const MEAN_VOLUME = 8;

const INSTRUMENT = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '1000',
  minNotional: '5',
  status: 'trading',
};

/** More happens in the afternoon (UTC) than at night: 0.6 to 1.4. */
function ofDay(minute: number): number {
  const day = (2 * Math.PI * (minute % 1440)) / 1440;
  return 1 - 0.4 * Math.cos(day - (2 * Math.PI * 3) / 24);
}

/** Lines `open time, open, high, low, close, volume`. */
export function sampleBars(): readonly string[] {
  const random = seededRandom(SEED);
  const [prices, clusters, volumes] = [random.fork('prices'), random.fork('clusters'), random.fork('volumes')];
  const lines: string[] = [];
  let price = START_PRICE;
  let cluster = 0;
  /** A step of a martingale: its mean is the price itself. */
  const moved = (deviation: number): number =>
    price * Math.exp(deviation * normal(prices) - (deviation * deviation) / 2);
  for (let minute = 0; minute < MINUTES; minute++) {
    cluster = CLUSTER_MEMORY * cluster + CLUSTER_PUSH * normal(clusters);
    const activity = ofDay(minute) * Math.exp(cluster);
    const deviation = MINUTE_DEVIATION * activity;
    if (prices.next() * GAP_ONE_IN < 1) price = moved(GAP_DEVIATIONS * deviation);
    const open = price;
    let [high, low] = [open, open];
    for (let step = 0; step < STEPS_A_MINUTE; step++) {
      price = moved(deviation / Math.sqrt(STEPS_A_MINUTE));
      high = Math.max(high, price);
      low = Math.min(low, price);
    }
    const volume = MEAN_VOLUME * activity * Math.exp(0.5 * normal(volumes));
    const texts = [open, high, low, price].map((value) => value.toFixed(2));
    lines.push([START_MS + minute * MINUTE_MS, ...texts, volume.toFixed(5)].join(','));
  }
  return lines;
}

if (import.meta.main) {
  const scratch = mkdtempSync(join(tmpdir(), 'tidewire-sample-bars-'));
  const csv = join(scratch, 'synthetic-minutes.csv');
  const instrumentFile = join(scratch, 'instrument.json');
  const out = join(scratch, 'recording');
  writeFileSync(csv, ['timestamp,open,high,low,close,volume', ...sampleBars(), ''].join('\n'));
  writeFileSync(instrumentFile, JSON.stringify(INSTRUMENT));
  const asked = { symbols: ['BTCUSDT'], intervalMs: MINUTE_MS, now: START_MS, instrumentFile, out };
  const { manifest } = await importRecording({ format: 'candles-csv', files: [csv], ...asked });
  for (const name of ['recording.json', ...manifest.segments.map(({ file }) => file)]) {
    copyFileSync(join(out, name), join(import.meta.dirname, name));
  }
  rmSync(scratch, { recursive: true });
}
