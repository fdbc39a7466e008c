/**
 * The market data that the benches run on: the real USD-M file beside the repository when it is there, else the sample
 * in it. Imported or copied into a folder of the bench, so that nothing is written anywhere else.
 */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importRecording } from '../src/recording/importers/import.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');
const SAMPLE = join(REPOSITORY, 'data/sample');

/** About six minutes of depth, best quotes and trades of BTCUSDT, 94,000 frames. */
export const REAL_FILE = join(REPOSITORY, '../shared/data/binance-frames/usdm-btcusdt-20240808.gz');
export const REAL_SYMBOL = 'BTCUSDT';
export const SPREAD_MAKER = join(REPOSITORY, 'strategies/spread-maker.ts');
export const IMBALANCE = join(REPOSITORY, 'strategies/imbalance.ts');
export const EMA_CROSS = join(REPOSITORY, 'strategies/ema-cross.ts');
/** Asks for nothing and never acts. */
export const IDLE = join(REPOSITORY, 'bench/replay/idle.ts');
export const MAKER_BY_CLOCK = join(REPOSITORY, 'bench/replay/maker-by-clock.ts');
/** A month of minutes, times at their close, volume in quote currency. */
export const CANDLE_FILE = join(REPOSITORY, '../shared/data/candles/ftx-btc-perp-1m-20211231-20220201.csv.gz');
export const CANDLE_SYMBOL = 'BTCUSD';
/**
 * The grid of the contract that it is of; as spot, since the peers know no margin. On the one that is inferred from the data,
 * lots of 0.00000001, a target buys once more what the fee has taken: orders that no peer sends.
 */
const CANDLE_INSTRUMENT = {
  symbol: CANDLE_SYMBOL,
  market: 'spot',
  base: 'BTC',
  quote: 'USD',
  tickSize: '1',
  lotSize: '0.0001',
};
export const MAIN = join(REPOSITORY, 'src/cli/main.ts');

export interface BenchData {
  readonly path: string;
  /** For people. */
  readonly name: string;
  readonly repeat: number;
}

/** Null, with a word to the user, when there is no data at all. */
export async function benchData(folder: string): Promise<BenchData | null> {
  const path = join(folder, 'recording');
  if (existsSync(REAL_FILE)) {
    await importRecording({
      format: 'binance-collector',
      files: [REAL_FILE],
      symbols: [REAL_SYMBOL],
      out: path,
      now: Date.now(),
    });
    return { path, name: 'the real USD-M file', repeat: 10 };
  }
  if (existsSync(SAMPLE)) {
    cpSync(SAMPLE, path, { recursive: true });
    return { path, name: 'data/sample, as the real USD-M file is not beside the repository', repeat: 10 };
  }
  console.log(`neither ${REAL_FILE} nor ${SAMPLE} is there: nothing to replay`);
  return null;
}

/** Null, with a word to the user, when the real file of candles is not there. */
export async function candleData(folder: string): Promise<BenchData | null> {
  if (!existsSync(CANDLE_FILE)) {
    console.log('the real file of candles is not beside the repository: no candles to replay');
    return null;
  }
  const path = join(folder, 'candles');
  const instrumentFile = join(folder, 'instrument.json');
  writeFileSync(instrumentFile, JSON.stringify(CANDLE_INSTRUMENT));
  await importRecording({
    format: 'candles-csv',
    instrumentFile,
    files: [CANDLE_FILE],
    symbols: [CANDLE_SYMBOL],
    out: path,
    now: Date.now(),
    intervalMs: 60_000,
    timestamp: 'close',
    volume: 'quote',
  });
  return { path, name: 'a month of real minutes', repeat: 10 };
}
