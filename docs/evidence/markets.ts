/**
 * The markets that the library is judged on: the samples of the repository, and recordings of real markets that are made by
 * `data import` from files in the folder of `--data`. A market whose files are not there is left out.
 */

export interface Market {
  /** As the table names it. */
  readonly title: string;
  readonly isReal: boolean;
  /** Recordings of the repository. */
  readonly recordings?: readonly string[];
  /** `data import` of these arguments, the file within the folder last. */
  readonly imports?: readonly Import[];
}

export interface Import {
  readonly args: readonly string[];
  readonly file: string;
  /** The file calls its symbol BTCUSDT, as that of another market: it is called so instead. */
  readonly rename?: string;
}

const SPOT_BTC = {
  args: ['--from', 'binance-collector', '--symbol', 'BTCUSDT', '--market', 'spot'],
  file: 'binance-frames/spot-btcusdt-20240808.gz',
};

export const markets = {
  book: { title: 'data/sample (synthetic books)', isReal: false, recordings: ['data/sample'] },
  bars: { title: 'data/sample-bars (synthetic minutes)', isReal: false, recordings: ['data/sample-bars'] },
  'real-bars': {
    title: 'BTC perpetual of FTX, minutes, traded as spot',
    isReal: true,
    imports: [
      {
        args: '--from candles-csv --symbol BTCUSDT --interval 1m --timestamp close --volume quote --market spot'.split(
          ' ',
        ),
        file: 'candles/ftx-btc-perp-1m-20211231-20220201.csv.gz',
      },
    ],
  },
  'real-book': {
    title: 'BTC and ETH on Binance spot, books',
    isReal: true,
    imports: [
      SPOT_BTC,
      {
        args: ['--from', 'binance-collector', '--symbol', 'ETHUSDT', '--market', 'spot'],
        file: 'binance-frames/spot-ethusdt-20240808.gz',
      },
    ],
  },
  'real-perpetual': {
    title: 'BTC on Binance, spot and perpetual, books',
    isReal: true,
    imports: [
      SPOT_BTC,
      {
        args: ['--from', 'binance-collector', '--symbol', 'BTCUSDTPERP', '--market', 'derivative'],
        file: 'binance-frames/usdm-btcusdt-20240808.gz',
        rename: 'BTCUSDTPERP',
      },
    ],
  },
} as const satisfies Readonly<Record<string, Market>>;

export type MarketName = keyof typeof markets;
